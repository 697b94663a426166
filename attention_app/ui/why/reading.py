"""What the cards about the recurrent network share: one sentence read by it, and every word swapped for another."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from attention_app.ui import state
from attention_app.ui.lesson import Lesson
from attention_core.influence import rnn_changes, survival
from attention_core.rnn import RnnTrace, rnn, seeded_weights
from attention_core.sources.word_vectors import N_DIMENSIONS, unit_vectors
from attention_core.trace import FloatArray

D_HIDDEN = 16  # numbers of a state: as many as a row of colours can show
SEED = 0
SWAPS = ("老师", "明天")  # a word is swapped for the first of these that it is not


@dataclass(frozen=True, eq=False)
class Reading:
    """The lesson's sentence of n words.

    x, other   (n, d_in) word vectors of length 1: of the words, and of those that they are swapped for
    trace      the network's run at the chosen gain
    changes    (n, n) how far state t moves when word j is swapped
    """

    lesson: Lesson
    x: FloatArray
    other: FloatArray
    trace: RnnTrace
    changes: FloatArray

    @property
    def names(self) -> tuple[str, ...]:
        return self.lesson.labels

    @property
    def n(self) -> int:
        return len(self.lesson.words)

    @cached_property
    def left(self) -> FloatArray:
        """(n,) what is left of the first word's mark after each word."""
        return survival(self.changes)[:, 0]

    def left_at_the_end(self, gain: float) -> float:
        """The same at the end of the sentence, with another gain."""
        other = self.x.copy()
        other[0] = self.other[0]  # only the first word differs: one swap is enough
        weights = seeded_weights(N_DIMENSIONS, D_HIDDEN, gain=gain, seed=SEED)
        before, after = rnn(self.x, weights).h, rnn(other, weights).h
        moved = np.linalg.norm(after - before, axis=1)  # (n,)
        return float(moved[-1] / moved[0])


def current(lesson: Lesson) -> Reading:
    texts = [word.text for word in lesson.words]
    x, other = unit_vectors(texts, SEED), unit_vectors([swap(text) for text in texts], SEED)
    weights = seeded_weights(N_DIMENSIONS, D_HIDDEN, gain=float(str(state.get("gain"))), seed=SEED)
    return Reading(lesson, x, other, rnn(x, weights), rnn_changes(x, other, weights))


def swap(text: str) -> str:
    """The word that stands in for another one."""
    return next(other for other in SWAPS if other != text)

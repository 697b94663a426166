"""Finding a translation: greedy takes the most probable piece at every step, beam search keeps several beginnings.

search(model, source)            greedy, which is a beam of 1
search(model, source, width=5)   the best of five beginnings, never worse than greedy
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from attention_core.errors import InputError
from attention_core.translator.model import MAX_STEPS, Translator
from attention_core.translator.runs import SourceRun
from attention_core.translator.stepping import Stepper
from attention_core.translator.target_text import END, START, UNKNOWN

MAX_WIDTH = 5
LENGTH_PENALTY = 0.6

Stopped = Literal["end", "length", "repetition"]


@dataclass(frozen=True)
class Hypothesis:
    """One translation. log_probability: the sum over its pieces; stopped: why it goes no further."""

    pieces: tuple[str, ...]
    log_probability: float
    stopped: Stopped

    @property
    def score(self) -> float:
        """What beam search compares: by probability alone a long text always loses (Wu et al. 2016, equation 14)."""
        penalty: float = ((5 + len(self.pieces)) / 6) ** LENGTH_PENALTY
        return self.log_probability / penalty


def search(model: Translator, source: SourceRun, width: int = 1, prefix: Sequence[str] = ()) -> Hypothesis:
    """The best translation that begins with the pieces `prefix`.

    At every step the `width` most probable continuations of all beginnings together go on; one that ends leaves the
    beam. The greedy translation is always a candidate. A text also stops where it gets too long, or turns in circles.
    InputError: "out_of_range" (width 1 to 5), "unknown_piece" or "too_many_pieces" (the prefix).
    """
    if not 1 <= width <= MAX_WIDTH:
        raise InputError("out_of_range", name="width", low=1, high=MAX_WIDTH, value=width)
    if len(prefix) > MAX_STEPS:
        raise InputError("too_many_pieces", limit=MAX_STEPS, count=len(prefix))
    model.target_numbers(prefix)
    found = beam(model, source, 1, tuple(prefix))
    if width > 1:
        found += beam(model, source, width, tuple(prefix))
    return max(found, key=lambda hypothesis: hypothesis.score)


def longest(source: SourceRun) -> int:
    """How many pieces a translation of this sentence may have."""
    return min(2 * len(source.pieces) + 12, MAX_STEPS)


def goes_in_circles(pieces: Sequence[str]) -> bool:
    """Whether the text ends with the same one to eight pieces four times in a row."""
    for size in range(1, 9):
        if len(pieces) >= 4 * size and tuple(pieces[-3 * size :]) == tuple(pieces[-4 * size : -size]):
            return True
    return False


def beam(model: Translator, source: SourceRun, width: int, prefix: tuple[str, ...]) -> list[Hypothesis]:
    """All translations that a beam of this width ends with, at most `width` of them, in the order of their ends."""
    ids, names = model.vocabulary.target_ids, model.vocabulary.target
    stepper = Stepper(model, source)
    log_probs = stepper.step(np.array([ids[START]], dtype=np.int32))  # (1, n_target)
    total = 0.0
    for forced in prefix:
        total += float(log_probs[0, ids[forced]])
        log_probs = stepper.step(np.array([ids[forced]], dtype=np.int32))
    stopped = _stopped(prefix, source)
    if stopped:
        return [Hypothesis(prefix, total, stopped)]

    finished: list[Hypothesis] = []
    beginnings, totals = [prefix], np.array([total])
    while True:
        scores = totals[:, None] + log_probs  # (n_beginnings, n_target)
        scores[:, [ids[START], ids[UNKNOWN]]] = -np.inf  # nobody can say these
        best = np.argsort(-scores, axis=None, kind="stable")[:width]
        going_on: list[int] = []
        for number in best:
            row, piece = divmod(int(number), len(names))
            hypothesis = (*beginnings[row], names[piece])
            stopped = _stopped(hypothesis, source)
            if stopped:
                finished.append(Hypothesis(hypothesis, float(scores.flat[number]), stopped))
            else:
                going_on.append(int(number))
        if not going_on:
            return finished
        rows, pieces = np.divmod(going_on, len(names))
        beginnings = [(*beginnings[row], names[piece]) for row, piece in zip(rows, pieces, strict=True)]
        totals = scores.reshape(-1)[going_on]
        width = len(going_on)
        stepper.keep(rows.tolist())
        log_probs = stepper.step(pieces.astype(np.int32))


def _stopped(pieces: tuple[str, ...], source: SourceRun) -> Stopped | None:
    if pieces and pieces[-1] == END:
        return "end"
    if len(pieces) >= longest(source):
        return "length"
    return "repetition" if goes_in_circles(pieces) else None

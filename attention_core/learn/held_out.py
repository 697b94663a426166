"""What the model answers for nouns that it was never taught."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from attention_core.learn.replay import see
from attention_core.learn.tasks import read_sentence
from attention_core.learn.training import Run
from attention_core.learn.vocabulary import GAP, load_vocabulary


class HeldOut(NamedTuple):
    """A noun, the measure word answered for it, the right one, the answer's probability, and how much [?] looked at it.

    weight: on the noun, mean of the heads.
    """

    noun: str
    answer: str
    right: str
    probability: float
    weight: float


def held_out_answers(run: Run, moment: int) -> tuple[HeldOut, ...]:
    """The answers at a recorded moment (from 0), one for each held-out noun, in 这里有一[?]…; not for "copy"."""
    vocabulary, p = load_vocabulary(), run.at(moment)
    found = []
    for noun in vocabulary.held_out:
        typed = read_sentence(f"这里有一{GAP}{noun}", run.settings.task)
        f = see(p, typed, run.settings)
        probs = f.probs[0, typed.gap]  # (C,)
        best = int(probs.argmax())
        weight = float(f.attn_weights[:, 0, typed.gap, typed.deciding].mean())
        right = vocabulary.measure_of[noun]
        found.append(HeldOut(noun, vocabulary.measures[best], right, float(probs[best]), weight))
    return tuple(found)


def luck(answers: Sequence[HeldOut]) -> float:
    """The probability that guessing, with equal chances for every measure word, gets at least as many right (binomial).

    1 where none is right.
    """
    n, right, p = len(answers), sum(one.answer == one.right for one in answers), 1 / len(load_vocabulary().measures)
    return sum(math.comb(n, k) * p**k * (1 - p) ** (n - k) for k in range(right, n + 1))

"""One sentence as the model sees it at every recorded moment of its training."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from attention_core.learn.model import Forward, Parameters, forward
from attention_core.learn.settings import LearnSettings
from attention_core.learn.tasks import NO_ANSWER, Typed
from attention_core.learn.training import Run
from attention_core.learn.vocabulary import load_vocabulary
from attention_core.trace import FloatArray, ReadOnlyArrays


@dataclass(frozen=True, eq=False)
class Replay(ReadOnlyArrays):
    """R moments of one sentence of n words.

    typed         the sentence
    attn_weights  (R, h, n, n), rows sum to 1
    probs         (R, C) of each answer in the gap
    losses        (R,) -ln(probability of the right answer)
    """

    typed: Typed
    attn_weights: FloatArray
    probs: FloatArray
    losses: FloatArray


def replay(run: Run, typed: Typed) -> Replay:
    """The sentence at every recorded moment of the run. typed: from tasks.read_sentence, for the run's own task."""
    passes = [see(run.at(moment), typed, run.settings) for moment in range(len(run.steps))]
    return Replay(
        typed,
        np.stack([one.attn_weights[:, 0] for one in passes]),
        np.stack([one.probs[0, typed.gap] for one in passes]),
        np.array([one.loss for one in passes]),
    )


def see(p: Parameters, typed: Typed, settings: LearnSettings) -> Forward:
    """The forward pass on one sentence, B = 1; only the gap has an answer."""
    ids = np.array([load_vocabulary().ids(typed.words)])  # (1, n)
    answers = np.full(ids.shape, NO_ANSWER)  # (1, n)
    answers[0, typed.gap] = typed.answer
    return forward(p, ids, answers, positions=settings.positions, scaled=settings.scaled)

"""The whole training, recorded: what a learner plays back was computed once, in well under a second."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from attention_core.learn.adam import adam, start
from attention_core.learn.backward import backward
from attention_core.learn.model import NAMES, Parameters, accuracy, forward, initial
from attention_core.learn.settings import LearnSettings
from attention_core.learn.tasks import Batch, draw_sentences
from attention_core.trace import FloatArray, ReadOnlyArrays

N_STEPS = 240
BATCH = 32
N_RECORDED = 60
N_EXAM = 96  # sentences of an exam; they are drawn apart from those of the training
_SLOWER = 1.5  # above 1: early steps, where most happens, are recorded more densely

STEPS = tuple(sorted({round(N_STEPS * (i / (N_RECORDED - 1)) ** _SLOWER) for i in range(N_RECORDED)}))


@dataclass(frozen=True, eq=False)
class Run(ReadOnlyArrays):
    """A training from beginning to end. R recorded moments, the first before any step, the last after all.

    settings           what it was trained with
    steps              R numbers: how many steps had been taken
    losses             (N_STEPS,) the loss of each step's own sentences, before that step
    accuracies         (R,) right answers in an exam of N_EXAM other sentences, with the nouns that are taught
    held_out           (R,) the same with the nouns that are never taught; for "copy", which has none, R times NaN
    parameters         of each moment, every array with R in front
    """

    settings: LearnSettings
    steps: tuple[int, ...]
    losses: FloatArray
    accuracies: FloatArray
    held_out: FloatArray
    parameters: Parameters

    def at(self, moment: int) -> Parameters:
        """The parameters of one recorded moment, from 0."""
        return Parameters(**{name: getattr(self.parameters, name)[moment] for name in NAMES})

    @property
    def nbytes(self) -> int:
        return sum(int(getattr(self.parameters, name).nbytes) for name in NAMES) + int(self.losses.nbytes)


def train(settings: LearnSettings) -> Run:
    """N_STEPS steps of Adam on fresh sentences, BATCH at a time. A function of its settings: nothing else is drawn."""
    task, seed = settings.task, settings.seed
    lessons = draw_sentences(task, (N_STEPS, BATCH), seed, "lessons")
    exam = draw_sentences(task, (N_EXAM,), seed, "exam")
    new = None if task == "copy" else draw_sentences(task, (N_EXAM,), seed, "held out", held_out=True)
    how = {"positions": settings.positions, "scaled": settings.scaled}

    def grade(p: Parameters, sentences: Batch | None) -> float:
        return np.nan if sentences is None else accuracy(forward(p, sentences.ids, sentences.answers, **how))

    p = initial(settings)
    moments = start(p)
    losses, recorded, accuracies, held_out = [], [p], [grade(p, exam)], [grade(p, new)]
    for step in range(1, N_STEPS + 1):
        f = forward(p, lessons.ids[step - 1], lessons.answers[step - 1], **how)
        losses.append(f.loss)
        p, moments = adam(p, backward(p, f, scaled=settings.scaled), moments, settings.rate)
        if step in STEPS:
            recorded.append(p)
            accuracies.append(grade(p, exam))
            held_out.append(grade(p, new))
    return Run(
        settings,
        STEPS,
        np.array(losses),
        np.array(accuracies),
        np.array(held_out),
        Parameters(**{name: np.stack([getattr(one, name) for one in recorded]) for name in NAMES}),
    )

"""The nouns' embeddings: where they lie in two dimensions, and how far those of one measure word have gathered."""

from __future__ import annotations

import numpy as np

from attention_core.learn.training import Run
from attention_core.learn.vocabulary import load_vocabulary
from attention_core.trace import FloatArray


def noun_points(run: Run) -> FloatArray:
    """The taught nouns, then the held-out ones, in two dimensions at every moment: (R, 50, 2).

    Principal components (Pearson 1901) of the taught nouns at the last moment, by SVD. The axes, their origin and their
    signs are those of the last moment at every moment, so that a point moves only because its embedding did.
    """
    vocabulary = load_vocabulary()
    taught, held_out = (
        run.parameters.E[:, list(vocabulary.ids(words))] for words in (vocabulary.nouns, vocabulary.held_out)
    )
    centre = taught[-1].mean(axis=0)  # (d,)
    _, _, components = np.linalg.svd(taught[-1] - centre, full_matrices=False)  # (d, d), largest variance first
    axes = components[:2]  # (2, d)
    largest = np.abs(axes).argmax(axis=1)  # (2,)
    axes = axes * np.sign(axes[[0, 1], largest])[:, None]  # an SVD leaves the signs open: the largest is made positive
    points: FloatArray = (np.concatenate([taught, held_out], axis=1) - centre) @ axes.T  # (R, 50, 2)
    return points


def gathering(run: Run) -> FloatArray:
    """Mean distance between taught nouns of one measure word, divided by that between nouns of two: (R,).

    In all dimensions. 1: not gathered at all; 0: the nouns of a measure word have become one point.
    """
    vocabulary = load_vocabulary()
    E = run.parameters.E[:, list(vocabulary.ids(vocabulary.nouns))]  # (R, 40, d)
    apart = np.sqrt(((E[:, :, None] - E[:, None, :]) ** 2).sum(axis=-1))  # (R, 40, 40)
    measure = np.array([vocabulary.measures.index(vocabulary.measure_of[noun]) for noun in vocabulary.nouns])
    together = measure[:, None] == measure  # (40, 40)
    pairs = together & ~np.eye(len(measure), dtype=np.bool_)
    ratio: FloatArray = apart[:, pairs].mean(axis=1) / apart[:, ~together].mean(axis=1)
    return ratio

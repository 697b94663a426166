"""One layer against the other on this machine: a loop of small products, or a few large ones.

    for lap in race(): ...                 # one lap for each length; sleeps between the measurements
    growth([lap.n ...], [lap.attention ...])

Both layers are computed as the rest of the project computes them, in float32, on as many cores as NumPy was given.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from attention_core.ops import softmax
from attention_core.rnn import RnnWeights, hidden_states, seeded_weights
from attention_core.sources import draw
from attention_core.trace import FloatArray

LENGTHS = (8, 16, 32, 64, 128, 256, 512, 1024)
WIDTH = 64  # d of both: the width of one head in the 2017 paper
REPEATS = 7  # the fastest counts: everything that disturbs only makes slower
LIMIT = 20.0  # seconds


@dataclass(frozen=True)
class Lap:
    """Seconds of one layer for a sentence of n words."""

    n: int
    rnn: float
    attention: float


def self_attention(x: FloatArray, W_Q: FloatArray, W_K: FloatArray, W_V: FloatArray) -> FloatArray:
    """One head (Vaswani et al. 2017, equation 1), nothing kept on the way. x: (n, d), W: (d, d). Returns (n, d)."""
    scores = (x @ W_Q) @ (x @ W_K).T / np.sqrt(np.float32(W_Q.shape[1]))  # (n, n)
    out: FloatArray = softmax(scores) @ (x @ W_V)  # (n, d)
    return out


def race(lengths: Sequence[int] = LENGTHS, *, width: int = WIDTH, limit: float = LIMIT) -> Iterator[Lap]:
    """A lap for each length, until `limit` seconds are over.

    Between two measurements it sleeps as long as the last one took, so that whoever shares the machine gets a turn.
    """
    started = time.perf_counter()
    weights = seeded_weights(width, width, gain=1, seed=0)
    narrow = RnnWeights(*(w.astype(np.float32) for w in (weights.W_x, weights.W_h, weights.b)))
    projections = [
        draw.xavier_uniform(width, width, (width, width), 0, "race", name).astype(np.float32) for name in "QKV"
    ]
    for n in lengths:
        x = (2 * draw.uniform((n, width), 0, "race", "x") - 1).astype(np.float32)
        rnn_time = fastest(lambda x=x: hidden_states(x, narrow))  # type: ignore[misc]
        attention_time = fastest(lambda x=x: self_attention(x, *projections))  # type: ignore[misc]
        yield Lap(n, rnn_time, attention_time)
        if time.perf_counter() - started > limit:
            return


def fastest(work: Callable[[], object], repeats: int = REPEATS) -> float:
    """Seconds of the fastest of so many runs; one more goes first, to warm up."""
    work()
    best = float("inf")
    for _ in range(repeats):
        start = time.perf_counter()
        work()
        took = time.perf_counter() - start
        best = min(best, took)
        time.sleep(took)
    return best


def growth(n: Sequence[float], seconds: Sequence[float]) -> float:
    """The slope of the straight line through the points on log axes: 1 = twice as long takes twice, 2 = four times.

    Least squares. ValueError: fewer than two different n.
    """
    x, y = np.log(np.asarray(n, dtype=np.float64)), np.log(np.asarray(seconds, dtype=np.float64))
    spread = x - x.mean()
    if not (spread @ spread) > 0:
        raise ValueError("a slope needs two different lengths")
    return float(spread @ y / (spread @ spread))

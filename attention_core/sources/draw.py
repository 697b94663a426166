"""Seeded random numbers that are the same on every machine, in every process and with every version of NumPy."""

from __future__ import annotations

import hashlib
import math

import numpy as np

from attention_core.trace import FloatArray


def uniform(shape: tuple[int, ...], seed: int, *names: str) -> FloatArray:
    """Numbers in [0, 1), float64, that depend on the seed and the names only.

    The names say what is drawn ("W_Q", a word's text), so that drawing one thing more never changes another.
    Python's hash() differs between processes, and NumPy may change its distributions between versions; a checksum and
    the raw output of a bit generator stay.
    """
    key = "\0".join((str(seed), *names)).encode("utf-8", "surrogatepass")
    generator = np.random.PCG64(int.from_bytes(hashlib.sha256(key).digest(), "little"))
    raw = generator.random_raw(math.prod(shape))  # 64 random bits each
    return ((raw >> np.uint64(11)) * 2.0**-53).reshape(shape)  # the top 53 bits fill a float64


def from_choices(choices: tuple[float, ...], shape: tuple[int, ...], seed: int, *names: str) -> FloatArray:
    """Each number one of `choices`, all equally likely; float64."""
    picks = (uniform(shape, seed, *names) * len(choices)).astype(np.intp)
    return np.array(choices, dtype=np.float64)[picks]


def xavier_uniform(n_in: int, n_out: int, shape: tuple[int, ...], seed: int, *names: str) -> FloatArray:
    """Numbers in +-sqrt(6 / (n_in + n_out)) (Glorot and Bengio 2010, equation 16), float64."""
    limit = math.sqrt(6 / (n_in + n_out))
    return (2 * uniform(shape, seed, *names) - 1) * limit

"""Numbers that describe an attention pattern in one glance."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from attention_core.trace import FloatArray


class Ranked(NamedTuple):
    """One entry of a ranked row. place counts the words, or the special tokens when `special` is True, from 0."""

    place: int
    weight: float
    special: bool


def entropy(attn_weights: ArrayLike) -> FloatArray:
    """How spread out each row is, in bits: -sum p log2 p (Shannon 1948, section 6), with 0 log 0 = 0.

    attn_weights: (..., n_k), rows sum to 1. Returns (...). H bits is as spread out as an even look at 2^H words:
    0 = one word only, 3 = as if 8 words had 1/8 each.
    """
    p = np.asarray(attn_weights, dtype=np.float64)  # (..., n_k)
    logs = np.log2(p, out=np.zeros_like(p), where=p > 0)  # (..., n_k)
    bits: FloatArray = np.abs(np.sum(p * logs, axis=-1))  # (...), abs instead of minus: no -0.0
    return bits


def sharpest_row(attn_weights: ArrayLike) -> int:
    """The query that looks hardest at one word: the row with the largest weight; the first such row on ties.

    attn_weights: (n_q, n_k), special tokens left out. Returns the row, from 0. ValueError when there is no row.
    """
    return int(np.argmax(np.max(np.asarray(attn_weights), axis=-1)))


def ranked(row: ArrayLike, special: ArrayLike = ()) -> tuple[Ranked, ...]:
    """A row's words, and its special tokens if given, from the largest weight to the smallest; ties in sentence order.

    row: (n_k,); special: (n_special,), placed after the words on ties.
    """
    entries = [Ranked(i, float(w), False) for i, w in enumerate(np.asarray(row))]
    entries += [Ranked(i, float(w), True) for i, w in enumerate(np.asarray(special))]
    return tuple(sorted(entries, key=lambda entry: -entry.weight))  # sorted() keeps the order of equal weights


class Peak(NamedTuple):
    """The largest weight of one head: its row and column, from 0."""

    row: int
    column: int
    weight: float


def peaks(attn_weights: ArrayLike) -> tuple[Peak, ...]:
    """The largest weight of every head, layer after layer; the first one in reading order on ties.

    attn_weights: (n_layers, n_heads, n_q, n_k), special tokens left out.
    """
    weights = np.asarray(attn_weights)
    n_q, n_k = weights.shape[-2:]
    flat = weights.reshape(-1, n_q * n_k)  # (n_layers * n_heads, n_q * n_k)
    places = flat.argmax(axis=-1)
    return tuple(
        Peak(int(place) // n_k, int(place) % n_k, float(row[place])) for place, row in zip(places, flat, strict=True)
    )

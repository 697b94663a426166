"""One picture's numbers: a head, or the mean of several, with special tokens shown or hidden."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from attention_core.trace import FloatArray, ReadOnlyArrays, WordAttention


@dataclass(frozen=True, eq=False)
class AttentionMap(ReadOnlyArrays):
    """Who looks at whom in one picture. A row of weights and its specials sum to 1.

    weights  (n, n)          rows look, columns are looked at
    special  (n, n_special)  weight on each special token; (n, 0) where they are hidden or there are none
    special_names            their names in column order
    removed  (n,)            what the hidden special tokens held before the rows were renormalised; 0 where shown
    """

    weights: FloatArray
    special: FloatArray
    special_names: tuple[str, ...]
    removed: FloatArray


def attention_map(
    attention: WordAttention, heads: Sequence[tuple[int, int]], *, show_special: bool = True
) -> AttentionMap:
    """The mean over `heads`, pairs of layer and head counted from 0.

    Hiding the special tokens renormalises each row to sum to 1; a row that holds nothing else (all of its weight was
    removed) stays 0. Raises ValueError: no heads; IndexError: a head that does not exist.
    """
    if not heads:
        raise ValueError("a picture needs at least one head")
    layer, head = np.array(heads).T
    weights = attention.weights[layer, head].mean(axis=0)  # (n, n)
    special = attention.special[layer, head].mean(axis=0)  # (n, n_special)
    if show_special:
        return AttentionMap(weights, special, attention.special_names, np.zeros(len(weights), dtype=weights.dtype))
    removed = special.sum(axis=1)  # (n,)
    return AttentionMap(_renormalised(weights), special[:, :0], (), removed)


def every_map(attention: WordAttention, *, show_special: bool = True) -> tuple[FloatArray, FloatArray]:
    """The weights (n_layers, n_heads, n, n) and special (n_layers, n_heads, n, n_special) of the maps of all heads.

    What `attention_map` gives for each head alone, at once.
    """
    if show_special:
        return attention.weights, attention.special
    return _renormalised(attention.weights), attention.special[..., :0]


def _renormalised(weights: FloatArray) -> FloatArray:
    """(..., n, n) with rows that sum to 1; a row of zeros stays."""
    kept = weights.sum(axis=-1, keepdims=True)  # (..., n, 1)
    renormalised: FloatArray = np.divide(weights, kept, out=np.zeros_like(weights), where=kept > 0)
    return renormalised

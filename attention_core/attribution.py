"""Two readings of attention that go beyond the raw weights of one head.

A weight says how much of a value vector is taken, not how large that vector is, nor what the layers below had already
mixed into it. `value_weighted` brings the first back in, `rollout` the second.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from attention_core.contributions import output_slices
from attention_core.trace import FloatArray, MultiHeadTrace

Span = tuple[int, int]


def rollout(attn_weights: ArrayLike) -> FloatArray:
    """How much of each input position reaches each position after every layer (Abnar and Zuidema 2020, section 3).

    attn_weights: (n_layers, n_heads, n, n), rows sum to 1. The heads of a layer are averaged, and the residual
    connection is given half of each row: A = (mean over heads + I) / 2. Returns (n_layers, n, n), the products
    A_l ... A_1; rows are positions after layer l, columns are positions of the input, and every row sums to 1.
    """
    weights = np.asarray(attn_weights, dtype=np.float64)
    n_layers, _, n, _ = weights.shape
    reached = np.empty((n_layers, n, n))
    before = np.eye(n)
    for layer, mixed in enumerate((weights.mean(axis=1) + np.eye(n)) / 2):
        before = mixed @ before  # (n, n)
        reached[layer] = before
    return reached


def value_weighted(trace: MultiHeadTrace, spans: Sequence[Span]) -> FloatArray:
    """The size of what each head adds to a query from each key (Kobayashi et al. 2020).

    The vector is alpha (x W_V + b_V) W_O of that head; its Euclidean length is returned instead of alpha alone. spans:
    the positions (start, stop) of each word, special tokens as words of their own. A word's vectors are summed
    over its pieces as a key, and the lengths averaged over its pieces as a query, as weights are.
    Returns (n_heads, n_words, n_words), in float64.
    """
    return np.array([_lengths(trace, [head], spans) for head in range(len(trace.W_Q))])


def value_weighted_together(trace: MultiHeadTrace, spans: Sequence[Span]) -> FloatArray:
    """The same for all heads of the layer together: the vectors are added before they are measured, so that what two
    heads do against each other cancels. Returns (n_words, n_words)."""
    return _lengths(trace, range(len(trace.W_Q)), spans)


def _lengths(trace: MultiHeadTrace, heads: Sequence[int], spans: Sequence[Span]) -> FloatArray:
    alpha = trace.attention.attn_weights[heads].astype(np.float64)  # (h, n_q, n_k)
    values = trace.attention.v[heads].astype(np.float64) @ output_slices(trace)[heads]  # (h, n_k, d_model)
    lengths = np.empty((alpha.shape[1], len(spans)))
    for key, (start, stop) in enumerate(
        spans
    ):  # one key word at a time: all at once would need n_q n_k d_model numbers
        added = np.einsum("hqk,hkd->qd", alpha[:, :, start:stop], values[:, start:stop])  # (n_q, d_model)
        lengths[:, key] = np.linalg.norm(added, axis=-1)
    return np.array([lengths[start:stop].mean(axis=0) for start, stop in spans])

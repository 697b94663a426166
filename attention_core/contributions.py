"""What each head adds to the output of multi-head attention, and what is left when some are switched off.

Concat W_O (Vaswani et al. 2017, section 3.2.2) is a sum over heads, each of which meets only its own rows W_O[i]:

    attn_out = sum over heads of z_i W_O[i], + b_O

Everything is in float64: the parts shall add up to the last decimal that a screen shows.
"""

from __future__ import annotations

from collections.abc import Collection

import numpy as np
from numpy.typing import ArrayLike

from attention_core.trace import FloatArray, MultiHeadTrace


def output_slices(trace: MultiHeadTrace) -> FloatArray:
    """W_O cut into the rows that meet each head: (n_heads, d_head, d_model)."""
    n_heads, _, d_head = trace.attention.z.shape
    slices: FloatArray = trace.W_O.astype(np.float64).reshape(n_heads, d_head, -1)
    return slices


def contributions(trace: MultiHeadTrace) -> FloatArray:
    """z_i W_O[i] of every head: (n_heads, n_q, d_model). Their sum and b_O are attn_out."""
    z = trace.attention.z.astype(np.float64)  # (n_heads, n_q, d_head)
    parts: FloatArray = z @ output_slices(trace)  # (n_heads, n_q, d_model)
    return parts


def sizes(vectors: ArrayLike) -> FloatArray:
    """The Euclidean length of every vector: (..., d_model) -> (...)."""
    lengths: FloatArray = np.linalg.norm(np.asarray(vectors, dtype=np.float64), axis=-1)
    return lengths


def running_sum(parts: FloatArray, bias: ArrayLike) -> FloatArray:
    """The sum after the first head, ..., after the last, and with the bias: (n_heads, ...) -> (n_heads + 1, ...)."""
    last = np.broadcast_to(np.asarray(bias, dtype=np.float64), parts.shape[1:])  # (...)
    total: FloatArray = np.cumsum(np.concatenate([parts, last[None]]), axis=0)
    return total


def output_without(parts: FloatArray, bias: ArrayLike, off: Collection[int]) -> FloatArray:
    """attn_out as it is when the heads in `off` (from 0) add nothing: (n_q, d_model). IndexError: no such head."""
    n_heads = len(parts)
    for head in off:
        if not 0 <= head < n_heads:
            raise IndexError(f"head {head} does not exist: there are {n_heads}, counted from 0")
    on = [head for head in range(n_heads) if head not in off]
    out: FloatArray = parts[on].sum(axis=0) + np.asarray(bias, dtype=np.float64)
    return out


def cosines(a: ArrayLike, b: ArrayLike) -> FloatArray:
    """The cosine of each pair of rows: (n, d) and (n, d) -> (n,); nan where a row is 0 and points nowhere."""
    x, y = np.asarray(a, dtype=np.float64), np.asarray(b, dtype=np.float64)
    lengths = sizes(x) * sizes(y)  # (n,)
    dots = np.sum(x * y, axis=-1)  # (n,)
    cosine = np.divide(dots, lengths, out=np.full_like(dots, np.nan), where=lengths > 0)
    clipped: FloatArray = np.clip(cosine, -1, 1)
    return clipped


def overlaps(attn_weights: ArrayLike) -> FloatArray:
    """How much weight two heads have in common: (n_heads, n_q, n_k) -> (n_heads, n_heads).

    For a query it is the sum over the keys of the smaller of the two weights (1 minus the total variation distance);
    the mean over the queries is returned. 1: the same map, 0: never a key in common.
    """
    weights = np.asarray(attn_weights, dtype=np.float64)
    shared: FloatArray = np.array([np.minimum(one, weights).sum(axis=-1).mean(axis=-1) for one in weights])
    return shared

"""What becomes of the words' vectors from layer to layer, and what would become of them without the residual."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from attention_core.attention import multi_head_attention
from attention_core.block import EncoderBlockWeights
from attention_core.contributions import cosines, sizes
from attention_core.ops import gelu, layer_norm, linear
from attention_core.trace import FloatArray, ReadOnlyArrays


@dataclass(frozen=True, eq=False)
class Journey(ReadOnlyArrays):
    """One position's vector on its way through all layers, n_layers + 1 of them with the first.

    length     (n_layers + 1,)  Euclidean
    to_start   (n_layers + 1,)  cosine to the vector that went into the first layer; to_start[0] is 1
    to_before  (n_layers,)      cosine of what comes out of a layer to what went into it
    """

    length: FloatArray
    to_start: FloatArray
    to_before: FloatArray


def journey(hidden: FloatArray, at: int) -> Journey:
    """Follow position `at` (from 0). hidden: (n_layers + 1, n, d_model). IndexError: no such position."""
    if not 0 <= at < hidden.shape[1]:
        raise IndexError(f"position {at} does not exist: there are {hidden.shape[1]}, counted from 0")
    way = hidden[:, at].astype(np.float64)  # (n_layers + 1, d_model)
    start = np.broadcast_to(way[0], way.shape)
    return Journey(length=sizes(way), to_start=cosines(way, start), to_before=cosines(way[:-1], way[1:]))


def mean_cosine(vectors: ArrayLike) -> FloatArray:
    """How alike the vectors of a sentence are: the mean cosine of all pairs of different rows.

    vectors: (..., n, d), n at least 2, no row all 0. Returns (...), 1 where all rows point the same way.
    ValueError: a single row has no other.
    """
    x = np.asarray(vectors, dtype=np.float64)
    n = x.shape[-2]
    if n < 2:
        raise ValueError(f"{n} vectors make no pair")
    unit = x / np.linalg.norm(x, axis=-1, keepdims=True)  # (..., n, d)
    pairs = unit @ np.swapaxes(unit, -1, -2)  # (..., n, n)
    mean: FloatArray = (pairs.sum(axis=(-1, -2)) - n) / (n * (n - 1))  # the diagonal holds n ones
    return mean


def without_residual(x: FloatArray, layers: Iterable[EncoderBlockWeights]) -> FloatArray:
    """The hidden states of encoder blocks whose residual connections are cut: LayerNorm(attention), LayerNorm(ffn).

    x: (n, d_model), what goes into the first layer. Returns (n_layers + 1, n, d_model) with x first. Attention mixes
    all rows again and again, and with nothing else beside it they become one (Dong, Cordonnier and Loukas 2021,
    "Attention is not all you need", theorem 2.1, where the feed-forward layers only slow this down).
    """
    hidden = [x]
    for w in layers:
        attn_out = multi_head_attention(hidden[-1], hidden[-1], w.multi_head).attn_out  # (n, d_model)
        norm_attn = layer_norm(attn_out, w.norm_attn_gain, w.norm_attn_bias, w.eps)  # (n, d_model), not x + attn_out
        ffn_out = linear(gelu(linear(norm_attn, w.W_1, w.b_1)), w.W_2, w.b_2)  # (n, d_model)
        hidden.append(layer_norm(ffn_out, w.norm_ffn_gain, w.norm_ffn_bias, w.eps))  # (n, d_model)
    return np.stack(hidden)

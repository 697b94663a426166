"""The fast pass through the encoder: the same numbers as `attention_core.block.encoder_block`, and nothing else kept.

Read `attention_core/block.py` first; a test compares the two in all layers. What is different here, and why:

- Positions are columns: an activation is (d, n), so that W x is one product with rows of W that lie one after the other
  in memory, and the heads of Q, K, V and the concatenation are views without a copy.
- Q, K and V are one product, and 1 / sqrt(d_head) is already in the weights of Q.
- Everything else happens in place. One pass must read all 85 MB of weights and little more.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from attention_core.sources.e5_weights import LayerWeights
from attention_core.trace import FloatArray

# OpenBLAS copies ("packs") both factors of a large product first and skips that for small ones, of at most this
# many multiplications. For a short sentence packing costs more than the product, so W is taken a few rows at a time.
SMALL_PRODUCT = 1_000_000
SHORT = 48  # positions; with more of them packing pays off
GELU_AT_ONCE = 24_576  # numbers per slice: the slice and its temporaries stay in the processor's cache

# 7.1.26: erfc(z) = (a5 t^5 + ... + a1 t) exp(-z^2) with t = 1 / (1 + 0.3275911 z), z = |x| / sqrt(2); half of it is
# needed. They are NumPy's own float32 numbers because Python's would be converted at every use.
POLYNOMIAL = tuple(np.float32(a / 2) for a in (1.061405429, -1.453152027, 1.421413741, -0.284496736, 0.254829592))
SLOPE = np.float32(0.3275911 / math.sqrt(2))
MINUS_HALF, ZERO, ONE = np.float32(-0.5), np.float32(0), np.float32(1)

Change: TypeAlias = Callable[[int, FloatArray], None]


def forward(
    x: FloatArray,
    layers: Sequence[LayerWeights],
    n_heads: int,
    eps: float,
    change: Change | None = None,
    mask: NDArray[np.bool_] | None = None,
) -> tuple[FloatArray, FloatArray]:
    """All layers. x: (n, d_model) float32, the first hidden state. change: given the place of a layer in `layers` and
    its attention weights (n_heads, n, n), may change these in place before they are used. mask: (n, n), True = may
    attend; None = all may.

    Returns hidden (n_layers + 1, n, d_model), whose row 0 is x and row l + 1 the output of layer l, and attn_weights
    (n_layers, n_heads, n, n), both float32.
    """
    n, d_model = x.shape
    d_ff = len(layers[0].b_1)
    d_head = d_model // n_heads
    hidden = np.empty((len(layers) + 1, n, d_model), dtype=np.float32)
    attn_weights = np.empty((len(layers), n_heads, n, n), dtype=np.float32)
    qkv = np.empty((3 * d_model, n), dtype=np.float32)
    concat = np.empty((d_model, n), dtype=np.float32)
    ffn = np.empty((d_ff, n), dtype=np.float32)

    hidden[0] = x
    columns = np.ascontiguousarray(x.T)  # (d_model, n)
    for layer, (w, weights) in enumerate(zip(layers, attn_weights, strict=True)):
        affine(w.W_qkv, columns, w.b_qkv, out=qkv)
        q, k, v = qkv.reshape(3, n_heads, d_head, n)  # each (n_heads, d_head, n)
        np.matmul(q.transpose(0, 2, 1), k, out=weights)  # (n_heads, n, n): scaled scores, rows are queries
        if mask is not None:
            weights[:, ~mask] = -np.inf
        softmax_in_place(weights)
        if change:
            change(layer, weights)
        z = concat.reshape(n_heads, d_head, n)
        np.matmul(v, weights.transpose(0, 2, 1), out=z)

        attended = affine(w.W_out, concat, w.b_out)  # (d_model, n)
        attended += columns
        layer_norm_in_place(attended, w.norm_attn_gain, w.norm_attn_bias, eps)

        affine(w.W_1, attended, w.b_1, out=ffn)
        gelu_in_place(ffn)
        columns = affine(w.W_2, ffn, w.b_2)  # (d_model, n)
        columns += attended
        layer_norm_in_place(columns, w.norm_ffn_gain, w.norm_ffn_bias, eps)
        hidden[layer + 1] = columns.T
    return hidden, attn_weights


def affine(W: FloatArray, x: FloatArray, b: FloatArray, out: FloatArray | None = None) -> FloatArray:
    """W x + b for columns x: (d_out, d_in), (d_in, n), (d_out,) -> (d_out, n)."""
    (d_out, d_in), n = W.shape, x.shape[1]
    y = np.empty((d_out, n), dtype=np.float32) if out is None else out
    rows = _rows_at_once(d_out, d_in, n)
    np.matmul(W.reshape(-1, rows, d_in), x, out=y.reshape(-1, rows, n))
    y += b[:, None]
    return y


def _rows_at_once(d_out: int, d_in: int, n: int) -> int:
    if n <= SHORT:
        for rows in (48, 24, 12):
            if d_out % rows == 0 and rows * d_in * n <= SMALL_PRODUCT:
                return rows
    return d_out


def softmax_in_place(scores: FloatArray) -> None:
    """Softmax over the last axis."""
    scores -= scores.max(axis=-1, keepdims=True)
    np.exp(scores, out=scores)
    scores /= scores.sum(axis=-1, keepdims=True)


def layer_norm_in_place(x: FloatArray, gain: FloatArray, bias: FloatArray, eps: float) -> None:
    """Layer norm of every column of x (d, n); the means are products with a row of 1/d, faster than sums here."""
    average = np.full(len(x), 1 / len(x), dtype=np.float32)  # (d,)
    x -= average @ x
    variance = average @ (x * x)  # (n,)
    x *= 1 / np.sqrt(variance + np.float32(eps))
    x *= gain[:, None]
    x += bias[:, None]


def gelu_in_place(x: FloatArray) -> None:
    """`attention_core.ops.gelu`, with the same formula (Abramowitz and Stegun 7.1.26), slice by slice."""
    numbers = x.reshape(-1)
    scratch = np.empty((3, min(numbers.size, GELU_AT_ONCE)), dtype=np.float32)
    for start in range(0, numbers.size, GELU_AT_ONCE):
        some = numbers[start : start + GELU_AT_ONCE]
        size, t, tail = scratch[:, : some.size]
        np.abs(some, out=size)
        np.multiply(size, SLOPE, out=t)
        t += ONE
        np.divide(ONE, t, out=t)
        np.multiply(t, POLYNOMIAL[0], out=tail)
        for coefficient in POLYNOMIAL[1:]:
            tail += coefficient
            tail *= t
        np.multiply(size, size, out=t)
        t *= MINUS_HALF
        np.exp(t, out=t)
        t *= size
        tail *= t  # |x| times the probability beyond |x|
        np.maximum(some, ZERO, out=some)
        some -= tail

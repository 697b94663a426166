"""The five functions that a Transformer block is made of. Every one keeps the dtype of its input."""

from __future__ import annotations

import math

import numpy as np

from attention_core.trace import FloatArray


def softmax(x: FloatArray, axis: int = -1) -> FloatArray:
    """Turn scores into weights that sum to 1 along `axis` (Vaswani et al. 2017, equation 1).

    x: any shape. Returns the same shape. -inf gets weight 0. The largest score is subtracted first: the result is
    the same, and exp can no longer overflow. A row with nothing but -inf (or with +inf or NaN) has no softmax:
    ValueError names it.
    """
    peak = np.max(x, axis=axis, keepdims=True)  # (..., 1, ...)
    if not np.isfinite(peak).all():
        row = tuple(int(i) for i in np.argwhere(~np.isfinite(np.squeeze(peak, axis)))[0])
        raise ValueError(f"softmax: row {row} (from 0) is all -inf, or holds +inf or NaN: it has no weights to give")
    e: FloatArray = np.exp(x - peak)  # same shape as x, largest value 1
    weights: FloatArray = e / np.sum(e, axis=axis, keepdims=True)  # same shape as x
    return weights


def layer_norm(x: FloatArray, gain: FloatArray, bias: FloatArray, eps: float) -> FloatArray:
    """Bring every row to mean 0 and variance 1, then scale and shift it (Ba, Kiros and Hinton 2016, equation 4).

    x: (..., d); gain and bias: (d,). Returns (..., d). eps keeps a constant row from dividing by 0.
    """
    centred: FloatArray = x - np.mean(x, axis=-1, keepdims=True)  # (..., d)
    variance: FloatArray = np.mean(centred * centred, axis=-1, keepdims=True)  # (..., 1), divided by d, not d - 1
    normed: FloatArray = centred / np.sqrt(variance + eps)  # (..., d)
    return normed * gain + bias  # (..., d)


def relu(x: FloatArray) -> FloatArray:
    """max(0, x), the activation of Vaswani et al. 2017, equation 2. Any shape, returns the same shape."""
    return np.maximum(x, 0)


def gelu(x: FloatArray) -> FloatArray:
    """x times the normal distribution function of x (Hendrycks and Gimpel 2016, section 2): BERT's activation.

    Any shape, returns the same shape. This is the erf form, not the tanh one; erf comes from Abramowitz and Stegun,
    formula 7.1.26, which keeps the whole function within 4e-7 of the exact value.
    """
    size = np.abs(x)
    t = 1 / (1 + 0.3275911 / math.sqrt(2) * size)  # in (0, 1]
    poly = t * (0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429))))
    return relu(x) - 0.5 * size * poly * np.exp(-0.5 * size * size)  # 0.5 * poly * exp(...) is the tail beyond |x|


def linear(x: FloatArray, W: FloatArray, b: FloatArray | None = None) -> FloatArray:
    """x W + b. x: (..., d_in), W: (d_in, d_out), b: (d_out,). Returns (..., d_out)."""
    y = x @ W  # (..., d_out)
    return y if b is None else y + b

"""Layer norm spelled out: what `attention_core.ops.layer_norm` does in one line, with every number on the way."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from attention_core.trace import FloatArray, ReadOnlyArrays, frozen


@dataclass(frozen=True, eq=False)
class LayerNormTrace(ReadOnlyArrays):
    """Layer norm of every row (Ba, Kiros and Hinton 2016, equation 4), in float64.

    x           (n, d_model)  what came in
    mean        (n,)          of each row
    variance    (n,)          of each row, divided by d_model, not d_model - 1
    centred     (n, d_model)  x - mean
    normalised  (n, d_model)  centred / sqrt(variance + eps): mean 0, variance 1
    gain, bias  (d_model,)    learned, the same for every row
    out         (n, d_model)  normalised * gain + bias
    """

    x: FloatArray
    mean: FloatArray
    variance: FloatArray
    centred: FloatArray
    normalised: FloatArray
    gain: FloatArray
    bias: FloatArray
    out: FloatArray


def layer_norm_trace(x: FloatArray, gain: FloatArray, bias: FloatArray, eps: float) -> LayerNormTrace:
    """The steps of `layer_norm`. x: (n, d_model); gain, bias: (d_model,); eps as there. ValueError: other shapes."""
    if x.ndim != 2 or gain.shape != (x.shape[1],) or bias.shape != gain.shape:
        raise ValueError(f"x {x.shape}, gain {gain.shape}, bias {bias.shape}; needed (n, d), (d,) and (d,)")
    x, gain, bias = (frozen(each.astype(np.float64)) for each in (x, gain, bias))
    mean = x.mean(axis=1)  # (n,)
    centred = x - mean[:, None]  # (n, d_model)
    variance = np.mean(centred * centred, axis=1)  # (n,)
    normalised = centred / np.sqrt(variance + eps)[:, None]  # (n, d_model)
    return LayerNormTrace(x, mean, variance, centred, normalised, gain, bias, normalised * gain + bias)

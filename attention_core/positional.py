"""Sinusoidal positions: attention alone cannot tell first from last, so every place gets a pattern of waves."""

from __future__ import annotations

import numpy as np

from attention_core.trace import FloatArray


def positional_encoding(n: int, d_model: int) -> FloatArray:
    """PE(pos, 2i) = sin(pos / 10000^(2i/d_model)), PE(pos, 2i+1) = cos(same) (Vaswani et al. 2017, section 3.5).

    Returns (n, d_model) float64, positions counted from 0. ValueError when d_model is odd (the waves come in pairs of
    sine and cosine), or when a size is negative.
    """
    if n < 0 or d_model < 0 or d_model % 2:
        raise ValueError(f"n = {n}, d_model = {d_model}; needed n >= 0 and an even d_model: waves come in pairs")
    pos = np.arange(n)[:, None]  # (n, 1)
    i = np.arange(d_model // 2)[None, :]  # (1, d_model / 2)
    angle = pos / 10000 ** (2 * i / d_model)  # (n, d_model / 2)
    return np.stack([np.sin(angle), np.cos(angle)], axis=-1).reshape(n, d_model)  # sin, cos, sin, cos, ...

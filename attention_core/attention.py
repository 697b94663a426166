"""Attention itself: softmax(Q K^T / sqrt(d_k)) V, for several heads at once (Vaswani et al. 2017, section 3.2)."""

from __future__ import annotations

import math
from dataclasses import dataclass, fields

import numpy as np
from numpy.typing import ArrayLike

from attention_core.ops import linear, softmax
from attention_core.trace import AttentionTrace, BoolArray, FloatArray, MultiHeadTrace, frozen


def scaled_dot_product_attention(
    q: ArrayLike, k: ArrayLike, v: ArrayLike, mask: BoolArray | None = None, scale: float | None = None
) -> AttentionTrace:
    """Attention of all heads, with every intermediate (Vaswani et al. 2017, section 3.2.1, equation 1).

    q: (n_heads, n_q, d_head); k: (n_heads, n_k, d_head); v: (n_heads, n_k, d_head), or wider or narrower than k.
    mask: (n_q, n_k) bool, True = may attend; None = everyone may attend to everyone.
    scale: what the scores are multiplied by, 1 / sqrt(d_head) unless given.
    Floats keep their dtype (float32 stays float32), whole numbers become float64.
    ValueError: shapes that do not fit, or a query whose mask row hides every key.
    """
    q, k, v = frozen(_floats("q", q)), frozen(_floats("k", k)), frozen(_floats("v", v))
    _check_qkv(q, k, v)
    mask = _checked_mask(mask, n_q=q.shape[1], n_k=k.shape[1])  # (n_q, n_k)
    if scale is None:
        scale = 1 / math.sqrt(q.shape[-1])
    scores = q @ k.transpose(0, 2, 1)  # (n_heads, n_q, n_k)
    scaled_scores = scores * float(scale)  # (n_heads, n_q, n_k); a Python float leaves float32 alone
    masked_scores = np.where(mask, scaled_scores, -np.inf)  # (n_heads, n_q, n_k)
    attn_weights = softmax(masked_scores)  # (n_heads, n_q, n_k), rows sum to 1
    z = attn_weights @ v  # (n_heads, n_q, d_head)
    return AttentionTrace(
        q=q,
        k=k,
        v=v,
        mask=mask,
        scores=scores,
        scaled_scores=scaled_scores,
        masked_scores=masked_scores,
        attn_weights=attn_weights,
        z=z,
    )


@dataclass(frozen=True, eq=False)
class MultiHeadWeights:
    """The learned numbers of one multi-head attention; read-only copies unless the arrays are read-only already.

    W_Q, W_K, W_V (n_heads, d_model, d_head) · b_Q, b_K, b_V (n_heads, d_head)
    W_O (n_heads * d_head, d_model) · b_O (d_model,)
    ValueError when the shapes do not fit W_Q's.
    """

    W_Q: FloatArray
    W_K: FloatArray
    W_V: FloatArray
    b_Q: FloatArray
    b_K: FloatArray
    b_V: FloatArray
    W_O: FloatArray
    b_O: FloatArray

    def __post_init__(self) -> None:
        for field in fields(self):
            object.__setattr__(self, field.name, frozen(_floats(field.name, getattr(self, field.name))))
        if self.W_Q.ndim != 3:
            raise ValueError(f"W_Q has shape {self.W_Q.shape}; needed (n_heads, d_model, d_head)")
        h, d_model, d_head = self.W_Q.shape
        needed: dict[str, tuple[int, ...]] = {"W_K": (h, d_model, d_head), "W_V": (h, d_model, d_head)}
        needed |= {"b_Q": (h, d_head), "b_K": (h, d_head), "b_V": (h, d_head)}
        needed |= {"W_O": (h * d_head, d_model), "b_O": (d_model,)}
        for name, shape in needed.items():
            if getattr(self, name).shape != shape:
                raise ValueError(f"{name} has shape {getattr(self, name).shape}; W_Q {self.W_Q.shape} needs {shape}")

    @classmethod
    def without_bias(cls, W_Q: ArrayLike, W_K: ArrayLike, W_V: ArrayLike, W_O: ArrayLike) -> MultiHeadWeights:
        """Weights whose biases are all 0, as in the paper's formulas."""
        W_Q, W_K = _floats("W_Q", W_Q), _floats("W_K", W_K)
        W_V, W_O = _floats("W_V", W_V), _floats("W_O", W_O)
        zero = np.zeros((W_Q.shape[0], W_Q.shape[-1]), W_Q.dtype)  # (n_heads, d_head)
        b_O = np.zeros(W_O.shape[-1], W_O.dtype)  # (d_model,)
        return cls(W_Q=W_Q, W_K=W_K, W_V=W_V, b_Q=zero, b_K=zero, b_V=zero, W_O=W_O, b_O=b_O)


def multi_head_attention(
    x_q: ArrayLike, x_kv: ArrayLike, weights: MultiHeadWeights, mask: BoolArray | None = None
) -> MultiHeadTrace:
    """Project, attend in every head, concatenate, project back (Vaswani et al. 2017, section 3.2.2).

    x_q: (n_q, d_model), the sequence that asks; x_kv: (n_k, d_model), the one that is asked; the same array for
    self-attention. mask: (n_q, n_k) bool, True = may attend. ValueError: shapes that do not fit, or a query whose mask
    row hides every key.
    """
    w = weights
    x_q, x_kv = frozen(_floats("x_q", x_q)), frozen(_floats("x_kv", x_kv))
    for name, x in (("x_q", x_q), ("x_kv", x_kv)):
        if x.ndim != 2 or x.shape[1] != w.W_Q.shape[1] or not len(x):
            raise ValueError(
                f"{name} has shape {x.shape}; needed (n, d_model) with n at least 1 and d_model = {w.W_Q.shape[1]}, "
                f"the width that W_Q {w.W_Q.shape} reads"
            )
    q = x_q @ w.W_Q + w.b_Q[:, None, :]  # (n_heads, n_q, d_head)
    k = x_kv @ w.W_K + w.b_K[:, None, :]  # (n_heads, n_k, d_head)
    v = x_kv @ w.W_V + w.b_V[:, None, :]  # (n_heads, n_k, d_head)
    attention = scaled_dot_product_attention(q, k, v, mask)
    concat = attention.z.transpose(1, 0, 2).reshape(len(x_q), -1)  # (n_q, n_heads * d_head)
    attn_out = linear(concat, w.W_O, w.b_O)  # (n_q, d_model)
    return MultiHeadTrace(
        x_q=x_q,
        x_kv=x_kv,
        W_Q=w.W_Q,
        W_K=w.W_K,
        W_V=w.W_V,
        b_Q=w.b_Q,
        b_K=w.b_K,
        b_V=w.b_V,
        attention=attention,
        concat=concat,
        W_O=w.W_O,
        b_O=w.b_O,
        attn_out=attn_out,
    )


def _floats(name: str, value: ArrayLike) -> FloatArray:
    """The argument as floats: whole numbers typed by hand are welcome, text and complex numbers are not."""
    array = np.asarray(value)
    if array.dtype.kind not in "fiu":
        raise ValueError(f"{name} must hold real numbers, not {array.dtype}")
    return array if array.dtype.kind == "f" else array.astype(np.float64)


def _check_qkv(q: FloatArray, k: FloatArray, v: FloatArray) -> None:
    for name, n, array in (("q", "n_q", q), ("k", "n_k", k), ("v", "n_k", v)):
        if array.ndim != 3 or 0 in array.shape:
            raise ValueError(
                f"{name} has shape {array.shape}; needed (n_heads, {n}, d_head), none of them 0. "
                f"A single head is {name}[None]"
            )
    if k.shape[0] != q.shape[0] or v.shape[0] != q.shape[0]:
        raise ValueError(f"q, k and v have {q.shape[0]}, {k.shape[0]} and {v.shape[0]} heads; needed the same number")
    if k.shape[2] != q.shape[2]:
        raise ValueError(f"k has d_head = {k.shape[2]}, q has {q.shape[2]}; a dot product needs the same width")
    if v.shape[1] != k.shape[1]:
        raise ValueError(f"v has {v.shape[1]} rows, k has {k.shape[1]}; needed one value for every key")


def _checked_mask(mask: BoolArray | None, n_q: int, n_k: int) -> BoolArray:
    """The mask as our own array (n_q, n_k); all True when there is none."""
    if mask is None:
        return np.ones((n_q, n_k), dtype=np.bool_)
    mask = np.array(mask)
    if mask.dtype != np.bool_:
        raise ValueError(f"mask must be boolean, True = may attend; given {mask.dtype}")
    if mask.shape != (n_q, n_k):
        raise ValueError(f"mask has shape {mask.shape}; needed (n_q, n_k) = ({n_q}, {n_k})")
    hidden = ~mask.any(axis=1)  # (n_q,)
    if hidden.any():
        row = int(np.argmax(hidden))
        raise ValueError(
            f"mask: row {row} (from 0) is all False: query {row} may attend to no key, so no weights exist"
        )
    return mask

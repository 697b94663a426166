"""The two blocks of a Transformer: attention and a feed-forward layer, each followed by residual and layer norm.

The encoder's block attends once, the decoder's twice: to its own past, then to the encoder.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from attention_core.attention import MultiHeadWeights, multi_head_attention
from attention_core.masks import causal_mask
from attention_core.ops import gelu, layer_norm, linear, relu
from attention_core.trace import BoolArray, DecoderBlockTrace, EncoderBlockTrace, FloatArray, frozen


@dataclass(frozen=True, eq=False)
class EncoderBlockWeights:
    """The learned numbers of one encoder block; read-only copies unless the arrays are read-only already.

    multi_head                      see MultiHeadWeights
    norm_attn_gain, norm_attn_bias  (d_model,)  layer norm after the attention
    W_1, b_1                        (d_model, d_ff), (d_ff,)     first linear map of the feed-forward layer
    W_2, b_2                        (d_ff, d_model), (d_model,)  second one
    norm_ffn_gain, norm_ffn_bias    (d_model,)  layer norm after the feed-forward layer
    eps                             added to the variance in both layer norms
    ValueError when the shapes do not fit together.
    """

    multi_head: MultiHeadWeights
    norm_attn_gain: FloatArray
    norm_attn_bias: FloatArray
    W_1: FloatArray
    b_1: FloatArray
    W_2: FloatArray
    b_2: FloatArray
    norm_ffn_gain: FloatArray
    norm_ffn_bias: FloatArray
    eps: float = 1e-5

    def __post_init__(self) -> None:
        _check_and_freeze(self, self.multi_head.W_Q.shape[1], norms=("norm_attn", "norm_ffn"))


@dataclass(frozen=True, eq=False)
class DecoderBlockWeights:
    """The learned numbers of one decoder block; read-only copies unless the arrays are read-only already.

    self_attention, cross_attention   see MultiHeadWeights; both read and write d_model
    norm_attn_gain, norm_attn_bias    (d_model,)  layer norm after the self-attention
    norm_cross_gain, norm_cross_bias  (d_model,)  layer norm after the cross-attention
    W_1, b_1, W_2, b_2, norm_ffn_gain, norm_ffn_bias, eps   as in EncoderBlockWeights
    ValueError when the shapes do not fit together.
    """

    self_attention: MultiHeadWeights
    cross_attention: MultiHeadWeights
    norm_attn_gain: FloatArray
    norm_attn_bias: FloatArray
    norm_cross_gain: FloatArray
    norm_cross_bias: FloatArray
    W_1: FloatArray
    b_1: FloatArray
    W_2: FloatArray
    b_2: FloatArray
    norm_ffn_gain: FloatArray
    norm_ffn_bias: FloatArray
    eps: float = 1e-5

    def __post_init__(self) -> None:
        d_model, d_cross = self.self_attention.W_Q.shape[1], self.cross_attention.W_Q.shape[1]
        if d_cross != d_model:
            raise ValueError(f"the cross-attention reads d_model = {d_cross}, the self-attention writes {d_model}")
        _check_and_freeze(self, d_model, norms=("norm_attn", "norm_cross", "norm_ffn"))


def _check_and_freeze(weights: EncoderBlockWeights | DecoderBlockWeights, d_model: int, norms: Sequence[str]) -> None:
    """Compare the shapes of layer norms and feed-forward layer with d_model, and make the arrays read-only."""
    d_ff = weights.W_1.shape[-1]
    needed: dict[str, tuple[int, ...]] = {f"{norm}_{part}": (d_model,) for norm in norms for part in ("gain", "bias")}
    needed |= {"W_1": (d_model, d_ff), "b_1": (d_ff,), "W_2": (d_ff, d_model), "b_2": (d_model,)}
    for name, shape in needed.items():
        array = getattr(weights, name)
        if array.shape != shape:
            raise ValueError(f"{name} has shape {array.shape}; needed {shape}, d_model = {d_model}, d_ff = {d_ff}")
        object.__setattr__(weights, name, frozen(array))


def encoder_block(
    x: ArrayLike,
    weights: EncoderBlockWeights,
    mask: BoolArray | None = None,
    activation: Callable[[FloatArray], FloatArray] = gelu,
) -> EncoderBlockTrace:
    """LayerNorm(x + attention), then LayerNorm(that + feed-forward) (Vaswani et al. 2017, sections 3.1 and 3.3).

    x: (n, d_model); mask: (n, n) bool, True = may attend. The paper's activation is relu (equation 2); BERT's is gelu,
    the default. The block's output is `norm_ffn`, (n, d_model). ValueError as in multi_head_attention.
    """
    w = weights
    multi_head = multi_head_attention(x, x, w.multi_head, mask)
    resid_attn = multi_head.x_q + multi_head.attn_out  # (n, d_model)
    norm_attn = layer_norm(resid_attn, w.norm_attn_gain, w.norm_attn_bias, w.eps)  # (n, d_model)
    ffn_pre = linear(norm_attn, w.W_1, w.b_1)  # (n, d_ff)
    ffn_act = activation(ffn_pre)  # (n, d_ff)
    ffn_out = linear(ffn_act, w.W_2, w.b_2)  # (n, d_model)
    resid_ffn = norm_attn + ffn_out  # (n, d_model)
    norm_ffn = layer_norm(resid_ffn, w.norm_ffn_gain, w.norm_ffn_bias, w.eps)  # (n, d_model)
    return EncoderBlockTrace(
        multi_head=multi_head,
        resid_attn=resid_attn,
        norm_attn=norm_attn,
        ffn_pre=ffn_pre,
        ffn_act=ffn_act,
        ffn_out=ffn_out,
        resid_ffn=resid_ffn,
        norm_ffn=norm_ffn,
    )


def decoder_block(
    x: ArrayLike,
    memory: ArrayLike,
    weights: DecoderBlockWeights,
    mask: BoolArray | None = None,
    memory_mask: BoolArray | None = None,
    activation: Callable[[FloatArray], FloatArray] = relu,
) -> DecoderBlockTrace:
    """Masked self-attention, cross-attention, feed-forward, Add & Norm after each (Vaswani et al. 2017, section 3.1).

    x: (n_q, d_model), the decoder's positions so far. memory: (n_k, d_model), the encoder's output: keys and values of
    the cross-attention come from it, the queries from the decoder (section 3.2.3).
    mask: (n_q, n_q) bool, True = may attend; None = `causal_mask`, no position sees a later one.
    memory_mask: (n_q, n_k) bool; None = every position of the encoder may be seen.
    The activation is the paper's (equation 2). The block's output is `norm_ffn`, (n_q, d_model).
    ValueError as in multi_head_attention.
    """
    w = weights
    if mask is None:
        mask = causal_mask(len(np.asarray(x)))  # (n_q, n_q)
    self_attention = multi_head_attention(x, x, w.self_attention, mask)
    resid_attn = self_attention.x_q + self_attention.attn_out  # (n_q, d_model)
    norm_attn = layer_norm(resid_attn, w.norm_attn_gain, w.norm_attn_bias, w.eps)  # (n_q, d_model)
    cross_attention = multi_head_attention(norm_attn, memory, w.cross_attention, memory_mask)
    resid_cross = norm_attn + cross_attention.attn_out  # (n_q, d_model)
    norm_cross = layer_norm(resid_cross, w.norm_cross_gain, w.norm_cross_bias, w.eps)  # (n_q, d_model)
    ffn_pre = linear(norm_cross, w.W_1, w.b_1)  # (n_q, d_ff)
    ffn_act = activation(ffn_pre)  # (n_q, d_ff)
    ffn_out = linear(ffn_act, w.W_2, w.b_2)  # (n_q, d_model)
    resid_ffn = norm_cross + ffn_out  # (n_q, d_model)
    norm_ffn = layer_norm(resid_ffn, w.norm_ffn_gain, w.norm_ffn_bias, w.eps)  # (n_q, d_model)
    return DecoderBlockTrace(
        self_attention=self_attention,
        resid_attn=resid_attn,
        norm_attn=norm_attn,
        cross_attention=cross_attention,
        resid_cross=resid_cross,
        norm_cross=norm_cross,
        ffn_pre=ffn_pre,
        ffn_act=ffn_act,
        ffn_out=ffn_out,
        resid_ffn=resid_ffn,
        norm_ffn=norm_ffn,
    )

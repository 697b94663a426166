"""One encoder block: attention, then a feed-forward layer, each followed by residual and layer norm."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from numpy.typing import ArrayLike

from attention_core.attention import MultiHeadWeights, multi_head_attention
from attention_core.ops import gelu, layer_norm, linear
from attention_core.trace import BoolArray, EncoderBlockTrace, FloatArray, frozen


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
        d_model = self.multi_head.W_Q.shape[1]
        d_ff = self.W_1.shape[-1]
        needed: dict[str, tuple[int, ...]] = {"norm_attn_gain": (d_model,), "norm_attn_bias": (d_model,)}
        needed |= {"W_1": (d_model, d_ff), "b_1": (d_ff,), "W_2": (d_ff, d_model), "b_2": (d_model,)}
        needed |= {"norm_ffn_gain": (d_model,), "norm_ffn_bias": (d_model,)}
        for name, shape in needed.items():
            array = getattr(self, name)
            if array.shape != shape:
                raise ValueError(f"{name} has shape {array.shape}; needed {shape}, d_model = {d_model}, d_ff = {d_ff}")
            object.__setattr__(self, name, frozen(array))


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

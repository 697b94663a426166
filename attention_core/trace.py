"""Traces: every intermediate of a computation, under the field's standard names, in the order of the lesson.

The shape table (heads first, no batch axis; rows are queries, columns are keys):

    x_q             (n_q, d_model)              the sequence that asks
    x_kv            (n_k, d_model)              the sequence that is asked (the same one in self-attention)
    W_Q, W_K, W_V   (n_heads, d_model, d_head)  projections, one slice per head
    b_Q, b_K, b_V   (n_heads, d_head)           their biases
    q               (n_heads, n_q, d_head)      x_q W_Q + b_Q
    k, v            (n_heads, n_k, d_head)      x_kv W_K + b_K, x_kv W_V + b_V
    mask            (n_q, n_k) bool             True = may attend
    scores          (n_heads, n_q, n_k)         Q K^T
    scaled_scores   (n_heads, n_q, n_k)         scores / sqrt(d_head)
    masked_scores   (n_heads, n_q, n_k)         scaled_scores, -inf where the mask is False
    attn_weights    (n_heads, n_q, n_k)         softmax over the keys; every row sums to 1
    z               (n_heads, n_q, d_head)      attn_weights V
    concat          (n_q, n_heads * d_head)     the heads side by side
    W_O             (n_heads * d_head, d_model) output projection, and its bias b_O (d_model,)
    attn_out        (n_q, d_model)              concat W_O + b_O

Arrays in a trace are read-only; two traces are compared array by array, never with `==`.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from attention_core.words.word import Word

FloatArray: TypeAlias = NDArray[np.floating]
BoolArray: TypeAlias = NDArray[np.bool_]


def frozen(array: FloatArray) -> FloatArray:
    """The same numbers where nobody can change them: the array itself if it is already safe, else a read-only copy.

    A read-only view of an array that its owner can still write to is not safe, hence the walk down to the owner.
    """
    owner: object = array
    while isinstance(owner, np.ndarray) and not owner.flags.writeable:
        owner = owner.base
    if not isinstance(owner, np.ndarray):
        return array
    copy = np.array(array)
    copy.setflags(write=False)
    return copy


class ReadOnlyArrays:
    """Gives a frozen dataclass read-only views of its arrays, so that a cached trace cannot be changed by one reader.

    A view does not stop whoever still holds the array below it. The functions of the core let go of the arrays that
    they compute, and put what a caller gave them (x_q, x_kv, q, k, v, mask, weights) through `frozen` first.
    """

    def __post_init__(self) -> None:
        for field in fields(self):  # type: ignore[arg-type]
            value = getattr(self, field.name)
            if isinstance(value, np.ndarray):
                view = value.view()
                view.setflags(write=False)
                object.__setattr__(self, field.name, view)


@dataclass(frozen=True, eq=False)
class AttentionTrace(ReadOnlyArrays):
    """Scaled dot-product attention of all heads (Vaswani et al. 2017, section 3.2.1, equation 1)."""

    q: FloatArray
    k: FloatArray
    v: FloatArray
    mask: BoolArray
    scores: FloatArray
    scaled_scores: FloatArray
    masked_scores: FloatArray
    attn_weights: FloatArray
    z: FloatArray


@dataclass(frozen=True, eq=False)
class MultiHeadTrace(ReadOnlyArrays):
    """Multi-head attention (Vaswani et al. 2017, section 3.2.2)."""

    x_q: FloatArray
    x_kv: FloatArray
    W_Q: FloatArray
    W_K: FloatArray
    W_V: FloatArray
    b_Q: FloatArray
    b_K: FloatArray
    b_V: FloatArray
    attention: AttentionTrace
    concat: FloatArray
    W_O: FloatArray
    b_O: FloatArray
    attn_out: FloatArray


@dataclass(frozen=True, eq=False)
class EncoderBlockTrace(ReadOnlyArrays):
    """One post-LN encoder block (Vaswani et al. 2017, section 3.1; BERT uses the same order).

    resid_attn, norm_attn  (n, d_model)  x + attn_out, and its layer norm
    ffn_pre, ffn_act       (n, d_ff)     the feed-forward layer before and after its activation
    ffn_out                (n, d_model)  second linear map
    resid_ffn, norm_ffn    (n, d_model)  norm_attn + ffn_out, and its layer norm: the block's output
    """

    multi_head: MultiHeadTrace
    resid_attn: FloatArray
    norm_attn: FloatArray
    ffn_pre: FloatArray
    ffn_act: FloatArray
    ffn_out: FloatArray
    resid_ffn: FloatArray
    norm_ffn: FloatArray


@dataclass(frozen=True, eq=False)
class DecoderBlockTrace(ReadOnlyArrays):
    """One post-LN decoder block (Vaswani et al. 2017, section 3.1 and figure 1, right).

    self_attention             the decoder's positions among themselves, each hidden from the later ones
    resid_attn, norm_attn      (n_q, d_model)  x + its attn_out, and the layer norm of that
    cross_attention            queries from norm_attn (n_q of them), keys and values from the encoder (n_k)
    resid_cross, norm_cross    (n_q, d_model)  norm_attn + its attn_out, and the layer norm of that
    ffn_pre, ffn_act, ffn_out  (n_q, d_ff), (n_q, d_ff), (n_q, d_model)  the feed-forward layer
    resid_ffn, norm_ffn        (n_q, d_model)  norm_cross + ffn_out, and its layer norm: the block's output
    """

    self_attention: MultiHeadTrace
    resid_attn: FloatArray
    norm_attn: FloatArray
    cross_attention: MultiHeadTrace
    resid_cross: FloatArray
    norm_cross: FloatArray
    ffn_pre: FloatArray
    ffn_act: FloatArray
    ffn_out: FloatArray
    resid_ffn: FloatArray
    norm_ffn: FloatArray


@dataclass(frozen=True, eq=False)
class WordAttention(ReadOnlyArrays):
    """Attention between the words of one sentence: what the explore page and the command line show.

    words          the sentence
    pieces         what the source computed on: model pieces with `<s>` and `</s>`, or the words themselves
    source         "real", "toy", "paper" or "vectors"
    trained        False: the weights are seeded random numbers and a screen must say so
    weights        (n_layers, n_heads, n_words, n_words), raw: a row and its specials sum to 1
    special        (n_layers, n_heads, n_words, n_special), the weight on each special token
    special_names  names of the special tokens in column order, e.g. ("<s>", "</s>"), or ()
    """

    words: tuple[Word, ...]
    pieces: tuple[str, ...]
    source: str
    trained: bool
    weights: FloatArray
    special: FloatArray
    special_names: tuple[str, ...]

    @property
    def n_layers(self) -> int:
        return int(self.weights.shape[0])

    @property
    def n_heads(self) -> int:
        return int(self.weights.shape[1])

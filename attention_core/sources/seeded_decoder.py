"""A decoder block that has learned nothing, at the real encoder's sizes, so that it can read what that encoder wrote.

The weights are drawn (Xavier-uniform, layer norms at 1 and 0, biases 0): shapes and steps are those of Vaswani et al.
2017, figure 1, while which word looks at which is an accident of the seed.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np

from attention_core.attention import MultiHeadWeights
from attention_core.block import DecoderBlockWeights, decoder_block
from attention_core.ops import linear, softmax
from attention_core.positional import positional_encoding
from attention_core.sources import SOURCES, draw
from attention_core.trace import BoolArray, DecoderBlockTrace, FloatArray, ReadOnlyArrays, frozen
from attention_core.words.pieces import END, START

D_MODEL, N_HEADS, D_HEAD = SOURCES["real"].d_model, SOURCES["real"].n_heads, SOURCES["real"].d_head
D_FF = 4 * D_MODEL
SEED = 0


@dataclass(frozen=True, eq=False)
class SeededDecoderTrace(ReadOnlyArrays):
    """From the words said so far to the probabilities of the next one; n_q = number of words + 1.

    inputs         the words moved right by one, `<s>` in front; expected: the words, `</s>` behind
    vocabulary     the different words and `</s>`: what can be said
    table          (n_vocabulary, d_model)  a row for each, drawn from its text
    embedded       (n_q, d_model)           rows of the inputs, times sqrt(d_model) (section 3.4)
    positions      (n_q, d_model)           sinusoidal; x = embedded + positions
    block          one decoder block
    logits         (n_q, n_vocabulary)      block.norm_ffn table^T: embedding and output share one table (section 3.4)
    probabilities  (n_q, n_vocabulary)      softmax of each row
    """

    inputs: tuple[str, ...]
    expected: tuple[str, ...]
    vocabulary: tuple[str, ...]
    table: FloatArray
    embedded: FloatArray
    positions: FloatArray
    x: FloatArray
    block: DecoderBlockTrace
    logits: FloatArray
    probabilities: FloatArray


def decode(words: Sequence[str], memory: FloatArray, memory_mask: BoolArray | None = None) -> SeededDecoderTrace:
    """The decoder on `words` with all of them given (teacher forcing), in float32.

    memory: (n_k, d_model), the encoder's output; memory_mask: (n_words + 1, n_k) bool, True = may attend.
    ValueError: no word, or shapes that do not fit.
    """
    if not words:
        raise ValueError("a decoder needs at least one word to say")
    vocabulary = (*dict.fromkeys(words), END)
    table = np.array([_row(word) for word in vocabulary])  # (n_vocabulary, d_model)
    inputs, expected = (START, *words), (*words, END)
    embedded = np.array([_row(word) for word in inputs]) * np.float32(math.sqrt(D_MODEL))  # (n_q, d_model)
    positions = positional_encoding(len(inputs), D_MODEL).astype(np.float32)  # (n_q, d_model)
    x = embedded + positions  # (n_q, d_model)
    block = decoder_block(x, memory, weights(), memory_mask=memory_mask)
    logits = linear(block.norm_ffn, table.T)  # (n_q, n_vocabulary)
    return SeededDecoderTrace(
        inputs=inputs,
        expected=expected,
        vocabulary=vocabulary,
        table=table,
        embedded=embedded,
        positions=positions,
        x=x,
        block=block,
        logits=logits,
        probabilities=softmax(logits),
    )


@cache  # 9 MB
def weights() -> DecoderBlockWeights:
    """One block, float32: W_Q, W_K, W_V, W_O of both attentions, W_1 (384, 1536) and W_2 (1536, 384)."""
    one, zero = np.ones(D_MODEL, np.float32), np.zeros(D_MODEL, np.float32)
    return DecoderBlockWeights(
        self_attention=_attention("self"),
        cross_attention=_attention("cross"),
        norm_attn_gain=one,
        norm_attn_bias=zero,
        norm_cross_gain=one,
        norm_cross_bias=zero,
        W_1=_drawn(D_MODEL, D_FF, "W_1"),
        b_1=np.zeros(D_FF, np.float32),
        W_2=_drawn(D_FF, D_MODEL, "W_2"),
        b_2=zero,
        norm_ffn_gain=one,
        norm_ffn_bias=zero,
    )


def _attention(name: str) -> MultiHeadWeights:
    W_Q, W_K, W_V = (
        _drawn(D_MODEL, D_MODEL, name, W).reshape(D_MODEL, N_HEADS, D_HEAD).transpose(1, 0, 2)
        for W in ("W_Q", "W_K", "W_V")
    )
    return MultiHeadWeights.without_bias(W_Q, W_K, W_V, _drawn(D_MODEL, D_MODEL, name, "W_O"))


def _drawn(n_in: int, n_out: int, *names: str) -> FloatArray:
    return frozen(draw.xavier_uniform(n_in, n_out, (n_in, n_out), SEED, "decoder", *names).astype(np.float32))


def _row(word: str) -> FloatArray:
    """A word's row of the table: uniform numbers with variance 1/d_model, hence of length about 1; float32."""
    half_width = math.sqrt(3 / D_MODEL)
    row: FloatArray = ((2 * draw.uniform((D_MODEL,), SEED, "decoder", "table", word) - 1) * half_width).astype(
        np.float32
    )
    return row

"""The real model: what a trained Transformer computes for the learner's sentence.

    run = load_model().run(words)          hidden states and all 144 heads, by the fast pass
    word_attention(run)                    the same at word level, for the screen
    layer_trace(run, 6)                    every intermediate of one layer, rebuilt when somebody looks at it

Layers and heads are counted from 0 here and from 1 on the screen.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from attention_core.attention import MultiHeadWeights
from attention_core.block import EncoderBlockWeights, encoder_block
from attention_core.ops import gelu, layer_norm
from attention_core.sources.e5_forward import forward
from attention_core.sources.e5_weights import E5Weights, load_weights, word_rows
from attention_core.trace import EncoderBlockTrace, FloatArray, ReadOnlyArrays, WordAttention
from attention_core.words.alignment import Alignment, align, word_level
from attention_core.words.pieces import END, START, split_words
from attention_core.words.word import Word


@dataclass(frozen=True, eq=False)
class EncoderRun(ReadOnlyArrays):
    """One sentence through the encoder; small enough to be cached (4 MB at 66 positions), read-only.

    words, pieces   the sentence, and the model's pieces of it between `<s>` and `</s>` (n of them)
    ids             (n,)                      the pieces' numbers in the model's full vocabulary
    alignment       which positions belong to which word
    hidden          (n_layers + 1, n, d_model)        hidden[l] goes into layer l, hidden[l + 1] comes out of it
    attn_weights    (n_layers, n_heads, n, n)         rows are queries and sum to 1
    """

    words: tuple[Word, ...]
    pieces: tuple[str, ...]
    ids: NDArray[np.int32]
    alignment: Alignment
    hidden: FloatArray
    attn_weights: FloatArray

    @property
    def nbytes(self) -> int:
        """Bytes of the arrays."""
        return self.ids.nbytes + self.hidden.nbytes + self.attn_weights.nbytes


@dataclass(frozen=True, eq=False)
class PieceEmbeddingTrace(ReadOnlyArrays):
    """The first hidden state and its parts, each (n, d_model): layer_norm(word + position + type)."""

    word: FloatArray
    position: FloatArray
    type: FloatArray
    summed: FloatArray
    normed: FloatArray


class Model:
    """multilingual-e5-small (Wang et al. 2024): 12 layers, 12 heads, d_model 384, d_head 32, d_ff 1536.

    Post-LN encoder blocks as in Vaswani et al. 2017, section 3.1, with BERT's learned positions and GELU
    (Devlin et al. 2019, section 3). Holds only read-only arrays: any number of threads may use one model.
    """

    def __init__(self, weights: E5Weights) -> None:
        self.weights = weights
        self.n_layers = len(weights.layers)
        self.n_heads = weights.n_heads
        self.d_model = int(weights.embedding.position.shape[1])
        self.d_head = self.d_model // self.n_heads

    def run(self, words: Sequence[Word]) -> EncoderRun:
        """The sentence through all layers. InputError as in `attention_core.words.pieces.split_words`."""
        of_words = split_words(words, self.weights.vocabulary)
        pieces = (START, *(piece for of_word in of_words for piece in of_word), END)
        ids = np.array([self.weights.vocabulary.ids[piece] for piece in pieces], dtype=np.int32)
        hidden, attn_weights = forward(self.embedding(ids).normed, self.weights.layers, self.n_heads, self.weights.eps)
        for array in (ids, hidden, attn_weights):
            array.setflags(write=False)
        return EncoderRun(
            words=tuple(words),
            pieces=pieces,
            ids=ids,
            alignment=align([len(of_word) for of_word in of_words]),
            hidden=hidden,
            attn_weights=attn_weights,
        )

    def embedding(self, ids: NDArray[np.int32]) -> PieceEmbeddingTrace:
        """Where the first hidden state of the pieces `ids` (n,) comes from. KeyError: an id that was not kept."""
        w = self.weights.embedding
        word = word_rows(w, ids)  # (n, d_model)
        position = w.position[: len(ids)]  # (n, d_model)
        kind = np.broadcast_to(w.type[0], word.shape)  # (n, d_model): every piece has type 0
        summed = word + position + kind  # (n, d_model)
        normed = layer_norm(summed, w.norm_gain, w.norm_bias, w.eps)  # (n, d_model)
        return PieceEmbeddingTrace(word=word, position=position, type=kind, summed=summed, normed=normed)

    def block_weights(self, layer: int) -> EncoderBlockWeights:
        """The weights of one layer (from 0) under the paper's names; IndexError outside.

        All are views of the model's own arrays but W_Q and b_Q, which are copies without the factor
        1 / sqrt(d_head) that the fast pass keeps in them.
        """
        if not 0 <= layer < self.n_layers:
            raise IndexError(f"layer {layer} does not exist: there are {self.n_layers}, counted from 0")
        w = self.weights.layers[layer]
        h, d, d_head = self.n_heads, self.d_model, self.d_head
        true_scale = np.float32(np.sqrt(d_head))
        W_Q, b_Q = w.W_qkv[:d] * true_scale, w.b_qkv[:d] * true_scale
        for copy in (W_Q, b_Q):
            copy.setflags(write=False)

        def per_head(W: FloatArray) -> FloatArray:
            return W.reshape(h, d_head, d).transpose(0, 2, 1)  # (d_out, d_in) -> (n_heads, d_model, d_head)

        multi_head = MultiHeadWeights(
            W_Q=per_head(W_Q),
            W_K=per_head(w.W_qkv[d : 2 * d]),
            W_V=per_head(w.W_qkv[2 * d :]),
            b_Q=b_Q.reshape(h, d_head),
            b_K=w.b_qkv[d : 2 * d].reshape(h, d_head),
            b_V=w.b_qkv[2 * d :].reshape(h, d_head),
            W_O=w.W_out.T,
            b_O=w.b_out,
        )
        return EncoderBlockWeights(
            multi_head=multi_head,
            norm_attn_gain=w.norm_attn_gain,
            norm_attn_bias=w.norm_attn_bias,
            W_1=w.W_1.T,
            b_1=w.b_1,
            W_2=w.W_2.T,
            b_2=w.b_2,
            norm_ffn_gain=w.norm_ffn_gain,
            norm_ffn_bias=w.norm_ffn_bias,
            eps=self.weights.eps,
        )

    def layer_trace(self, run: EncoderRun, layer: int) -> EncoderBlockTrace:
        """Every intermediate of one layer (from 0), recomputed by the readable `encoder_block`."""
        weights = self.block_weights(layer)
        return encoder_block(run.hidden[layer], weights, activation=gelu)


_model: Model | None = None
_loading = threading.Lock()


def load_model() -> Model:
    """The model, read from disk at the first call of the process; threads that come together wait for one load."""
    global _model
    if _model is None:
        with _loading:
            if _model is None:
                _model = Model(load_weights())
    return _model


def layer_trace(run: EncoderRun, layer: int) -> EncoderBlockTrace:
    """Every intermediate of one layer of the run, layers counted from 0. IndexError: no such layer."""
    return load_model().layer_trace(run, layer)


def word_attention(run: EncoderRun) -> WordAttention:
    """All heads of a run at word level: sum over the key word's pieces, mean over the query word's pieces."""
    weights, special = word_level(run.attn_weights, run.alignment)
    return WordAttention(
        words=run.words,
        pieces=run.pieces,
        source="real",
        trained=True,
        weights=weights,
        special=special,
        special_names=(START, END),
    )


def piece_attention(run: EncoderRun) -> WordAttention:
    """All heads of a run between its pieces, as the model computed them: each piece takes the place of a word."""
    n = len(run.pieces)
    return WordAttention(
        words=tuple(Word(piece) for piece in run.pieces[1:-1]),
        pieces=run.pieces,
        source="real",
        trained=True,
        weights=run.attn_weights[:, :, 1:-1, 1:-1],
        special=run.attn_weights[:, :, 1:-1, [0, n - 1]],
        special_names=(START, END),
    )


def attend(words: Sequence[Word]) -> WordAttention:
    """Real attention between the words of one sentence. InputError as in `split_words`."""
    return word_attention(load_model().run(words))

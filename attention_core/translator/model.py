"""The translator: what an encoder-decoder computes for a Chinese sentence and for an English one.

    model = load_translator()
    source = model.encode(words)               the sentence through the encoder
    target = model.read(source, pieces)        these English pieces through the decoder, all steps at once
    model.decoder_trace(target, layer)         every intermediate of one layer, rebuilt when somebody looks at it

Which pieces: decoding.py finds them, or a person gives them (teacher forcing). Step i reads the piece of step i - 1, at
first `<s>`, and produces piece i. Layers and heads are counted from 0 here and from 1 on the screen.
"""

from __future__ import annotations

import math
import threading
from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from attention_core.block import decoder_block, encoder_block
from attention_core.errors import InputError
from attention_core.ops import linear, relu, softmax
from attention_core.positional import positional_encoding
from attention_core.trace import DecoderBlockTrace, EncoderBlockTrace, FloatArray
from attention_core.translator import source_text
from attention_core.translator.runs import InputTrace, SourceRun, Spans, TargetRun
from attention_core.translator.target_text import END, START, UNKNOWN, target_pieces
from attention_core.translator.weights import TranslatorWeights, load_weights
from attention_core.words.limits import MAX_PIECES, check_characters
from attention_core.words.word import Word

MAX_STEPS = 100  # pieces of a translation, its end included


class Translator:
    """An encoder-decoder after Vaswani et al. 2017: post-LN blocks, ReLU, sinusoidal positions, one table for the
    target's input and output (section 3.4). Holds only read-only arrays: any number of threads may use one model.
    """

    def __init__(self, weights: TranslatorWeights) -> None:
        self.weights = weights
        self.vocabulary = weights.vocabulary
        self.n_layers = len(weights.encoder)
        self.n_heads, self.d_model, self.d_head = weights.encoder[0].multi_head.W_Q.shape
        self.d_ff = weights.encoder[0].W_1.shape[1]
        self.positions = positional_encoding(max(MAX_PIECES, MAX_STEPS), self.d_model).astype(np.float32)
        self.positions.setflags(write=False)

    def encode(self, words: Sequence[Word]) -> SourceRun:
        """The sentence through all layers. InputError: "empty", or "too_many_pieces"."""
        if not words:
            raise InputError("empty")
        ids = self.vocabulary.source_ids
        of_words = source_text.source_pieces(words, ids)
        pieces = tuple(piece for of_word in of_words for piece in of_word)
        if len(pieces) > MAX_PIECES:
            raise InputError("too_many_pieces", limit=MAX_PIECES, count=len(pieces))
        numbers = np.array([ids.get(piece, ids[source_text.UNKNOWN]) for piece in pieces], dtype=np.int32)
        hidden = [self.source_input(numbers).summed]  # (n, d_model)
        attn_weights = []
        for block in self.weights.encoder:
            trace = encoder_block(hidden[-1], block, activation=relu)
            hidden.append(trace.norm_ffn)
            attn_weights.append(trace.multi_head.attention.attn_weights)
        return SourceRun(
            words=tuple(words),
            pieces=pieces,
            spans=spans([len(of_word) for of_word in of_words]),
            unknown=np.array([piece not in ids for piece in pieces]),
            ids=numbers,
            hidden=np.stack(hidden),
            attn_weights=np.stack(attn_weights),
        )

    def read(self, source: SourceRun, pieces: Sequence[str], masked: bool = True) -> TargetRun:
        """All steps of producing `pieces`, given from outside: teacher forcing (Williams and Zipser 1989).

        masked: False lets every step see the later inputs too, also the very piece that it should produce: what the
        mask is there to prevent. InputError: "empty", "unknown_piece", or "too_many_pieces".
        """
        if not pieces:
            raise InputError("empty")
        if len(pieces) > MAX_STEPS:
            raise InputError("too_many_pieces", limit=MAX_STEPS, count=len(pieces))
        ids = self.target_numbers(pieces)
        start = self.vocabulary.target_ids[START]
        mask = None if masked else np.ones((len(ids), len(ids)), dtype=np.bool_)
        hidden = [self.target_input(np.array([start, *ids[:-1]], dtype=np.int32)).summed]  # (n, d_model)
        self_attention, cross_attention = [], []
        for block in self.weights.decoder:
            trace = decoder_block(hidden[-1], source.memory, block, mask)
            hidden.append(trace.norm_ffn)
            self_attention.append(trace.self_attention.attention.attn_weights)
            cross_attention.append(trace.cross_attention.attention.attn_weights)
        logits = self.logits(hidden[-1])  # (n, n_target)
        return TargetRun(
            source=source,
            inputs=(START, *pieces[:-1]),
            pieces=tuple(pieces),
            masked=masked,
            vocabulary=self.vocabulary.target,
            ids=ids,
            hidden=np.stack(hidden),
            self_attention=np.stack(self_attention),
            cross_attention=np.stack(cross_attention),
            logits=logits,
            probabilities=softmax(logits),
        )

    def target_numbers(self, pieces: Sequence[str]) -> NDArray[np.int32]:
        """(n,) ids of English pieces. InputError "unknown_piece": no such piece, or an end before the end."""
        ids = self.vocabulary.target_ids
        for place, piece in enumerate(pieces):
            if piece not in ids or piece == START or (piece == END and place < len(pieces) - 1):
                raise InputError("unknown_piece", piece=piece[:20])
        return np.array([ids[piece] for piece in pieces], dtype=np.int32)

    def reference_pieces(self, text: str) -> tuple[str, ...]:
        """The pieces of an English text and the end, for `read`; characters without a piece become `<unk>`.

        InputError: "too_many_characters", "empty" or "too_many_pieces".
        """
        check_characters(text)
        ids = self.vocabulary.target_ids
        pieces = [piece if piece in ids else UNKNOWN for piece in target_pieces(text, self.vocabulary.ranks)]
        if not pieces:
            raise InputError("empty")
        if len(pieces) + 1 > MAX_STEPS:
            raise InputError("too_many_pieces", limit=MAX_STEPS - 1, count=len(pieces))
        return (*pieces, END)

    def source_input(self, ids: NDArray[np.int32]) -> InputTrace:
        """What the encoder's first layer reads for these pieces."""
        return self._input(self.weights.source_embedding[ids])

    def target_input(self, ids: NDArray[np.int32]) -> InputTrace:
        """What the decoder's first layer reads for these pieces."""
        return self._input(self.weights.target_embedding[ids])

    def _input(self, embedding: FloatArray) -> InputTrace:
        scaled = embedding * math.sqrt(self.d_model)  # (n, d_model); a Python float leaves float32 alone
        position = self.positions[: len(embedding)]  # (n, d_model)
        return InputTrace(embedding=embedding, scaled=scaled, position=position, summed=scaled + position)

    def logits(self, hidden: FloatArray) -> FloatArray:
        """(n, d_model) -> (n, n_target): the last linear map."""
        return linear(hidden, self.weights.target_embedding.T, self.weights.out_bias)

    def encoder_trace(self, run: SourceRun, layer: int) -> EncoderBlockTrace:
        """Every intermediate of one encoder layer. IndexError: no such layer."""
        self._check_layer(layer)
        return encoder_block(run.hidden[layer], self.weights.encoder[layer], activation=relu)

    def decoder_trace(self, run: TargetRun, layer: int) -> DecoderBlockTrace:
        """Every intermediate of one decoder layer. IndexError: no such layer."""
        self._check_layer(layer)
        n = len(run.pieces)
        mask = None if run.masked else np.ones((n, n), dtype=np.bool_)
        return decoder_block(run.hidden[layer], run.source.memory, self.weights.decoder[layer], mask)

    def _check_layer(self, layer: int) -> None:
        if not 0 <= layer < self.n_layers:
            raise IndexError(f"layer {layer} does not exist: there are {self.n_layers}, counted from 0")


def spans(lengths: Sequence[int]) -> Spans:
    """Neighbouring spans of these lengths, from 0."""
    ends = np.cumsum([0, *lengths]).tolist()
    return tuple(pairwise(ends))


_model: Translator | None = None
_loading = threading.Lock()


def load_translator() -> Translator:
    """The model, read from disk at the first call of the process; threads that come together wait for one load."""
    global _model
    if _model is None:
        with _loading:
            if _model is None:
                _model = Translator(load_weights())
    return _model

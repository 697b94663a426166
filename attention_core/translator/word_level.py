"""From pieces to words on both sides: what the page and the command line show.

As in attention_core.words.alignment: the mean over the pieces of the word that looks, the sum over the pieces of the
word that is looked at. Rows that sum to 1 stay so.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from attention_core.trace import FloatArray, ReadOnlyArrays
from attention_core.translator.runs import Spans, TargetRun
from attention_core.translator.target_text import plain_text, word_spans


@dataclass(frozen=True, eq=False)
class TargetWords(ReadOnlyArrays):
    """A translation at word level. Layers and heads are not averaged.

    words            the English words that were produced, without the end
    spans            the steps that produced each word
    inputs           `<s>` and the English words that were read
    input_spans      the inputs of each of them
    cross_attention  (n_layers, n_heads, n_words, n_source_words)  row: the word being produced
    self_attention   (n_layers, n_heads, n_inputs, n_inputs)       row: the word just read, column: a word read before
    probabilities    (n_words,)                                    the product over the word's pieces
    """

    words: tuple[str, ...]
    spans: Spans
    inputs: tuple[str, ...]
    input_spans: Spans
    cross_attention: FloatArray
    self_attention: FloatArray
    probabilities: FloatArray


def fold(weights: FloatArray, queries: Spans, keys: Spans) -> FloatArray:
    """(..., n_q, n_k) between pieces -> (..., len(queries), len(keys)) between words."""
    of_words = np.stack([weights[..., start:stop, :].mean(axis=-2) for start, stop in queries], axis=-2)
    folded: FloatArray = np.stack([of_words[..., start:stop].sum(axis=-1) for start, stop in keys], axis=-1)
    return folded


def target_words(run: TargetRun) -> TargetWords:
    """The run between words. A run that ended at once has no word: its arrays have no rows."""
    produced = word_spans(run.text_pieces)
    read = [(0, 1), *((start + 1, stop + 1) for start, stop in word_spans(run.inputs[1:]))]
    cross = fold(run.cross_attention, tuple(produced), run.source.spans) if produced else _none(run)
    chosen = run.chosen
    return TargetWords(
        words=_texts(run.pieces, produced),
        spans=tuple(produced),
        inputs=(run.inputs[0], *_texts(run.inputs, read[1:])),
        input_spans=tuple(read),
        cross_attention=cross,
        self_attention=fold(run.self_attention, tuple(read), tuple(read)),
        probabilities=np.array([chosen[start:stop].prod() for start, stop in produced], dtype=np.float32),
    )


def source_attention(run: TargetRun) -> FloatArray:
    """(n_layers, n_heads, n_source_words, n_source_words): the encoder's self-attention between Chinese words."""
    return fold(run.source.attn_weights, run.source.spans, run.source.spans)


def _texts(pieces: Sequence[str], spans: Sequence[tuple[int, int]]) -> tuple[str, ...]:
    return tuple(plain_text(pieces[start:stop]) for start, stop in spans)


def _none(run: TargetRun) -> FloatArray:
    n_layers, n_heads = run.cross_attention.shape[:2]
    return np.empty((n_layers, n_heads, 0, len(run.source.words)), dtype=np.float32)

"""What the translator computed for one sentence, on either side: small enough to be cached, read-only."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from attention_core.trace import BoolArray, FloatArray, ReadOnlyArrays
from attention_core.translator.target_text import END, plain_text
from attention_core.words.word import Word

Spans = tuple[tuple[int, int], ...]  # for each word its pieces start..stop-1


@dataclass(frozen=True, eq=False)
class InputTrace(ReadOnlyArrays):
    """Where a position's first vector comes from, each (n, d_model) (Vaswani et al. 2017, sections 3.4 and 3.5).

    embedding  the piece's row of the table
    scaled     embedding times sqrt(d_model)
    position   the sinusoidal positions
    summed     scaled + position: what the first layer reads
    """

    embedding: FloatArray
    scaled: FloatArray
    position: FloatArray
    summed: FloatArray


@dataclass(frozen=True, eq=False)
class SourceRun(ReadOnlyArrays):
    """A Chinese sentence through the encoder.

    words, pieces   the sentence, and what the model reads: words that it knows, else characters (n of them)
    spans           the pieces of each word
    unknown         (n,) bool  True: the model has never seen this character and reads `<unk>`
    ids             (n,)
    hidden          (n_layers + 1, n, d_model)   hidden[l] goes into layer l; the last one is what the decoder sees
    attn_weights    (n_layers, n_heads, n, n)    rows are queries and sum to 1
    """

    words: tuple[Word, ...]
    pieces: tuple[str, ...]
    spans: Spans
    unknown: BoolArray
    ids: NDArray[np.int32]
    hidden: FloatArray
    attn_weights: FloatArray

    @property
    def memory(self) -> FloatArray:
        """(n, d_model): where the decoder's cross-attention takes its keys and values from."""
        last: FloatArray = self.hidden[-1]
        return last


@dataclass(frozen=True)
class Candidate:
    """One piece that could come next, and how probable the model finds it."""

    piece: str
    probability: float


@dataclass(frozen=True, eq=False)
class TargetRun(ReadOnlyArrays):
    """English pieces through the decoder: row i of everything is step i.

    inputs           (n,) pieces that are read: `<s>`, then all but the last of `pieces`
    pieces           (n,) pieces that are produced; `</s>` last where the translation has ended
    masked           False: every step saw all inputs, the later ones too
    ids              (n,)                                  of `pieces`
    hidden           (n_layers + 1, n, d_model)            hidden[l] goes into layer l
    self_attention   (n_layers, n_heads, n, n)             row: step, column: input
    cross_attention  (n_layers, n_heads, n, n_source)      row: step, column: piece of the source
    logits           (n, n_target)                         what the softmax reads
    probabilities    (n, n_target)                         rows sum to 1
    """

    source: SourceRun
    inputs: tuple[str, ...]
    pieces: tuple[str, ...]
    masked: bool
    vocabulary: tuple[str, ...]
    ids: NDArray[np.int32]
    hidden: FloatArray
    self_attention: FloatArray
    cross_attention: FloatArray
    logits: FloatArray
    probabilities: FloatArray

    @property
    def ended(self) -> bool:
        """Whether the last step produced `</s>`."""
        return self.pieces[-1] == END

    @property
    def text_pieces(self) -> tuple[str, ...]:
        """The pieces without the end."""
        return self.pieces[:-1] if self.ended else self.pieces

    @property
    def text(self) -> str:
        """The translation."""
        return plain_text(self.text_pieces)

    @property
    def chosen(self) -> FloatArray:
        """(n,): the probability of each produced piece."""
        probabilities: FloatArray = self.probabilities[np.arange(len(self.ids)), self.ids]
        return probabilities

    def candidates(self, step: int, count: int = 10) -> tuple[Candidate, ...]:
        """The most probable pieces of one step (from 0), best first."""
        row = self.probabilities[step]
        best = np.argsort(-row, kind="stable")[:count]
        return tuple(Candidate(self.vocabulary[number], float(row[number])) for number in best)

"""From piece level to word level: which positions belong to which word, and how their weights are joined.

A word that was cut into several pieces gives as much attention as one of its pieces gives on average, and receives
what all its pieces receive together (Clark et al. 2019, "What Does BERT Look At?", section 4.1). Rows that
sum to 1 over the pieces then sum to 1 over the words and the special tokens.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from attention_core.trace import FloatArray, ReadOnlyArrays


@dataclass(frozen=True)
class Alignment:
    """The positions of each word: word w is positions start..stop-1, with (start, stop) = spans[w].

    Position 0 is `<s>`, the last position is `</s>`; the words lie between them without a gap.
    """

    spans: tuple[tuple[int, int], ...]

    @property
    def n_words(self) -> int:
        return len(self.spans)

    @property
    def n_positions(self) -> int:
        return self.spans[-1][1] + 1


def align(pieces_per_word: Sequence[int]) -> Alignment:
    """The alignment of words that have so many pieces each (all >= 1), between `<s>` and `</s>`."""
    if not pieces_per_word or min(pieces_per_word) < 1:
        raise ValueError("every word needs at least one piece, and a sentence at least one word")
    spans = []
    start = 1  # position 0 is <s>
    for count in pieces_per_word:
        spans.append((start, start + count))
        start += count
    return Alignment(tuple(spans))


def membership(alignment: Alignment) -> FloatArray:
    """(n_positions, n_words): 1 where a position belongs to a word, 0 elsewhere; float32."""
    belongs = np.zeros((alignment.n_positions, alignment.n_words), dtype=np.float32)
    for word, (start, stop) in enumerate(alignment.spans):
        belongs[start:stop, word] = 1.0
    return belongs


def word_level(attn_weights: FloatArray, alignment: Alignment) -> tuple[FloatArray, FloatArray]:
    """Attention between words, and from words to the two special tokens.

    attn_weights: (..., n_positions, n_positions), rows are queries.
    Returns weights (..., n_words, n_words) and special (..., n_words, 2) for `<s>` and `</s>`;
    a row of both together sums to what the rows of attn_weights sum to, 1.
    """
    n_positions = alignment.n_positions
    if attn_weights.shape[-2:] != (n_positions, n_positions):
        raise ValueError(
            f"attn_weights end in {attn_weights.shape[-2:]}, but the alignment has {n_positions} positions"
        )
    keys = membership(alignment)  # (n_positions, n_words)
    queries = (keys / keys.sum(axis=0)).T  # (n_words, n_positions): every row averages over one word's pieces

    of_words = queries @ attn_weights  # (..., n_words, n_positions): mean over the query word's pieces
    weights = of_words @ keys  # (..., n_words, n_words): sum over the key word's pieces
    special = of_words[..., [0, n_positions - 1]]  # (..., n_words, 2): columns of their own
    return weights, special


@dataclass(frozen=True, eq=False)
class Folding(ReadOnlyArrays):
    """How the weight between two words follows from the weights between their pieces.

    pieces    (n_query_pieces, n_key_pieces)
    sums      (n_query_pieces,)  over the key word's pieces
    weight    the mean of the sums: what word_level computes for the two words
    """

    pieces: FloatArray
    sums: FloatArray
    weight: float


def folding(weights: FloatArray, query: tuple[int, int], key: tuple[int, int]) -> Folding:
    """Fold the piece-level `weights` (n, n) for words that are the rows and columns start..stop-1."""
    pieces = weights[slice(*query), slice(*key)]
    sums = pieces.sum(axis=1)
    return Folding(pieces, sums, float(sums.mean()))

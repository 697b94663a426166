"""How an untrained source makes X: words -> one-hot rows -> a table -> X, every step kept for the page to show."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from attention_core.trace import FloatArray, MultiHeadTrace, ReadOnlyArrays
from attention_core.words.word import Word


@dataclass(frozen=True, eq=False)
class EmbeddingTrace(ReadOnlyArrays):
    """From words to X. Whatever the embedding, a word's vector is its one-hot row times a table.

    vocabulary   the different words in the order of the sentence; n_vocabulary of them
    one_hot      (n, n_vocabulary)            row i has its 1 at word i's place in the vocabulary
    table        (n_vocabulary, d_model)      one row for each different word
    kinds        for each row of the table: "word", "characters" or "unknown" (see word_vectors.Lookup), or "seeded"
    vectors      (n_vocabulary, 75) or None   the real word vectors that the table was made from
    projection   (75, d_model) or None        how: vectors times projection, then rounded if the source rounds
    scale        float                        what the table's rows are multiplied by: sqrt(d_model) in the paper
    embedded     (n, d_model)                 one_hot table scale: equal words have equal rows
    positions    (n, d_model)                 positional encoding, all 0 when it is off
    x            (n, d_model)                 embedded + positions
    """

    vocabulary: tuple[str, ...]
    one_hot: FloatArray
    table: FloatArray
    kinds: tuple[str, ...]
    vectors: FloatArray | None
    projection: FloatArray | None
    scale: float
    embedded: FloatArray
    positions: FloatArray
    x: FloatArray


@dataclass(frozen=True, eq=False)
class SourceTrace(ReadOnlyArrays):
    """Everything that an untrained source computed for a sentence. x is embedding.x, (n, d_model)."""

    words: tuple[Word, ...]
    embedding: EmbeddingTrace
    x: FloatArray
    multi_head: MultiHeadTrace


@dataclass(frozen=True, eq=False)
class Table:
    """A table of word vectors and how it came about; the fields are those of EmbeddingTrace."""

    rows: FloatArray
    kinds: tuple[str, ...]
    vectors: FloatArray | None = None
    projection: FloatArray | None = None


def embed(
    words: Sequence[Word],
    make_table: Callable[[tuple[str, ...]], Table],
    positions: Callable[[int], FloatArray] | None = None,
    scale: float = 1.0,
) -> EmbeddingTrace:
    """X for a sentence. make_table: vocabulary -> its table; positions: n -> (n, d_model), None = off."""
    vocabulary = tuple(dict.fromkeys(word.text for word in words))
    table = make_table(vocabulary)  # rows (n_vocabulary, d_model)
    place = {text: i for i, text in enumerate(vocabulary)}
    one_hot = np.eye(len(vocabulary), dtype=table.rows.dtype)[[place[word.text] for word in words]]  # (n, n_vocabulary)
    embedded = one_hot @ table.rows * scale  # (n, d_model)
    added = np.zeros_like(embedded) if positions is None else positions(len(words)).astype(embedded.dtype)
    return EmbeddingTrace(
        vocabulary=vocabulary,
        one_hot=one_hot,
        table=table.rows,
        kinds=table.kinds,
        vectors=table.vectors,
        projection=table.projection,
        scale=scale,
        embedded=embedded,
        positions=added,
        x=embedded + added,
    )

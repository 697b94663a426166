"""The toy: two heads and numbers so small that a student can check the whole computation by hand.

Every number has one decimal, positions two. The weights are drawn, not learned: which word looks at which is an
accident of the seed. What the toy shows truly is the arithmetic.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from attention_core.attention import MultiHeadWeights, multi_head_attention
from attention_core.positional import positional_encoding
from attention_core.sources import SOURCES, Settings, draw
from attention_core.sources.source_trace import SourceTrace, Table, embed
from attention_core.sources.word_vectors import N_DIMENSIONS, lookup
from attention_core.trace import FloatArray
from attention_core.words.word import Word

HALVES = (-1.0, -0.5, 0.0, 0.5, 1.0)
TENTHS = tuple(i / 10 for i in range(-10, 11))
N_HEADS = SOURCES["toy"].n_heads


def trace(words: Sequence[Word], settings: Settings) -> SourceTrace:
    """Everything the toy computes, in float64, d_model 4, 6 or 8, d_head half of that. words: at least one."""
    embedding = embed(
        words,
        lambda vocabulary: table(vocabulary, settings),
        (lambda n: positional_encoding(n, settings.d_model).round(2)) if settings.positions else None,
    )
    multi_head = multi_head_attention(embedding.x, embedding.x, weights(settings))
    return SourceTrace(tuple(words), embedding, embedding.x, multi_head)


def weights(settings: Settings) -> MultiHeadWeights:
    """W_Q, W_K, W_V (2, d_model, d_model / 2) and W_O (d_model, d_model): -1, -0.5, 0, 0.5 or 1; biases 0."""
    d_model = settings.d_model
    shape = (N_HEADS, d_model, d_model // N_HEADS)
    return MultiHeadWeights.without_bias(
        W_Q=draw.from_choices(HALVES, shape, settings.seed, "toy", "W_Q"),
        W_K=draw.from_choices(HALVES, shape, settings.seed, "toy", "W_K"),
        W_V=draw.from_choices(HALVES, shape, settings.seed, "toy", "W_V"),
        W_O=draw.from_choices(HALVES, (d_model, d_model), settings.seed, "toy", "W_O"),
    )


def table(vocabulary: tuple[str, ...], settings: Settings) -> Table:
    """One row of d_model numbers for each different word.

    one_hot       -1 to 1 in steps of 0.5, drawn row by row; a row that another word has already is drawn again
    seeded        -1 to 1 in steps of 0.1, drawn from the word's text
    word_vectors  the first d_model of the real vector's 75 numbers, rounded to one decimal. They are principal
                  components, so these vary most; even so, four numbers keep little of a word's meaning
    """
    if settings.embedding == "word_vectors":
        found = [lookup(text) for text in vocabulary]
        vectors = np.array([one.vector for one in found], dtype=np.float64)  # (n_vocabulary, 75)
        projection = np.eye(N_DIMENSIONS, settings.d_model)  # (75, d_model), keeps the first d_model columns
        rows = (vectors @ projection).round(1) + 0.0  # (n_vocabulary, d_model); + 0.0 turns -0.0 into 0.0
        return Table(rows, tuple(one.kind for one in found), vectors, projection)
    if settings.embedding == "one_hot":
        return Table(_different_rows(len(vocabulary), settings), ("seeded",) * len(vocabulary))
    drawn = [draw.from_choices(TENTHS, (settings.d_model,), settings.seed, "toy", "word", text) for text in vocabulary]
    return Table(np.array(drawn), ("seeded",) * len(vocabulary))


def _different_rows(n: int, settings: Settings) -> FloatArray:
    """n different rows of HALVES, or of TENTHS when there are not nearly enough different ones."""
    d_model = settings.d_model
    choices = HALVES if 2 * n < len(HALVES) ** d_model else TENTHS
    rows: dict[tuple[float, ...], None] = {}
    attempt = 0
    while len(rows) < n:
        row = draw.from_choices(choices, (d_model,), settings.seed, "toy", "table", str(attempt))
        rows[tuple(row.tolist())] = None
        attempt += 1
    return np.array(list(rows))  # (n, d_model)

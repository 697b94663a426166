"""The paper's sizes: d_model 512, 8 heads of 64, scores divided by 8 (Vaswani et al. 2017, section 3.2.2).

Sizes and spread are those of the paper before training. The weights are drawn (Xavier-uniform) and have learned
nothing: which word looks at which is an accident of the seed, except that equal words have equal columns.

Why the spread is right: rows of the table have length about 1 and are multiplied by sqrt(512) as in section 3.4, so
that the numbers in X have variance about 1 and are not drowned by the positions (variance about 0.5). Xavier's limit
for a 512 x 512 matrix gives W variance 1/512, so q and k have variance about 1, their dot products over 64 numbers a
variance of about 64, and the scaled scores, divided by 8, about 1 (about 2 with positions): weights that differ, yet no
softmax that has collapsed to one word.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cache, lru_cache

import numpy as np

from attention_core.attention import MultiHeadWeights, multi_head_attention
from attention_core.positional import positional_encoding
from attention_core.sources import SOURCES, Settings, draw
from attention_core.sources.source_trace import SourceTrace, Table, embed
from attention_core.sources.word_vectors import N_DIMENSIONS, lookup
from attention_core.trace import FloatArray, frozen
from attention_core.words.word import Word

D_MODEL, N_HEADS, D_HEAD = SOURCES["paper"].d_model, SOURCES["paper"].n_heads, SOURCES["paper"].d_head
MEAN_LENGTH = 3.11  # root mean square length of the 12,000 word vectors


def trace(words: Sequence[Word], settings: Settings) -> SourceTrace:
    """Everything at the paper's sizes, in float32. words: at least one."""
    embedding = embed(
        words,
        lambda vocabulary: table(vocabulary, settings),
        (lambda n: positional_encoding(n, D_MODEL)) if settings.positions else None,
        scale=math.sqrt(D_MODEL),
    )
    multi_head = multi_head_attention(embedding.x, embedding.x, weights(settings.seed))
    return SourceTrace(tuple(words), embedding, embedding.x, multi_head)


@lru_cache(maxsize=4)  # 4 MB each
def weights(seed: int) -> MultiHeadWeights:
    """W_Q, W_K, W_V (8, 512, 64) and W_O (512, 512), Xavier-uniform as four matrices 512 x 512; biases 0. float32."""
    shape = (N_HEADS, D_MODEL, D_HEAD)
    return MultiHeadWeights.without_bias(
        W_Q=draw.xavier_uniform(D_MODEL, D_MODEL, shape, seed, "paper", "W_Q").astype(np.float32),
        W_K=draw.xavier_uniform(D_MODEL, D_MODEL, shape, seed, "paper", "W_K").astype(np.float32),
        W_V=draw.xavier_uniform(D_MODEL, D_MODEL, shape, seed, "paper", "W_V").astype(np.float32),
        W_O=draw.xavier_uniform(D_MODEL, D_MODEL, (D_MODEL, D_MODEL), seed, "paper", "W_O").astype(np.float32),
    )


def table(vocabulary: tuple[str, ...], settings: Settings) -> Table:
    """One row of 512 numbers for each different word, of length about 1, float32.

    one_hot       drawn, one row after another in the order of the sentence
    seeded        drawn from the word's text
    word_vectors  the real vector divided by 3.11 (the usual length) times a drawn matrix (75, 512), which keeps lengths
                  and angles nearly as they were: similar words stay similar. The matrix is the same for every seed
    """
    n, seed = len(vocabulary), settings.seed
    if settings.embedding == "word_vectors":
        found = [lookup(text) for text in vocabulary]
        vectors = np.array([one.vector for one in found])  # (n_vocabulary, 75)
        matrix = projection()  # (75, 512)
        return Table(vectors @ matrix, tuple(one.kind for one in found), vectors, matrix)
    if settings.embedding == "one_hot":
        return Table(_rows((n, D_MODEL), seed, "table"), ("seeded",) * n)
    return Table(np.array([_rows((D_MODEL,), seed, "word", text) for text in vocabulary]), ("seeded",) * n)


@cache
def projection() -> FloatArray:
    """The one matrix (75, 512), float32, that brings word vectors to the paper's width."""
    return frozen(_rows((N_DIMENSIONS, D_MODEL), 0, "projection") / np.float32(MEAN_LENGTH))


def _rows(shape: tuple[int, ...], seed: int, *names: str) -> FloatArray:
    """Rows of 512 uniform numbers with variance 1/512 (half-width sqrt(3/512)), hence of length about 1; float32."""
    half_width = math.sqrt(3 / D_MODEL)
    return ((2 * draw.uniform(shape, seed, "paper", *names) - 1) * half_width).astype(np.float32)

"""Word vectors themselves: one head of width 75, softmax(X X^T / sqrt(75)), no training at all.

With W = I a word looks most at itself and at similar words, whatever the sentence says: 它 has the same row whether the
cat is full or the milk is cold. That limit is the reason why W_Q and W_K are learned.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from attention_core.attention import MultiHeadWeights, multi_head_attention
from attention_core.sources import Settings, draw
from attention_core.sources.source_trace import SourceTrace, Table, embed
from attention_core.sources.word_vectors import N_DIMENSIONS, lookup
from attention_core.words.word import Word


def trace(words: Sequence[Word], settings: Settings) -> SourceTrace:
    """Everything for one head with d_model = d_head = 75, in float32, without positions. words: at least one."""
    embedding = embed(words, table)
    multi_head = multi_head_attention(embedding.x, embedding.x, weights(settings))
    return SourceTrace(tuple(words), embedding, embedding.x, multi_head)


def weights(settings: Settings) -> MultiHeadWeights:
    """W_Q, W_K, W_V (1, 75, 75) and W_O (75, 75): the identity, or Xavier-uniform numbers; biases 0. float32."""
    n = N_DIMENSIONS
    if settings.projection == "identity":
        identity = np.eye(n, dtype=np.float32)
        return MultiHeadWeights.without_bias(identity[None], identity[None], identity[None], identity)
    drawn = {
        name: draw.xavier_uniform(n, n, (n, n), settings.seed, "vectors", name).astype(np.float32)
        for name in ("W_Q", "W_K", "W_V", "W_O")
    }
    return MultiHeadWeights.without_bias(drawn["W_Q"][None], drawn["W_K"][None], drawn["W_V"][None], drawn["W_O"])


def table(vocabulary: tuple[str, ...]) -> Table:
    """The real vector of each different word, (n_vocabulary, 75) float32."""
    found = [lookup(text) for text in vocabulary]
    rows = np.array([one.vector for one in found])
    return Table(rows, tuple(one.kind for one in found), vectors=rows)

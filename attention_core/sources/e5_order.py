"""The real model on a sentence whose words stand in another order, with and without its positions.

Without positions a Transformer's encoder is permutation-equivariant: the same rows come out, only in the new order.
That is why Vaswani et al. 2017, section 3.5, add positions to the embeddings.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from attention_core.contributions import cosines
from attention_core.ops import layer_norm
from attention_core.sources.e5 import EncoderRun, Model
from attention_core.sources.e5_forward import forward
from attention_core.trace import FloatArray, ReadOnlyArrays


@dataclass(frozen=True, eq=False)
class OrderTrace(ReadOnlyArrays):
    """One sentence in two orders, n pieces each.

    places   (n,)          places[i] is where the piece at position i of the new order stood before
    before   (n, d_model)  last hidden states of the sentence as it is
    after    (n, d_model)  those of the new order, in the new order
    cosine   (n,)          after[i] against before[places[i]]: the same piece in both orders
    largest  float         the largest difference of any number of the same piece
    """

    places: NDArray[np.intp]
    before: FloatArray
    after: FloatArray
    cosine: FloatArray
    largest: float


def piece_places(spans: Sequence[tuple[int, int]], order: Sequence[int], n: int) -> NDArray[np.intp]:
    """Where the pieces of reordered words stood: (n,). `<s>` and `</s>` stay, a word's pieces keep their order.

    spans: the positions of each word, first and one past the last; order: the words (from 0) in their new order.
    ValueError: not an order of all words.
    """
    if sorted(order) != list(range(len(spans))):
        raise ValueError(f"{list(order)} is no order of {len(spans)} words")
    inner = [position for word in order for position in range(*spans[word])]
    return np.array([0, *inner, n - 1], dtype=np.intp)


def order_trace(model: Model, run: EncoderRun, order: Sequence[int], *, positions: bool) -> OrderTrace:
    """All layers on the sentence of `run` and on its words in `order`. ValueError as in piece_places."""
    places = piece_places(run.alignment.spans, order, len(run.pieces))
    before, after = (_last_hidden(model, ids, positions) for ids in (run.ids, run.ids[places]))  # (n, d_model)
    moved = before[places]
    return OrderTrace(places, before, after, cosines(moved, after), float(np.abs(moved - after).max()))


def _last_hidden(model: Model, ids: NDArray[np.int32], positions: bool) -> FloatArray:
    w = model.weights.embedding
    parts = model.embedding(ids)
    x = parts.normed
    if not positions:
        x = layer_norm(parts.word + parts.type, w.norm_gain, w.norm_bias, w.eps)  # (n, d_model)
    hidden, _ = forward(x, model.weights.layers, model.n_heads, model.weights.eps)
    last: FloatArray = hidden[-1]
    return last

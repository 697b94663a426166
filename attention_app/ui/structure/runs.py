"""What the panels compute, once for a class that looks at the same sentence: read-only and bounded."""

from __future__ import annotations

from collections.abc import Callable
from threading import Condition
from typing import Any

import numpy as np
import streamlit as st
from cachetools import LRUCache, cached

from attention_app.ui import cache, shared
from attention_core.depth import mean_cosine, without_residual
from attention_core.masks import padding_mask
from attention_core.sources.e5 import layer_trace, load_model
from attention_core.sources.e5_batch import PaddedTrace, padded_batch
from attention_core.sources.e5_order import OrderTrace, order_trace
from attention_core.sources.seeded_decoder import SeededDecoderTrace, decode
from attention_core.trace import BoolArray, EncoderBlockTrace, FloatArray
from attention_core.words import Word

BYTES = 32 * 2**20  # of each kind; a block at the limits (130 positions) holds about 8 MB
Words = tuple[Word, ...]


class _Runs:
    def __init__(self) -> None:
        self.block = _kept(lambda words, layer: layer_trace(cache.encoder_run(words), layer), shared.real_bytes)
        self.alike = _kept(_alike)
        self.order = _kept(
            lambda words, order, positions: order_trace(
                load_model(), cache.encoder_run(words), order, positions=positions
            )
        )
        self.batch = _kept(
            lambda words, second, causal: padded_batch(
                load_model(), (cache.encoder_run(words), cache.encoder_run(second)), causal=causal
            )
        )

        self.decoder = _kept(
            lambda words, target: decode([word.text for word in target], cache.encoder_run(words).hidden[-1])
        )
        self.cross = _kept(_cross)


def _kept(make: Callable[..., object], size: Callable[[object], int] = shared.own_bytes) -> Any:
    """`make` with its results kept, which nobody can write to; later visitors wait for the first one's result."""
    results: LRUCache[object, object] = LRUCache(BYTES, getsizeof=size)
    return cached(results, condition=Condition())(lambda *asked: shared.closed(make(*asked)))


def _alike(words: Words) -> tuple[FloatArray, FloatArray]:
    hidden = cache.encoder_run(words).hidden
    model = load_model()
    cut = without_residual(hidden[0], (model.block_weights(layer) for layer in range(model.n_layers)))
    return mean_cosine(hidden), mean_cosine(cut)


def _cross(words: Words, second: Words, target: Words) -> tuple[SeededDecoderTrace, BoolArray]:
    runs = [cache.encoder_run(each) for each in (words, second)]
    n = max(len(run.pieces) for run in runs)
    shorter = min(runs, key=lambda run: len(run.pieces)).hidden[-1]
    memory = np.zeros((n, shorter.shape[1]), shorter.dtype)  # what stands in the padding does not matter
    memory[: len(shorter)] = shorter
    mask = padding_mask(len(shorter), n, n_q=len(target) + 1)
    return decode([word.text for word in target], memory, mask), mask


@st.cache_resource(show_spinner=False)
def _runs() -> _Runs:
    return _Runs()


def block(words: Words, layer: int) -> EncoderBlockTrace:
    """Every intermediate of one block (from 0) of the real model."""
    result: EncoderBlockTrace = _runs().block(words, layer)
    return result


def alike(words: Words) -> tuple[FloatArray, FloatArray]:
    """The mean cosine of all pairs of positions, after 0 to 12 blocks: as the model is, and without its residuals."""
    result: tuple[FloatArray, FloatArray] = _runs().alike(words)
    return result


def order(words: Words, new: tuple[int, ...], *, positions: bool) -> OrderTrace:
    """The real model on the words in a new order."""
    result: OrderTrace = _runs().order(words, new, positions)
    return result


def batch(words: Words, second: Words, *, causal: bool) -> tuple[PaddedTrace, PaddedTrace]:
    """Both sentences in one padded batch."""
    result: tuple[PaddedTrace, PaddedTrace] = _runs().batch(words, second, causal)
    return result


def decoder(words: Words, target: Words) -> SeededDecoderTrace:
    """The untrained decoder saying `target` after the real encoder has read `words`."""
    result: SeededDecoderTrace = _runs().decoder(words, target)
    return result


def cross(words: Words, second: Words, target: Words) -> tuple[SeededDecoderTrace, BoolArray]:
    """The decoder after the shorter of two sentences of one batch, and the mask (n_q, n) that hides its padding."""
    result: tuple[SeededDecoderTrace, BoolArray] = _runs().cross(words, second, target)
    return result

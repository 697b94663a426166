"""Translations shared by all sessions: read-only, bounded in bytes, computed once for a class."""

from __future__ import annotations

from threading import Condition

import numpy as np
import streamlit as st
from cachetools import LRUCache, cached

from attention_core.trace import DecoderBlockTrace, MultiHeadTrace
from attention_core.translator import Hypothesis, SourceRun, TargetRun, load_translator, search
from attention_core.words import Word

Words = tuple[Word, ...]
Pieces = tuple[str, ...]
SOURCES = 64  # sentences through the encoder; one at the limits holds about 1.5 MB
FOUND = 512  # translations as text
RUN_BYTES = 48 * 2**20  # a run of 100 steps holds about 5 MB
LAYER_BYTES = 16 * 2**20


class _Runs:
    def __init__(self) -> None:
        # The condition makes later visitors wait for the first one's result instead of computing it again.
        sources: LRUCache[object, SourceRun] = LRUCache(SOURCES)
        self.source = cached(sources, condition=Condition())(lambda words: load_translator().encode(words))
        found: LRUCache[object, Hypothesis] = LRUCache(FOUND)
        self.found = cached(found, condition=Condition())(
            lambda words, width, prefix: search(load_translator(), self.source(words), width, prefix)
        )
        runs: LRUCache[object, TargetRun] = LRUCache(RUN_BYTES, getsizeof=n_bytes)
        self.run = cached(runs, condition=Condition())(
            lambda words, pieces, masked: load_translator().read(self.source(words), pieces, masked)
        )
        layers: LRUCache[object, DecoderBlockTrace] = LRUCache(LAYER_BYTES, getsizeof=n_bytes)
        self.layer = cached(layers, condition=Condition())(
            lambda words, pieces, layer: load_translator().decoder_trace(self.run(words, pieces, True), layer)
        )


def n_bytes(trace: object) -> int:
    """The bytes of a trace's own arrays, those of the traces in it included."""
    total = 0
    for part in vars(trace).values():
        if isinstance(part, np.ndarray):
            total += part.nbytes
        elif isinstance(part, MultiHeadTrace):
            total += n_bytes(part) + n_bytes(part.attention)
    return total


@st.cache_resource(show_spinner=False)
def _runs() -> _Runs:
    return _Runs()


def source(words: Words) -> SourceRun:
    """The sentence through the encoder. InputError: it has too many pieces."""
    return _runs().source(words)


def found(words: Words, width: int, prefix: Pieces) -> Hypothesis:
    """What `attention_core.translator.search` finds. InputError: the prefix holds what the model cannot say."""
    return _runs().found(words, width, prefix)


def run(words: Words, pieces: Pieces, *, masked: bool = True) -> TargetRun:
    """These pieces through the decoder, all steps at once."""
    return _runs().run(words, pieces, masked)


def decoder_layer(words: Words, pieces: Pieces, layer: int) -> DecoderBlockTrace:
    """Every intermediate of one decoder layer (from 0)."""
    return _runs().layer(words, pieces, layer)

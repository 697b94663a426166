"""Model runs shared by all sessions: read-only, bounded in bytes, computed once for a class that types one sentence."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from threading import Condition, Lock

import numpy as np
import streamlit as st
from cachetools import LRUCache, cached

from attention_app.figures import thumbnails
from attention_app.figures.thumbnails import SmallMaps
from attention_app.ui import shared
from attention_core import changes
from attention_core.attend import TRACES, attend
from attention_core.changes import Changes
from attention_core.learn.replay import Replay, replay
from attention_core.learn.settings import LearnSettings
from attention_core.learn.tasks import Typed
from attention_core.learn.training import Run, train
from attention_core.sources import Settings, e5, used_settings
from attention_core.sources.e5_sentences import Kind, sentence_vectors
from attention_core.sources.source_trace import SourceTrace
from attention_core.trace import FloatArray, MultiHeadTrace, WordAttention
from attention_core.words import Word

RUN_BYTES = 64 * 2**20  # a run at the limits (130 positions) holds about 12 MB
CHANGED_BYTES = 32 * 2**20  # runs with heads off or rows set by hand
PICTURE_BYTES = 16 * 2**20  # word-level attention at the limits (64 words) holds about 2.4 MB
SENTENCES = 64  # of each thing that is small: maps, the effect of every head
LAYER_BYTES = 32 * 2**20  # every intermediate of one layer at the limits holds about 5 MB
TRAINING_BYTES = 96 * 2**20  # a recorded training holds about 4 MB
REPLAY_BYTES = 16 * 2**20  # a replay at the limits holds about 0.6 MB
VECTORS = 4096  # texts; 6 MB


class _Vectors:
    """Vectors of whole texts. Those that are missing are read together, by one visitor at a time.

    Who has read texts already waits for nobody: while others are read the map stays open.
    """

    def __init__(self) -> None:
        self._kept: LRUCache[tuple[Kind, str], FloatArray] = LRUCache(VECTORS)
        self._map = Lock()  # even reading moves an entry
        self._reading = Lock()

    def missing(self, texts: Sequence[str], kind: Kind) -> int:
        return len(set(texts)) - len(self._found(texts, kind))

    def of(self, texts: Sequence[str], kind: Kind) -> FloatArray:
        found = self._found(texts, kind)
        if len(found) < len(set(texts)):
            with self._reading:
                found |= self._found(texts, kind)  # what another visitor has read in the meantime
                found |= self._read([text for text in dict.fromkeys(texts) if text not in found], kind)
        vectors = np.stack([found[text] for text in texts])
        vectors.setflags(write=False)
        return vectors

    def _found(self, texts: Sequence[str], kind: Kind) -> dict[str, FloatArray]:
        with self._map:
            return {text: self._kept[kind, text] for text in dict.fromkeys(texts) if (kind, text) in self._kept}

    def _read(self, texts: Sequence[str], kind: Kind) -> dict[str, FloatArray]:
        if not texts:
            return {}
        made = dict(zip(texts, map(np.copy, sentence_vectors(texts, kind)), strict=True))
        with self._map:
            self._kept.update({(kind, text): vector for text, vector in made.items()})
        return made


class _Runs:
    def __init__(self) -> None:
        runs: LRUCache[object, e5.EncoderRun] = LRUCache(RUN_BYTES, getsizeof=lambda run: run.nbytes)
        pictures: LRUCache[object, WordAttention] = LRUCache(
            PICTURE_BYTES, getsizeof=lambda picture: picture.weights.nbytes + picture.special.nbytes
        )
        # The condition makes later visitors wait for the first one's result instead of computing it again.
        self.run = cached(runs, condition=Condition())(lambda words: e5.load_model().run(words))
        self.picture = cached(pictures, condition=Condition())(self._picture)
        changed: LRUCache[object, e5.EncoderRun] = LRUCache(CHANGED_BYTES, getsizeof=lambda run: run.nbytes)
        self.changed = cached(changed, condition=Condition())(
            lambda words, changed: changes.run_changed(e5.load_model(), self.run(words), changed)
        )
        vectors: LRUCache[object, FloatArray] = LRUCache(SENTENCES)
        self.changed_vectors = cached(vectors, condition=Condition())(
            lambda texts, kind, off: sentence_vectors(texts, kind, off.apply)
        )
        self.effects: LRUCache[object, FloatArray] = LRUCache(SENTENCES)
        self.effects_lock = Lock()  # even reading moves an entry
        self.finding_effects = Lock()
        layers: LRUCache[object, MultiHeadTrace] = LRUCache(LAYER_BYTES, getsizeof=shared.real_bytes)
        sources: LRUCache[object, SourceTrace] = LRUCache(LAYER_BYTES, getsizeof=shared.own_bytes)
        self.layer = cached(layers, condition=Condition())(
            lambda words, layer: e5.layer_trace(self.run(words), layer).multi_head
        )
        self.source = cached(sources, condition=Condition())(
            lambda words, source, settings: TRACES[source](words, settings)
        )

        self._training = Lock()
        trainings: LRUCache[object, Run] = LRUCache(TRAINING_BYTES, getsizeof=lambda run: run.nbytes)
        replays: LRUCache[object, Replay] = LRUCache(
            REPLAY_BYTES, getsizeof=lambda one: one.attn_weights.nbytes + one.probs.nbytes
        )
        self.training = cached(trainings, condition=Condition())(self._train)
        self.replay = cached(replays, condition=Condition())(
            lambda settings, typed: replay(self.training(settings), typed)
        )

        small: LRUCache[object, SmallMaps] = LRUCache(SENTENCES)
        self.small = cached(small, condition=Condition())(self._small_maps)

    def _train(self, settings: LearnSettings) -> Run:
        """One training at a time: of several at once each would wait for the others at every line."""
        with self._training:
            return train(settings)

    def _small_maps(
        self, words: tuple[Word, ...], source: str, settings: Settings, pieces: bool, show_special: bool
    ) -> SmallMaps:
        attention = e5.piece_attention(self.run(words)) if pieces else self.picture(words, source, settings)
        return thumbnails.small_maps(attention, show_special=show_special)

    def _picture(self, words: tuple[Word, ...], source: str, settings: Settings) -> WordAttention:
        return e5.word_attention(self.run(words)) if source == "real" else attend(words, source, settings)


@st.cache_resource(show_spinner=False)
def _vectors() -> _Vectors:
    return _Vectors()


@st.cache_resource(show_spinner=False)
def _runs() -> _Runs:
    return _Runs()


def encoder_run(words: tuple[Word, ...]) -> e5.EncoderRun:
    """The real model's run on `words`: hidden states and attention weights of all layers."""
    return _runs().run(words)


def changed_run(words: tuple[Word, ...], changed: Changes) -> e5.EncoderRun:
    """The real model's run on `words` with some heads off or rows set by hand."""
    return _runs().changed(words, changed)


def head_effects(words: tuple[Word, ...]) -> FloatArray | None:
    """What each head does to the sentence vector (n_layers, n_heads), if somebody has asked already."""
    with _runs().effects_lock:
        return _runs().effects.get(words)


def find_head_effects(words: tuple[Word, ...], tell: Callable[[int, int], object]) -> FloatArray:
    """The same, computed now, which takes a second or more: tell(done, count) after each layer.

    One visitor at a time: who asks for the same sentence meanwhile finds it done.
    """
    with _runs().finding_effects:
        known = head_effects(words)
        if known is not None:
            return known
        model = e5.load_model()
        found = []
        for effects in changes.head_effects(model, encoder_run(words)):
            found.append(effects)
            tell(len(found), model.n_layers)
        whole = np.array(found)
        whole.setflags(write=False)
        with _runs().effects_lock:
            _runs().effects[words] = whole
        return whole


def word_attention(words: tuple[Word, ...], source: str, settings: Settings) -> WordAttention:
    """`attention_core.attend`, computed once per sentence, source and settings."""
    return _runs().picture(words, source, used_settings(source, settings))


def piece_attention(words: tuple[Word, ...]) -> WordAttention:
    """The real model's attention between its pieces of `words`: views of the cached run."""
    return e5.piece_attention(encoder_run(words))


def small_maps(
    words: tuple[Word, ...], source: str, settings: Settings, *, pieces: bool, show_special: bool
) -> SmallMaps:
    """All heads as small pictures, between the words or the real model's pieces of them."""
    return _runs().small(words, source, used_settings(source, settings), pieces, show_special)


def layer_trace(words: tuple[Word, ...], layer: int) -> MultiHeadTrace:
    """Every intermediate of one layer (from 0) of the real model's run on `words`."""
    return _runs().layer(words, layer)


def source_trace(words: tuple[Word, ...], source: str, settings: Settings) -> SourceTrace:
    """Everything an untrained source computes for `words`, from the one-hot rows on."""
    return _runs().source(words, source, used_settings(source, settings))


def unread_texts(texts: Sequence[str], kind: Kind) -> int:
    """How many of the texts `text_vectors` has not read yet."""
    return _vectors().missing(texts, kind)


def text_vectors(texts: Sequence[str], kind: Kind) -> FloatArray:
    """`attention_core.sources.e5_sentences.sentence_vectors`, each text read once: (n_texts, d_model)."""
    return _vectors().of(texts, kind)


def training(settings: LearnSettings) -> Run:
    """The small model's whole training; it depends on nothing that anybody typed."""
    return _runs().training(settings)


def training_replay(settings: LearnSettings, typed: Typed) -> Replay:
    """A sentence at every recorded moment of a training."""
    return _runs().replay(settings, typed)


def changed_vectors(texts: tuple[str, ...], kind: Kind, off: Changes) -> FloatArray:
    """The same with some heads off."""
    return _runs().changed_vectors(texts, kind, off)

"""What the learner is looking at in this run: the words, their attention, and the chosen layer, head and word."""

from __future__ import annotations

from dataclasses import dataclass

from attention_app.labels import labels
from attention_app.ui import cache, state
from attention_core.errors import InputError
from attention_core.measures import sharpest_row
from attention_core.sources import SOURCES
from attention_core.trace import WordAttention
from attention_core.words import Word, segment

HEAD_OF_REAL = (7, 3)  # from a verb to its object: the head the first lesson opens on


@dataclass(frozen=True)
class Lesson:
    """layer, head and word are 0-based; `problem` says why the typed sentence is not the one shown."""

    words: tuple[Word, ...]
    attention: WordAttention
    layer: int
    head: int
    word: int
    problem: InputError | None

    @property
    def labels(self) -> list[str]:
        return labels([word.text for word in self.words])


def current() -> Lesson:
    """The lesson for the state of this run; a sentence that cannot be used leaves the last good one in the picture."""
    first = state.recall("source") is None
    problem: InputError | None = None
    source, settings = str(state.get("source")), state.settings()
    text = str(state.get("text"))
    try:
        words = segment(text)
        attention = cache.word_attention(words, source, settings)
    except InputError as error:
        problem = error
        text = str(state.recall("shown_text") or state.DEFAULT_SENTENCE)
        words = segment(text)
        attention = cache.word_attention(words, source, settings)
    state.remember("shown_text", text)

    _follow_source(source, first)
    state.fit("layer", attention.n_layers, _start(source)[0], tell=first)
    state.fit("head", attention.n_heads, _start(source)[1], tell=first)
    layer, head = int(str(state.get("layer"))) - 1, int(str(state.get("head"))) - 1

    if not first and state.recall("words") != words:
        state.put("word", None)
    state.fit("word", len(words), int(sharpest_row(attention.weights[layer, head])) + 1, tell=first)
    state.remember("words", words)
    return Lesson(words, attention, layer, head, int(str(state.get("word"))) - 1, problem)


def _follow_source(source: str, first: bool) -> None:
    """Each source keeps its own layer and head: who comes back to the real model finds the head that was left."""
    left = state.recall("source")
    heads = dict(state.recall("heads") or {})  # type: ignore[call-overload]
    if not first and left != source:
        layer, head = heads.get(source, _start(source))
        state.put("layer", layer)
        state.put("head", head)
    heads[source] = (state.get("layer"), state.get("head"))
    state.remember("heads", heads)
    state.remember("source", source)


def _start(source: str) -> tuple[int, int]:
    return HEAD_OF_REAL if SOURCES[source].n_layers > 1 else (1, 1)

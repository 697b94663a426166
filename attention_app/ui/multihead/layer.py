"""What all cards of the page 多头与拼接 are about: one layer with all its heads, its positions, the chosen word."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from attention_app.components.matrix import Matrix
from attention_app.labels import labels
from attention_app.ui import cache, state
from attention_app.ui.lesson import Lesson
from attention_core.contributions import contributions, output_without
from attention_core.measures import sharpest_row
from attention_core.trace import FloatArray, MultiHeadTrace


@dataclass(frozen=True, eq=False)
class Layer:
    """Everything counted from 0. A position is a word, or for the real model a piece, `<s>` or `</s>`.

    trace    the layer with all its heads
    names    of the positions; `places` are where the page's other views know them, -1 and -2 for special tokens
    spans    first and one past the last position of each word
    word     the chosen word; `at` is the position whose row is talked about
    dim      the chosen dimension of the output
    off      the heads that are switched off
    """

    lesson: Lesson
    trace: MultiHeadTrace
    names: tuple[str, ...]
    places: tuple[int, ...]
    spans: tuple[tuple[int, int], ...]
    word: int
    dim: int
    off: tuple[int, ...]

    @property
    def at(self) -> int:
        return _spoken(self.names, self.spans[self.word])

    @property
    def n(self) -> int:
        return len(self.names)

    @property
    def n_heads(self) -> int:
        return int(self.trace.attention.z.shape[0])

    @property
    def d_head(self) -> int:
        return int(self.trace.attention.z.shape[2])

    @property
    def d_model(self) -> int:
        return int(self.trace.W_O.shape[1])

    @property
    def weights(self) -> FloatArray:
        """(n_heads, n, n)"""
        return self.trace.attention.attn_weights

    @cached_property
    def parts(self) -> FloatArray:
        """What each head adds to each position's output: (n_heads, n, d_model)."""
        return contributions(self.trace)

    @cached_property
    def out(self) -> FloatArray:
        """attn_out in float64, (n, d_model), so that the shown parts add up to it."""
        return output_without(self.parts, self.trace.b_O, ())

    @property
    def biased(self) -> bool:
        return bool(self.trace.b_O.any())

    def rows(self, name: str, values: FloatArray, only: Sequence[int], **more: Any) -> Matrix:
        """A matrix of some of the positions."""
        rows = [self.names[at] for at in only]
        return Matrix(name, values[list(only)], rows=rows, row_at=[self.places[at] for at in only], **more)


def current(lesson: Lesson) -> Layer:
    """The layer for the state of this run."""
    word = lesson.word
    if word is None:  # no word is locked: the one that looks hardest
        word = lesson.word_of_row(int(sharpest_row(lesson.map.weights)))
    if lesson.attention.source == "real":
        run = cache.encoder_run(lesson.words)
        trace, spans = cache.layer_trace(lesson.words, lesson.layer), run.alignment.spans
        # "▁" only marks where a space was; a piece that is nothing else keeps it.
        names = tuple(labels([piece.removeprefix("▁") or piece for piece in run.pieces]))
        inner = [at for at, (start, stop) in enumerate(spans) for _ in range(start, stop)]
        places = (-1, *(range(len(inner)) if lesson.unfolded else inner), -2)
    else:
        trace = cache.source_trace(lesson.words, lesson.attention.source, state.settings()).multi_head
        n = len(lesson.words)
        names, spans, places = lesson.labels, tuple((at, at + 1) for at in range(n)), tuple(range(n))
    n_heads = len(trace.attention.z)
    largest = int(np.abs(trace.attn_out[_spoken(names, spans[word])]).argmax())
    first = state.recall("multihead") is None
    state.remember("multihead", True)
    state.fit("dim", trace.W_O.shape[1], largest + 1, tell=first)
    return Layer(
        lesson=lesson,
        trace=trace,
        names=names,
        places=places,
        spans=spans,
        word=word,
        dim=int(str(state.get("dim"))) - 1,
        off=tuple(head for head in switched_off() if head < n_heads),
    )


def _spoken(names: Sequence[str], span: tuple[int, int]) -> int:
    """The position that stands for a word: its first piece, but not one that only marks a space."""
    return next((at for at in range(*span) if not names[at].startswith("▁")), span[0])


def switched_off() -> list[int]:
    """The heads, from 0, that the learner switched off; those that another source does not have are kept for later."""
    return sorted({int(number) - 1 for number in str(state.get("off")).split(".") if number})


def switch_off(heads: Sequence[int]) -> None:
    """Exactly these heads are off. In a callback only."""
    state.put("off", ".".join(str(head + 1) for head in sorted(heads)))

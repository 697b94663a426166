"""What all cards of the page 多头与拼接 are about: one layer with all its heads, its positions, the chosen word."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from attention_app.components.matrix import Matrix
from attention_app.ui import state
from attention_app.ui.lesson import Lesson
from attention_app.ui.positions import Positions, positions
from attention_core.contributions import contributions, output_without
from attention_core.trace import FloatArray, MultiHeadTrace


@dataclass(frozen=True, eq=False)
class Layer(Positions):
    """Positions, and what one layer with all its heads computes on them. Everything counted from 0.

    trace    the layer with all its heads
    dim      the chosen dimension of the output
    off      the heads that are switched off
    """

    trace: MultiHeadTrace
    dim: int
    off: tuple[int, ...]

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

    @cached_property
    def kind(self) -> str:
        """What its texts tell apart: "" of several heads, "single", or "identity" where W_O changes nothing either."""
        if self.n_heads > 1:
            return ""
        return "identity" if np.array_equal(self.trace.W_O, np.eye(self.d_model)) else "single"

    @property
    def biased(self) -> bool:
        return bool(self.trace.b_O.any())

    def rows(self, name: str, values: FloatArray, only: Sequence[int], **more: Any) -> Matrix:
        """A matrix of some of the positions."""
        rows = [self.names[at] for at in only]
        return Matrix(name, values[list(only)], rows=rows, row_at=[self.places[at] for at in only], **more)


def current(lesson: Lesson) -> Layer:
    """The layer for the state of this run."""
    trace, here = lesson.layer_trace, positions(lesson)
    largest = int(np.abs(trace.attn_out[here.at]).argmax())
    first = state.recall("multihead") is None
    state.remember("multihead", True)
    state.fit("dim", trace.W_O.shape[1], largest + 1, tell=first)
    n_heads = len(trace.attention.z)
    if first and any(head >= n_heads for head in switched_off()):
        state.reject("off", tell=True)
    off = tuple(head for head in switched_off() if head < n_heads)
    return of(lesson, int(str(state.get("dim"))) - 1, off)


def of(lesson: Lesson, dim: int, off: tuple[int, ...]) -> Layer:
    """The layer of a lesson; nothing here reads the state."""
    return Layer(**vars(positions(lesson)), trace=lesson.layer_trace, dim=dim, off=off)


def switched_off() -> list[int]:
    """The heads, from 0, that the learner switched off; those that another source does not have are kept for later."""
    return sorted({int(number) - 1 for number in str(state.get("off")).split(".") if number})


def switch_off(heads: Sequence[int]) -> None:
    """Exactly these heads are off. In a callback only."""
    state.put("off", ".".join(str(head + 1) for head in sorted(heads)))

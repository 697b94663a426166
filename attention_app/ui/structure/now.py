"""What all panels of the page are about: one sentence in the real model, one of its blocks, the chosen word."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from attention_app.components.matrix import Cell, Matrix
from attention_app.ui import cache
from attention_app.ui.lesson import Lesson
from attention_app.ui.positions import Positions, real_positions
from attention_app.ui.structure import runs
from attention_core.head_facts import FIRST
from attention_core.sources.e5 import EncoderRun
from attention_core.trace import EncoderBlockTrace, FloatArray


@dataclass(frozen=True, eq=False)
class Now(Positions):
    """The real model's positions, and what it computes on them. Everything counted from 0.

    run          the real model on this sentence, whatever source the other pages use
    layer, head  the block and the head that are shown
    """

    run: EncoderRun
    layer: int
    head: int

    @property
    def d_model(self) -> int:
        return int(self.run.hidden.shape[2])

    @property
    def query(self) -> str:
        return self.names[self.at]

    @property
    def block(self) -> EncoderBlockTrace:
        return runs.block(self.lesson.words, self.layer)

    def rows(self, name: str, values: FloatArray, only: Sequence[int] | None = None, **more: Any) -> Matrix:
        """A matrix whose rows are positions, all of them or some."""
        some = range(self.n) if only is None else only
        rows, row_at = [self.names[at] for at in some], [self.places[at] for at in some]
        return Matrix(name, values[list(some)], rows=rows, row_at=row_at, **more)

    def pairs(self, name: str, values: FloatArray, **more: Any) -> Matrix:
        """A matrix between positions."""
        return self.rows(name, values, columns=self.names, column_at=self.places, **more)


def current(lesson: Lesson) -> Now:
    """The page's subject in this run."""
    layer, head = (lesson.layer, lesson.head) if lesson.source == "real" else FIRST
    return Now(**vars(real_positions(lesson)), run=cache.encoder_run(lesson.words), layer=layer, head=head)


def framed(values: FloatArray, row: int) -> Cell:
    """The cell of a matrix (n, m) that is framed at first: in the row that is talked about, the largest number."""
    return row, int(np.abs(values[row]).argmax())

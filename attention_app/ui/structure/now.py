"""What all panels of the page are about: one sentence in the real model, one of its blocks, the chosen word."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from attention_app.components.matrix import Matrix
from attention_app.labels import labels
from attention_app.ui import cache
from attention_app.ui.lesson import Lesson
from attention_app.ui.structure import runs
from attention_core.head_facts import FIRST
from attention_core.measures import sharpest_row
from attention_core.sources.e5 import EncoderRun
from attention_core.trace import EncoderBlockTrace, FloatArray


@dataclass(frozen=True, eq=False)
class Now:
    """Everything counted from 0. A position is a piece of the real model, `<s>` or `</s>`.

    run          the real model on this sentence, whatever source the other pages use
    layer, head  the block and the head that are shown
    names        of the positions; `places` are where the page's other views know them, -1 and -2 for special tokens
    word         the chosen word
    """

    lesson: Lesson
    run: EncoderRun
    layer: int
    head: int
    names: tuple[str, ...]
    places: tuple[int, ...]
    word: int

    @property
    def n(self) -> int:
        return len(self.names)

    @property
    def d_model(self) -> int:
        return int(self.run.hidden.shape[2])

    @property
    def at(self) -> int:
        """The position that stands for the chosen word: its first piece, but not one that only marks a space."""
        start, stop = self.run.alignment.spans[self.word]
        return next((at for at in range(start, stop) if not self.names[at].startswith("▁")), start)

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
    run = cache.encoder_run(lesson.words)
    word = lesson.word
    if word is None:  # no word is locked: the one that looks hardest
        word = lesson.word_of_row(int(sharpest_row(lesson.map.weights)))
    layer, head = (lesson.layer, lesson.head) if lesson.source == "real" else FIRST
    spans = run.alignment.spans
    inner = [at for at, (start, stop) in enumerate(spans) for _ in range(start, stop)]
    places = (-1, *(range(len(inner)) if lesson.unfolded else inner), -2)
    return Now(lesson, run, layer, head, piece_names(run.pieces), places, word)


def piece_names(pieces: Sequence[str]) -> tuple[str, ...]:
    """Pieces as a reader sees them; "▁" only marks where a space was, and a piece that is nothing else keeps it."""
    return tuple(labels([piece.removeprefix("▁") or piece for piece in pieces]))

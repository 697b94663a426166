"""What all steps of the page 一步一步 are about: one head of one layer, its positions, and the chosen word."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from attention_app.components.matrix import Matrix
from attention_app.ui import state
from attention_app.ui.lesson import Lesson
from attention_app.ui.positions import Positions, positions
from attention_app.ui.steps import edits, masks
from attention_core.sources.source_trace import SourceTrace
from attention_core.step_trace import step_trace
from attention_core.trace import AttentionTrace, BoolArray, FloatArray, MultiHeadTrace

ORIGINAL = {"mask": "none", "scaled": True, "temperature": "1", "edits": ""}  # what the explore page computes with


@dataclass(frozen=True, eq=False)
class Numbers(Positions):
    """Positions, and what one head of one layer computes on them. Everything counted from 0.

    layer    the layer with all its heads, as the source computed it, or with the learner's numbers
    trace    the chosen head alone (n_heads = 1), under the learner's mask, scale and temperature
    source   how an untrained source made X; None for the real model
    choice   what the learner chose of all this
    """

    layer: MultiHeadTrace
    trace: AttentionTrace
    source: SourceTrace | None
    choice: Choice

    @property
    def real(self) -> bool:
        return self.source is None

    @property
    def editable(self) -> bool:
        return self.lesson.source == edits.EDITABLE

    @property
    def row(self) -> int:
        """The row that is talked about."""
        return self.at

    @property
    def only(self) -> slice:
        """The positions whose rows are shown: all, or those of the chosen word."""
        return slice(*self.spans[self.word]) if self.choice.one_word else slice(None)

    @property
    def d_head(self) -> int:
        return int(self.trace.q.shape[-1])

    @property
    def weights(self) -> FloatArray:
        """(n, n)"""
        weights: FloatArray = self.trace.attn_weights[0]
        return weights

    def best_word(self, row: FloatArray) -> int:
        """Where a row (n,) has its largest number among the words: special tokens do not count."""
        inner = [position for start, stop in self.spans for position in range(start, stop)]
        return inner[int(row[inner].argmax())]

    def rows(self, name: str, values: FloatArray, *, only: slice | None = None, **more: Any) -> Matrix:
        """A matrix whose rows are positions; `values` has all of them, the picture those of `only`."""
        only = self.only if only is None else only
        inside = range(len(self.names))[only]
        options: dict[str, Any] = {"rows": self.names[only], "row_at": self.places[only], **more}
        if self.groups:
            options["groups"] = [
                (word, len(shared))
                for (word, size), start in zip(self.groups, self._group_starts(), strict=True)
                if (shared := [at for at in range(start, start + size) if at in inside])
            ]
        return Matrix(name, values[only], **options)

    def pairs(self, name: str, values: FloatArray, **more: Any) -> Matrix:
        """A matrix between positions, (n, n): it says who looks at whom."""
        return self.rows(name, values, columns=self.names, column_at=self.places, answer=True, **more)

    def _group_starts(self) -> list[int]:
        sizes = [size for _, size in self.groups]
        return [sum(sizes[:at]) for at in range(len(sizes))]


@dataclass(frozen=True, eq=False)
class Choice:
    """What a learner chose on the page: small enough to be kept, and enough to compute everything again.

    mask   (n, n) bool, True = may attend; None if everyone may attend to everyone
    edits  numbers changed by hand, as the link holds them
    """

    lesson: Lesson
    mask: BoolArray | None
    scaled: bool
    temperature: float
    edits: str
    one_word: bool

    def numbers(self) -> Numbers:
        lesson, head = self.lesson, self.lesson.head
        layer = edits.edited(lesson.layer_trace, self.edits)
        trace = step_trace(layer, head, mask=self.mask, scaled=self.scaled, temperature=self.temperature)
        return Numbers(**vars(positions(lesson)), layer=layer, trace=trace, source=lesson.source_trace, choice=self)


def current(lesson: Lesson) -> Numbers:
    """The numbers for the state of this run."""
    first = state.recall("steps_about") is None
    here = positions(lesson)
    _forget(lesson, here.word)
    _fit_cells(here.n, lesson.layer_trace.x_q.shape[1], tell=first)
    return Choice(
        lesson=lesson,
        mask=masks.chosen(here.spans, here.n, tell=first),
        scaled=bool(state.get("scaled")),
        temperature=temperature(),
        edits=edits.checked(lesson.layer_trace, lesson.source),
        one_word=state.get("way") == "one",
    ).numbers()


def temperature() -> float:
    return float(str(state.get("temperature")))


def is_original() -> bool:
    """Whether nothing is masked or switched, so that the weights are those of the explore page."""
    return all(state.get(name) == value for name, value in ORIGINAL.items())


def restore() -> None:
    """Compute as the source does. In a callback only."""
    put_all(ORIGINAL)


def put_all(values: Mapping[str, object]) -> None:
    for name, value in values.items():
        state.put(name, value)


def _fit_cells(n: int, d_model: int, *, tell: bool) -> None:
    """No kept cell lies outside of all matrices, whose sides are n, d_model or less; `tell` leaves a note on it."""
    for name, width in (("cell", n), ("cell_dim", d_model)):
        if cell := str(state.get(name)):
            row, column = map(int, cell.split("-"))
            if not (1 <= row <= n and 1 <= column <= width):
                state.reject(name, tell=tell)


def _forget(lesson: Lesson, word: int) -> None:
    """Cells and edits belong to their sentence and source, and a kept cell to its word."""
    about = (lesson.words, lesson.source, state.settings())
    before = state.recall("steps_about")
    if before not in (None, about):
        put_all({"hidden": "", "edits": "", "cell": "", "cell_dim": ""})
    elif state.recall("steps_word") not in (None, word):
        put_all({"cell": "", "cell_dim": ""})
    state.remember("steps_about", about)
    state.remember("steps_word", word)

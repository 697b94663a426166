"""What all steps of the page 一步一步 are about: one head of one layer, its positions, and the chosen word."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from attention_app.components.matrix import Matrix
from attention_app.labels import labels
from attention_app.ui import cache, state
from attention_app.ui.lesson import Lesson
from attention_app.ui.steps import edits, masks
from attention_core.measures import sharpest_row
from attention_core.sources.source_trace import SourceTrace
from attention_core.step_trace import step_trace
from attention_core.trace import AttentionTrace, FloatArray, MultiHeadTrace

ORIGINAL = {"mask": "none", "scaled": True, "temperature": "1", "edits": ""}  # what the explore page computes with


_SPACE = "▁₀₁₂₃₄₅₆₇₈₉"  # the model's piece for a space, and what tells several of them apart


@dataclass(frozen=True, eq=False)
class Numbers:
    """Everything counted from 0. A position is a word, or for the real model a piece, `<s>` or `</s>`.

    layer    the layer with all its heads, as the source computed it
    trace    the chosen head alone (n_heads = 1), under the learner's mask, scale and temperature
    source   how an untrained source made X; None for the real model
    names    of the positions, and `groups` the words over them where they are pieces
    places   where the page's other views know the positions: words, or pieces if they are unfolded
    spans    first and one past the last position of each word
    word     the chosen word
    only     the positions whose rows are shown: all, or those of the chosen word
    """

    lesson: Lesson
    layer: MultiHeadTrace
    trace: AttentionTrace
    source: SourceTrace | None
    names: tuple[str, ...]
    groups: tuple[tuple[str, int], ...]
    places: tuple[int, ...]
    spans: tuple[tuple[int, int], ...]
    word: int
    only: slice

    @property
    def real(self) -> bool:
        return self.source is None

    @property
    def editable(self) -> bool:
        return self.lesson.attention.source == edits.EDITABLE

    @property
    def row(self) -> int:
        """The chosen word's first position that is more than a space: the row that is talked about."""
        start, stop = self.spans[self.word]
        return next((at for at in range(start, stop) if self.names[at].strip(_SPACE)), start)

    @property
    def d_head(self) -> int:
        return int(self.trace.q.shape[-1])

    @property
    def weights(self) -> FloatArray:
        """(n, n)"""
        weights: FloatArray = self.trace.attn_weights[0]
        return weights

    @property
    def best(self) -> int:
        """The position of a word that the chosen row gives the largest weight to."""
        inner = [position for start, stop in self.spans for position in range(start, stop)]
        return inner[int(self.weights[self.row, inner].argmax())]

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
        """A matrix between positions, (n, n)."""
        return self.rows(name, values, columns=self.names, column_at=self.places, **more)

    def _group_starts(self) -> list[int]:
        sizes = [size for _, size in self.groups]
        return [sum(sizes[:at]) for at in range(len(sizes))]


def current(lesson: Lesson) -> Numbers:
    """The numbers for the state of this run."""
    n_words = len(lesson.words)
    word = lesson.word
    if word is None:  # no word is locked: the one that looks hardest
        word = lesson.word_of_row(int(sharpest_row(lesson.map.weights)))
    _forget(lesson, word)
    if lesson.attention.source == "real":
        run = cache.encoder_run(lesson.words)
        spans = run.alignment.spans
        layer, source = cache.layer_trace(lesson.words, lesson.layer), None
        names = tuple(labels(run.pieces))
        sizes = [stop - start for start, stop in spans]
        groups = ((names[0], 1), *zip(lesson.labels, sizes, strict=True), (names[-1], 1))
        inner = [word for word, size in enumerate(sizes) for _ in range(size)]
        places = (-1, *(range(sum(sizes)) if lesson.unfolded else inner), -2)
    else:
        source = cache.source_trace(lesson.words, lesson.attention.source, state.settings())
        layer = edits.apply(source.multi_head, lesson.attention.source)
        spans = tuple((at, at + 1) for at in range(n_words))
        names, groups, places = lesson.labels, (), tuple(range(n_words))
    trace = step_trace(
        layer,
        lesson.head,
        mask=masks.chosen(spans, len(names)),
        scaled=bool(state.get("scaled")),
        temperature=temperature(),
    )
    only = slice(*spans[word]) if state.get("way") == "one" else slice(None)
    return Numbers(lesson, layer, trace, source, names, groups, places, spans, word, only)


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


def _forget(lesson: Lesson, word: int) -> None:
    """Cells and edits belong to their sentence and source, and a kept cell to its word."""
    about = (lesson.words, lesson.attention.source, state.settings())
    before = state.recall("steps_about")
    if before not in (None, about):
        put_all({"hidden": "", "edits": "", "cell": "", "cell_dim": ""})
    elif state.recall("steps_word") not in (None, word):
        put_all({"cell": "", "cell_dim": ""})
    state.remember("steps_about", about)
    state.remember("steps_word", word)

"""The positions a source computes on, and how they belong to the words: one rule for every page that shows them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from attention_app.labels import labels
from attention_app.ui import cache
from attention_app.ui.lesson import Lesson
from attention_core.measures import sharpest_row
from attention_core.words.pieces import SPACE_MARK

Spans = Sequence[tuple[int, int]]  # first and one past the last position of each word


@dataclass(frozen=True, eq=False)
class Positions:
    """Everything counted from 0. A position is a word, or for the real model a piece, `<s>` or `</s>`.

    names    of the positions, and `groups` the words over them where they are pieces
    places   where the page's other views know the positions: words, or pieces if they are unfolded; -1 and -2 for
             special tokens
    spans    first and one past the last position of each word
    word     the chosen word
    """

    lesson: Lesson
    names: tuple[str, ...]
    groups: tuple[tuple[str, int], ...]
    places: tuple[int, ...]
    spans: tuple[tuple[int, int], ...]
    word: int

    @property
    def n(self) -> int:
        return len(self.names)

    @property
    def at(self) -> int:
        """The position whose row is talked about: the chosen word's first piece, but none that only marks a space."""
        start, stop = self.spans[self.word]
        return next((at for at in range(start, stop) if not self.names[at].startswith(SPACE_MARK)), start)


def word_at(spans: Spans, position: int) -> int | None:
    """The word a position belongs to; None for a special token."""
    return next((word for word, (start, stop) in enumerate(spans) if start <= position < stop), None)


def positions(lesson: Lesson) -> Positions:
    """The positions of a lesson's own source."""
    if lesson.source == "real":
        return real_positions(lesson)
    n = len(lesson.words)
    alone = tuple((at, at + 1) for at in range(n))
    return Positions(lesson, lesson.labels, (), tuple(range(n)), alone, _word(lesson))


def real_positions(lesson: Lesson) -> Positions:
    """The positions of the real model on a lesson's sentence, whatever its source."""
    run = cache.encoder_run(lesson.words)
    spans = run.alignment.spans
    sizes = [stop - start for start, stop in spans]
    names = piece_names(run.pieces)
    groups = ((names[0], 1), *zip(lesson.labels, sizes, strict=True), (names[-1], 1))
    inner = [word for word, size in enumerate(sizes) for _ in range(size)]
    places = (-1, *(range(sum(sizes)) if lesson.unfolded else inner), -2)
    return Positions(lesson, names, groups, places, spans, _word(lesson))


def piece_names(pieces: Sequence[str]) -> tuple[str, ...]:
    """Pieces as a reader sees them: without the mark of a space, but for a piece that is nothing else."""
    return tuple(labels([piece.removeprefix(SPACE_MARK) or piece for piece in pieces]))


def _word(lesson: Lesson) -> int:
    """The locked word; where none is, the one that looks hardest."""
    return lesson.word_of_row(int(sharpest_row(lesson.map.weights))) if lesson.word is None else lesson.word

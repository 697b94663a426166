"""The positions a source computes on, and how they belong to the words: one rule for every page that shows them."""

from __future__ import annotations

from dataclasses import dataclass

from attention_app.labels import labels
from attention_app.ui import cache
from attention_app.ui.lesson import Lesson
from attention_core.measures import sharpest_row

SPACE = "▁"  # the model's mark for a space; a piece may be nothing else


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
        return next((at for at in range(start, stop) if not self.names[at].startswith(SPACE)), start)

    def word_at(self, position: int) -> int | None:
        """The word a position belongs to; None for a special token."""
        return next((word for word, (start, stop) in enumerate(self.spans) if start <= position < stop), None)


def positions(lesson: Lesson) -> Positions:
    """The positions of a lesson."""
    word = lesson.word
    if word is None:  # no word is locked: the one that looks hardest
        word = lesson.word_of_row(int(sharpest_row(lesson.map.weights)))
    if lesson.source != "real":
        n = len(lesson.words)
        alone = tuple((at, at + 1) for at in range(n))
        return Positions(lesson, lesson.labels, (), tuple(range(n)), alone, word)
    run = cache.encoder_run(lesson.words)
    spans = run.alignment.spans
    sizes = [stop - start for start, stop in spans]
    names = tuple(labels([piece.removeprefix(SPACE) or piece for piece in run.pieces]))
    groups = ((names[0], 1), *zip(lesson.labels, sizes, strict=True), (names[-1], 1))
    inner = [word for word, size in enumerate(sizes) for _ in range(size)]
    places = (-1, *(range(sum(sizes)) if lesson.unfolded else inner), -2)
    return Positions(lesson, names, groups, places, spans, word)

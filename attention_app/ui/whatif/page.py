"""The page around the changes: it is about the real model, which alone has learned something that can be lost."""

from __future__ import annotations

from attention_app.text import Text
from attention_app.ui import lesson_cards, presenter, state
from attention_app.ui.lesson import Lesson
from attention_app.ui.whatif.effect import Effect

_HALF = 8  # words whose two rows fit half of the page


def real_only() -> None:
    """Untrained sources have one layer and nothing to lose: whoever comes with one looks at the real model here."""
    state.put("source", "real")
    state.put("pieces", False)


def source(t: Text, lesson: Lesson) -> None:
    lesson_cards.source(t, lesson, t("whatif.from", layer=lesson.layer + 1, head=lesson.head + 1))
    if presenter.on():
        presenter.listen(lesson)


def beside(now: Effect) -> bool:
    """Whether the rows before and after stand beside the list of words: both are there, and both fit."""
    return not now.same and max(len(now.old), len(now.new)) <= _HALF and not presenter.on()

"""What every card of the page has: its place, and shares as a reader takes them in."""

from __future__ import annotations

from contextlib import AbstractContextManager

from attention_app.text import Text
from attention_app.ui import pictures, shown
from attention_app.ui.lesson import Lesson


def card(t: Text, name: str, terms: str = "", /, **values: object) -> AbstractContextManager[None]:
    """A card of the page; `values` fill its title and its idea."""
    return shown.card(f"why-{name}", t(f"card.{name}.title", **values), t(f"card.{name}.idea", **values), terms)


def place(t: Text, lesson: Lesson) -> str:
    """Where the attention of the page comes from: layer and head, or the heads that are averaged."""
    return t(f"why.place.{lesson.place}", layer=lesson.layer + 1, head=lesson.head + 1, count=len(lesson.heads))


def share(value: float) -> str:
    """A share in percent, with as many digits as tell something: 41%, 3.2%, <0.1%; what stands for a hidden one."""
    if not pictures.revealed():
        return pictures.HIDDEN
    if value == 0:
        return "0"
    if value < 0.001:
        return "<0.1%"
    return f"{value:.1%}" if value < 0.0995 else f"{value:.0%}"


def times(value: float) -> str:
    """How many times as much, with two digits that tell something: 0.28, 1.6, 12; what stands for a hidden one."""
    if not pictures.revealed():
        return pictures.HIDDEN
    return f"{value:.2f}" if value < 0.995 else f"{value:.1f}" if value < 9.95 else f"{value:,.0f}"

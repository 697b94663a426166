"""What a page shows, card by card, noted while it is drawn."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import NamedTuple

from attention_app.components import Shown, recording


class Said(NamedTuple):
    """A line of plain text: a heading ("h3") or a sentence ("p")."""

    text: str
    tag: str


@dataclass
class Section:
    """One card: its title, its idea, and what stands in it, views as the browser got them."""

    title: str
    idea: str
    parts: list[Shown | Said] = field(default_factory=list)


_sections: ContextVar[list[Section] | None] = ContextVar("sections", default=None)


@contextmanager
def noted() -> Iterator[list[Section]]:
    """The cards that are drawn inside the block."""
    sections: list[Section] = []
    before = _sections.set(sections)
    try:
        yield sections
    finally:
        _sections.reset(before)


@contextmanager
def section(title: str, idea: str) -> Iterator[None]:
    """What is drawn inside the block belongs to this card."""
    sections = _sections.get()
    if sections is None:
        yield
        return
    sections.append(Section(title, idea))
    with recording(sections[-1].parts):
        yield


def say(text: str, tag: str = "p") -> None:
    """A line of the card that is being drawn."""
    sections = _sections.get()
    if sections:
        sections[-1].parts.append(Said(text, tag))

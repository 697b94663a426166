"""One row of attention: the sentence that says what to see, and all keys ranked by their weight."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypedDict

from attention_app.components import register

_mount = register("row")


class Said(TypedDict):
    """A stretch of the sentence; role: "query", "key", "number" or ""."""

    text: str
    role: str


class Bar(TypedDict):
    """One key; weight 0-1 is the bar's length, `number` the weight as shown, `note` its position or kind."""

    label: str
    note: str
    weight: float
    number: str
    special: bool


def row(said: Sequence[Said], bars: Sequence[Bar], *, title: str, total: str) -> None:
    """Show the row; the bars come in the order in which they are to be read."""
    _mount(key="row", data={"said": list(said), "bars": list(bars), "title": title, "total": total})

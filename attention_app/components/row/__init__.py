"""One row of attention, or one column: every word ranked by its weight, and the same as text to take away."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypedDict

from attention_app.components import register

_mount = register("row")


class Bar(TypedDict):
    """One word; `at` is its row or column (special tokens -1, -2), weight 0-1 the bar's length, `number` as shown."""

    at: int
    label: str
    note: str
    weight: float
    number: str
    special: bool


def row(
    bars: Sequence[Bar], *, of: int, by_column: bool, total: str, warning: str, heading: str, texts: Mapping[str, str]
) -> None:
    """Show the bars in the order in which they are to be read.

    of        the row they belong to, or with `by_column` the column
    total     what they add up to; `warning` says when they are a small part of the whole, or is ""
    heading   first line of the copied text; "" where there is nothing to copy
    texts     title, copy, copied; rest and fewer, with the field count, fold a long list
    """
    data = {
        "bars": list(bars),
        "of": of,
        "byColumn": by_column,
        "total": total,
        "warning": warning,
        "heading": heading,
        "texts": dict(texts),
    }
    _mount(key="row", data=data)

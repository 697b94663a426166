"""Text in columns: full-width characters take two of them, and nothing that a terminal would obey gets through."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence


def display_width(text: str) -> int:
    """Columns that a terminal gives the text: full-width characters 2, marks that sit on another character 0."""
    width, joined = 0, False
    for character in text:
        if joined or unicodedata.category(character) in ("Mn", "Me", "Cf") or "\U0001f3fb" <= character <= "\U0001f3ff":
            wide = 0  # part of the emoji or letter before it
        else:
            wide = 2 if unicodedata.east_asian_width(character) in ("W", "F") else 1
        width += wide
        joined = character == "\u200d"
    return width


def weight_table(rows: Sequence[str], columns: Sequence[str], weights: Iterable[Iterable[float]]) -> list[str]:
    """The lines of a table: the names of the columns, then one line for each row with its weights."""
    widths = [max(5, display_width(name)) for name in columns]  # 5 = "0.000"
    first = max(map(display_width, rows))
    lines = ["  ".join([" " * first, *map(_right, columns, widths)])]
    for name, row in zip(rows, weights, strict=True):
        numbers = (f"{weight:.3f}" for weight in row)
        lines.append("  ".join([_left(name, first), *map(_right, numbers, widths)]))
    return lines


def _left(text: str, width: int) -> str:
    return text + " " * (width - display_width(text))


def _right(text: str, width: int) -> str:
    return " " * (width - display_width(text)) + text


def printable(text: str) -> str:
    """The text on one line: characters that a terminal would obey instead of show become escapes."""
    keep = "\u200d"  # joins emoji
    return "".join(c if c.isprintable() or c in keep else c.encode("unicode_escape").decode("ascii") for c in text)

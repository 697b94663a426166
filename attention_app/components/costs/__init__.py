"""The cost table of the 2017 paper: formula and number in each cell, the smallest of a column marked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypedDict

from attention_app.components import register

_mount = register("costs")


class Cost(TypedDict):
    """One cell: the paper's formula, the number it gives, whether that is the smallest of its column."""

    formula: str
    number: str
    least: bool


def costs(columns: Sequence[str], rows: Sequence[tuple[str, Sequence[Cost]]], *, texts: Mapping[str, str]) -> None:
    """Show the rows, each a name with a cell for every column.

    texts    title, layer, least
    """
    _mount(
        key="costs",
        data={"columns": list(columns), "rows": [[name, list(cells)] for name, cells in rows], "texts": dict(texts)},
    )

"""Attention as a map of cells that grows with the translation: row by row, as the steps are taken (see decode).

Point at a cell, or walk there with the arrow keys: it is read out, and its words light up in the page's other views.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

from attention_app.components import register
from attention_app.components.given import give

Future = Literal["", "hidden", "open"]
_mount = register("grid")


def grid(
    key: str,
    rows: Sequence[str],
    columns: Sequence[str],
    weights: Sequence[int],
    *,
    taken: Sequence[int],
    future: Future = "",
    chosen: int | None = None,
    decimals: int,
    hidden: bool,
    texts: Mapping[str, str],
) -> None:
    """Show the weights (n_rows * n_columns of them, row after row, in millionths).

    taken    after how many steps each row is there
    future   "hidden": columns behind a row's own are hidden by the mask, and say so; "open": they are not, and stand
             out; "": the columns are words of another sentence, the source
    chosen   the column that is marked, or None
    texts    title, rows, columns, point; cell, later and masked with the fields row and column, cell with number too
    """
    if len(weights) != len(rows) * len(columns) or len(taken) != len(rows):
        raise ValueError(f"{len(weights)} weights for {len(rows)} rows ({len(taken)}) of {len(columns)}")
    content = {"rows": list(rows), "columns": list(columns), "weights": list(weights), "taken": list(taken)}
    view = {"future": future, "chosen": chosen, "decimals": decimals, "hidden": hidden, "texts": dict(texts)}
    _mount(key=key, data={"key": key, "id": give(key, content), **view})

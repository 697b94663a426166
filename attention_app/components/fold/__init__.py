"""How a word's weight follows from its pieces: a small sum, written out with this sentence's numbers."""

from __future__ import annotations

from collections.abc import Sequence

from attention_app.components import register

_mount = register("fold")


def fold(
    rows: Sequence[str],
    columns: Sequence[str],
    cells: Sequence[Sequence[str]],
    sums: Sequence[str],
    result: str,
    *,
    sum_name: str,
    mean_name: str,
    caption: str,
) -> None:
    """rows: pieces of the word that looks; columns: of the word looked at; `sums` of each row, `result` their mean."""
    _mount(
        key="fold",
        data={
            "rows": list(rows),
            "columns": list(columns),
            "cells": [list(row) for row in cells],
            "sums": list(sums),
            "result": result,
            "sumName": sum_name,
            "meanName": mean_name,
            "caption": caption,
        },
    )

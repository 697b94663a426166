"""What every step has: its card, and the cell that is kept from step to step."""

from __future__ import annotations

from contextlib import AbstractContextManager
from typing import Any

import numpy as np

from attention_app.components import matrix
from attention_app.text import Text
from attention_app.ui import pictures, shown, state
from attention_app.ui.positions import word_at
from attention_app.ui.steps.numbers import Numbers
from attention_core.trace import FloatArray


def card(t: Text, name: str, step: str, terms: str = "") -> AbstractContextManager[None]:
    """The card of a step."""
    title = f"{step} · {t(f'step.{name}.title')}"
    return shown.card(f"step-{name}", title, t(f"step.{name}.idea"), terms)


def pair_cell(now: Numbers, row: FloatArray) -> dict[str, Any]:
    """The kept cell between two positions, which goes along from the scores to the weights, and what keeps another.

    Where none is kept it is the chosen word and the word with the largest number of its `row` (n,); not while numbers
    are hidden, for that would give the answer away.
    """
    cell = _read("cell", len(now.names), len(now.names))
    if cell is None and pictures.revealed():
        cell = (now.row, now.best_word(row))
    return _kept(now, "cell", cell)


def dim_cell(now: Numbers, values: FloatArray) -> dict[str, Any]:
    """The kept number of X, Q, K, V or Z (n, d): a position and a dimension; else the chosen word's largest by size."""
    cell = _read("cell_dim", *values.shape)
    if cell is None and pictures.revealed():
        cell = (now.row, int(np.abs(values[now.row]).argmax()))
    return _kept(now, "cell_dim", cell)


def _read(name: str, n: int, m: int, /) -> matrix.Cell | None:
    raw = str(state.get(name))
    if not raw:
        return None
    row, column = (int(part) - 1 for part in raw.split("-"))
    return (row, column) if 0 <= row < n and 0 <= column < m else None


def _kept(now: Numbers, name: str, cell: matrix.Cell | None) -> dict[str, Any]:
    """The cell among the rows that are shown, and what puts another one into the parameter `name`.

    A kept cell takes its row's word along, but for the special tokens. The callback lives as long as its session: it
    holds on to no arrays.
    """
    shown, spans = range(len(now.names))[now.only], now.spans

    def keep(given: matrix.Cell | None) -> None:
        if given is None:
            state.put(name, "")
            return
        row = given[0] + shown.start
        state.put(name, f"{row + 1}-{given[1] + 1}")
        word = word_at(spans, row)
        if word is not None:
            state.put("word", word + 1)
            state.remember("steps_word", word)

    inside = (cell[0] - shown.start, cell[1]) if cell and cell[0] in shown else None
    return {"cell": inside, "on_cell": keep}

"""Which cells are masked: none, the future, the words at the end, or those the learner clicked."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from attention_app.ui import state
from attention_core.masks import causal_mask, padding_mask
from attention_core.trace import BoolArray

MOST = 300  # cells masked by hand, as many as the parameter `hidden` holds
Cells = frozenset[tuple[int, int]]


def chosen(spans: Sequence[tuple[int, int]], n: int, *, tell: bool) -> BoolArray | None:
    """The mask (n, n) of this run, True = may attend; None if everyone may attend to everyone.

    spans: the positions of each word. A row that a link masks out entirely is left open, and the step says so; `tell`
    leaves a note where a link has more padding than words.
    """
    match state.get("mask"):
        case "causal":
            return causal_mask(n)
        case "padding" if len(spans) > 1:
            state.fit("pad", len(spans) - 1, 1, tell=tell)  # one word stays
            filled = spans[len(spans) - int(str(state.get("pad"))) :]
            real = np.ones(n, dtype=np.bool_)
            for start, stop in filled:
                real[start:stop] = False
            return padding_mask(real)
        case "hand":
            return _by_hand(n)
    return None


def _by_hand(n: int) -> BoolArray:
    mask = np.ones((n, n), dtype=np.bool_)
    for row, column in hidden():
        if row < n and column < n:
            mask[row, column] = False
    empty = ~mask.any(axis=1)
    if empty.any():
        mask[empty] = True
        refuse(int(empty.argmax()))
    return mask


def hidden() -> Cells:
    """The cells masked by hand, from 0."""
    cells = [cell.split("-") for cell in str(state.get("hidden")).split(".") if cell]
    return frozenset((int(row) - 1, int(column) - 1) for row, column in cells)


def toggle(row: int, column: int, n: int) -> None:
    """Mask a cell or open it again; the last open one of its row stays open. In a callback only."""
    cells = hidden() ^ {(row, column)}
    if sum(at == row for at, _ in cells) >= n:
        refuse(row)
        return
    if len(cells) > MOST:
        return
    state.put("hidden", ".".join(f"{i + 1}-{j + 1}" for i, j in sorted(cells)))


def refuse(row: int) -> None:
    """A row (from 0) may not be masked out entirely: remember to say it."""
    state.remember("steps_refused", row)


def refused() -> int | None:
    """The row that was refused, said once."""
    row = state.recall("steps_refused")
    state.remember("steps_refused", None)
    return row if isinstance(row, int) else None

"""All heads of the model as a grid of cells, layers down and heads across: how much of something each has."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence

import streamlit as st

from attention_app.components import is_index, register
from attention_core.trace import FloatArray

_mount = register("headgrid")

Head = tuple[int, int]


def headgrid(
    key: str,
    shades: FloatArray,
    numbers: Sequence[Sequence[str]],
    *,
    chosen: Head | None,
    off: Collection[Head],
    texts: Mapping[str, str],
    on_heads: Callable[[list[Head]], None],
) -> None:
    """Show the grid; layers and heads are counted from 0.

    shades   (layers, heads), between 0 and 1: how dark a cell is
    numbers  (layers, heads): what is read at a cell
    chosen   the head with the ring; off: heads that are crossed out
    texts    title, corner, cell and cell_off with the fields layer, head, value; line and column, the names of
             the buttons at the edges with the field number, or "" where these choose nothing
    on_heads is told the heads of a cell, or of a whole line or column, before the next run.
    """
    size = (len(shades), len(shades[0]))

    def picked() -> None:
        heads = st.session_state[key].get("heads")
        if (
            isinstance(heads, list)
            and 0 < len(heads) <= size[0] * size[1]
            and all(_exists(head, size) for head in heads)
        ):
            on_heads([(head[0], head[1]) for head in heads])

    data = {
        "shades": shades.round(3).tolist(),
        "numbers": [list(row) for row in numbers],
        "chosen": list(chosen) if chosen else None,
        "off": sorted(list(head) for head in off),
        "texts": dict(texts),
    }
    _mount(key=key, data=data, on_heads_change=picked)


def _exists(head: object, size: tuple[int, int]) -> bool:
    match head:
        case [layer, number]:
            return is_index(layer, size[0]) and is_index(number, size[1])
    return False

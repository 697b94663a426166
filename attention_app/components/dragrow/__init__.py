"""One row of attention as bars that can be dragged: what one word gets the others lose, the sum stays 1."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import streamlit as st

from attention_app.components import is_index, register

_KEY = "dragrow"
_THOUSANDTHS = 1000
_mount = register("dragrow")


def dragrow(
    labels: Sequence[str],
    weights: Sequence[float],
    specials: Sequence[int],
    *,
    decimals: int,
    texts: Mapping[str, str],
    on_row: Callable[[list[int]], None],
) -> None:
    """Show the row; `on_row` gets it in thousandths when a bar is let go, before the next run.

    weights   between 0 and 1, with the sum 1; specials: which of them are special tokens
    texts     title; bar with the field word
    """
    n = len(labels)

    def dragged() -> None:
        row = st.session_state[_KEY].get("row")
        if (
            isinstance(row, list)
            and len(row) == n
            and all(is_index(weight, _THOUSANDTHS + 1) for weight in row)
            and sum(row) > 0
        ):
            on_row(list(row))

    data = {
        "labels": list(labels),
        "weights": [round(float(weight), 6) for weight in weights],
        "specials": list(specials),
        "decimals": decimals,
        "texts": dict(texts),
    }
    _mount(key=_KEY, data=data, on_row_change=dragged)

"""What the heatmap cannot do alone: follow the other views, pick a row, be read cell by cell with the keyboard.

A click on a cell of a plotly heatmap never reaches the server; this view listens to the chart in the page instead,
marks rows and columns on it, and says below it what is pointed at.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import streamlit as st

from attention_app.components import is_index, register

_KEY = "bridge"
_mount = register("bridge")


def bridge(
    chart: str,
    places: Sequence[float],
    n_rows: int,
    chosen: int | None,
    *,
    by_column: bool,
    texts: Mapping[str, str],
    on_pick: Callable[[int], None],
) -> None:
    """Stand below the chart in the container `chart`; its special tokens are drawn at x = `places`.

    `on_pick` gets the word a person picks: the row of a cell, or with `by_column` its column. texts: label, hint, touch
    (the hint for a finger), reading (fields query, key, value), hidden (what stands for a number that is not revealed
    yet), and the two ends of the colour scale, low and high.
    """

    def picked() -> None:
        index = st.session_state[_KEY].get("pick")
        if is_index(index, n_rows):
            on_pick(index)

    data = {
        "chart": chart,
        "places": list(places),
        "rows": n_rows,
        "chosen": chosen,
        "byColumn": by_column,
        "texts": dict(texts),
    }
    _mount(key=_KEY, data=data, on_pick_change=picked)

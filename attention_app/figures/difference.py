"""The difference of two heatmaps: where the second one looks more, where less."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from attention_app.figures.heatmap import CELL_HEIGHT, NARROW_CELL, NUMBERS_UP_TO, tick
from attention_app.figures.numbers import DIGITS, HIDDEN, signed
from attention_app.figures.palette import Palette
from attention_core.trace import FloatArray


@dataclass(frozen=True)
class DifferenceTexts:
    """Titles of the axes and how a cell is read, with the fields query, key and value."""

    row_title: str
    column_title: str
    hover: str
    font: str


def difference_heatmap(
    values: FloatArray,
    labels: Sequence[str],
    *,
    chosen: int | None,
    decimals: int,
    numbers: bool,
    zoom: float,
    texts: DifferenceTexts,
    palette: Palette,
) -> tuple[list[dict[str, object]], dict[str, object]]:
    """values (n, n) between -1 and 1, rows are queries; the colours run from -1 over 0 to 1 in every picture.

    chosen: the marked row, or None. numbers: False hides them, and all colours with them. Returns the figure's traces
    and layout.
    """
    n = len(labels)
    few = n <= NUMBERS_UP_TO
    shown = np.round(values.astype(np.float64), DIGITS)
    texts_of = [[signed(value, decimals) if numbers else HIDDEN for value in row] for row in shown]
    trace: dict[str, object] = {
        "type": "heatmap",
        "z": (shown if numbers else np.zeros_like(shown)).astype(np.float32),
        "text": texts_of,
        "texttemplate": "%{text}" if few else None,
        "hovertemplate": texts.hover.format(query="%{y}", key="%{x}", value="%{text}") + "<extra></extra>",
        "colorscale": palette.signed_scale,
        "zmin": -1,
        "zmax": 1,
        "showscale": False,
        "xgap": 2 if few else 1,
        "ygap": 2 if few else 1,
        "textfont": {"size": 13 * zoom, "color": palette.ink},
    }
    shapes = []
    if chosen is not None:
        across = {"x0": -0.5, "x1": n - 0.5, "y0": chosen - 0.5, "y1": chosen + 0.5}
        shapes.append({"type": "rect", "line": {"color": palette.query, "width": 2.5}, **across})
    axis = {
        "tickmode": "array",
        "tickvals": list(range(n)),
        "tickfont": {"size": (15 if few else 12.5) * zoom, "color": palette.ink},
        "automargin": True,
        "showgrid": False,
        "zeroline": False,
        "showline": False,
        "ticks": "",
        "ticklabelstandoff": 5,
    }
    title = {"font": {"size": 13 * zoom, "color": palette.soft}, "standoff": 8}
    names = [tick(name, None) for name in labels]
    rows = [tick(name, palette.query if i == chosen else None) for i, name in enumerate(labels)]
    layout: dict[str, object] = {
        "template": None,
        "height": (n * (CELL_HEIGHT if few else NARROW_CELL) + 110) * zoom,
        "margin": {"l": 8, "r": 8, "t": 8, "b": 8},
        "paper_bgcolor": "rgba(0,0,0,0)",
        "plot_bgcolor": "rgba(0,0,0,0)",
        "font": {"family": texts.font, "color": palette.ink},
        "hoverlabel": {"font": {"size": 15 * zoom, "family": texts.font}, "align": "left"},
        "dragmode": False,
        "shapes": shapes,
        "xaxis": {
            **axis,
            "title": {**title, "text": texts.column_title},
            "ticktext": names,
            "side": "top",
            "tickangle": 0 if few and max(map(len, labels)) <= 4 else -90,
            "range": [-0.5, n - 0.5],
        },
        "yaxis": {**axis, "title": {**title, "text": texts.row_title}, "ticktext": rows, "range": [n - 0.5, -0.5]},
    }
    return [trace], layout

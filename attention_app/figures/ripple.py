"""How far each word's vector moved, layer by layer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from attention_app.figures.heatmap import NARROW_CELL, NUMBERS_UP_TO, tick
from attention_app.figures.numbers import number
from attention_app.figures.palette import Palette
from attention_core.trace import FloatArray

_CELL = 34  # px
LEAST_TOP = 0.1  # a picture in which nothing moved that far stays pale


@dataclass(frozen=True)
class RippleTexts:
    """Title of the layers' axis, the name of its first column, and how a cell is read (word, layer, value)."""

    layer: str
    input: str
    hover: str
    font: str


def ripple_heatmap(
    distances: FloatArray,
    labels: Sequence[str],
    *,
    decimals: int,
    zoom: float,
    texts: RippleTexts,
    palette: Palette,
) -> tuple[list[dict[str, object]], dict[str, object]]:
    """distances (n_words, n_layers + 1), at least 0: white is 0, the darkest the largest one, at least LEAST_TOP.

    Returns the figure's traces and layout.
    """
    n, depth = distances.shape
    few = n <= NUMBERS_UP_TO
    written = [[number(float(value), decimals) for value in row] for row in distances]
    top = max(float(distances.max()), LEAST_TOP)
    ink = [
        [
            f'<span style="color:{palette.soft_ink_on(float(value) / top)}">{text}</span>'
            for value, text in zip(values, row, strict=True)
        ]
        for values, row in zip(distances, written, strict=True)
    ]
    names = [texts.input, *map(str, range(1, depth))]
    trace: dict[str, object] = {
        "type": "heatmap",
        "z": distances.astype(np.float32),
        "text": ink if few else None,
        "texttemplate": "%{text}" if few else None,
        "hovertext": written,
        "hovertemplate": texts.hover.format(word="%{y}", layer="%{x}", value="%{hovertext}") + "<extra></extra>",
        "colorscale": [[0.0, palette.paper], [1.0, palette.soft]],
        "zmin": 0,
        "zmax": top,
        "showscale": False,
        "xgap": 2 if few else 1,
        "ygap": 2 if few else 1,
        "textfont": {"size": 12.5 * zoom},
    }
    axis = {
        "tickmode": "array",
        "tickfont": {"size": (14 if few else 12.5) * zoom, "color": palette.ink},
        "automargin": True,
        "showgrid": False,
        "zeroline": False,
        "showline": False,
        "ticks": "",
        "ticklabelstandoff": 5,
        "fixedrange": True,
    }
    title = {"font": {"size": 13 * zoom, "color": palette.soft}, "text": texts.layer, "standoff": 8}
    layout: dict[str, object] = {
        "template": None,
        "height": (n * (_CELL if few else NARROW_CELL) + 80) * zoom,
        "margin": {"l": 8, "r": 8, "t": 8, "b": 8},
        "paper_bgcolor": "rgba(0,0,0,0)",
        "plot_bgcolor": "rgba(0,0,0,0)",
        "font": {"family": texts.font, "color": palette.ink},
        "hoverlabel": {"font": {"size": 15 * zoom, "family": texts.font}, "align": "left"},
        "dragmode": False,
        "xaxis": {**axis, "tickvals": list(range(depth)), "ticktext": names, "side": "top", "title": title},
        "yaxis": {
            **axis,
            "tickvals": list(range(n)),
            "ticktext": [tick(name, None) for name in labels],
            "range": [n - 0.5, -0.5],
        },
    }
    return [trace], layout

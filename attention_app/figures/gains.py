"""What is left of the first word at the end of the sentence, by the gain of the recurrent weights."""

from __future__ import annotations

from collections.abc import Sequence

import plotly.graph_objects as go

from attention_app.figures.chart import axis, layout
from attention_app.figures.palette import Palette

RANGE = (-6.3, 1.0)  # powers of ten on the axis, the same for every sentence; what is less runs out of the picture
UNSEEN = 1e-15  # below, rounding is all that is left


def gain_chart(
    gains: Sequence[float],
    left: Sequence[float],
    chosen: int,
    *,
    titles: tuple[str, str],
    font: str,
    zoom: float,
    palette: Palette,
) -> go.Figure:
    """left (1 = all of it), logarithmic, with a line at 1 and one at the chosen gain. titles: x axis, y axis."""
    look = {"type": "scatter", "showlegend": False, "hovertemplate": "%{x}: %{y:.3~g}<extra></extra>"}
    traces = [
        {
            **look,
            "mode": "lines+markers",
            "x": list(gains),
            "y": [one if one > UNSEEN else None for one in left],
            "line": {"color": palette.soft, "width": 2},
        },
        {
            **look,
            "mode": "markers",
            "x": [gains[chosen]],
            "y": [left[chosen]],
            "marker": {"color": palette.ink, "size": 13 * zoom},
        },
    ]
    line = {"color": palette.ink, "dash": "dot", "width": 1.5}
    same = {"type": "line", "xref": "paper", "x0": 0, "x1": 1, "y0": 1, "y1": 1, "line": line}
    here = {"type": "line", "yref": "paper", "y0": 0, "y1": 1, "x0": gains[chosen], "x1": gains[chosen], "line": line}
    frame = {
        **layout(palette, font, zoom=zoom, height=230),
        "xaxis": axis(palette, titles[0], zoom=zoom),
        "yaxis": axis(palette, titles[1], zoom=zoom, type="log", exponentformat="power", dtick=2, range=RANGE),
        "shapes": [same, here],
    }
    return go.Figure({"data": traces, "layout": frame})

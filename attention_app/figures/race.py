"""The race of a recurrent layer against attention: seconds by length, both axes logarithmic."""

from __future__ import annotations

from collections.abc import Sequence

import plotly.graph_objects as go

from attention_app.figures.chart import axis, layout
from attention_app.figures.palette import Palette
from attention_core.race import Lap


def race_chart(
    laps: Sequence[Lap], *, names: tuple[str, str], titles: tuple[str, str], font: str, zoom: float, palette: Palette
) -> go.Figure:
    """A line for each layer, in milliseconds. names: recurrent, attention; titles: of the x axis and the y axis."""
    lengths = [lap.n for lap in laps]
    looks = (
        (names[0], [1000 * lap.rnn for lap in laps], palette.soft, "dash", "square"),
        (names[1], [1000 * lap.attention for lap in laps], palette.key, "solid", "circle"),
    )
    traces = [
        {
            "type": "scatter",
            "mode": "lines+markers",
            "name": name,
            "x": lengths,
            "y": milliseconds,
            "line": {"color": color, "dash": dash, "width": 2.5 * zoom},
            "marker": {"symbol": symbol, "size": 9 * zoom},
            "hovertemplate": "n = %{x}<br>%{y:.3f} ms",
        }
        for name, milliseconds, color, dash, symbol in looks
    ]
    ticks = {"tickmode": "array", "tickvals": lengths, "ticktext": [str(n) for n in lengths]}
    frame = {
        **layout(palette, font, zoom=zoom, height=380),
        "xaxis": axis(palette, titles[0], zoom=zoom, type="log", **ticks),
        "yaxis": axis(palette, titles[1], zoom=zoom, type="log", dtick=1),
    }
    return go.Figure({"data": traces, "layout": frame})

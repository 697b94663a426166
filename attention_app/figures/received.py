"""How much attention content words and function words receive, layer by layer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

import plotly.graph_objects as go

from attention_app.figures.chart import axis, layout
from attention_app.figures.palette import Palette
from attention_core.focus import Kind, mean_of
from attention_core.trace import FloatArray

SHIFT = 0.12  # of a layer: content words stand a little left of it, function words a little right


@dataclass(frozen=True)
class ReceivedTexts:
    """Names of the two lines, titles of the axes, and how a dot is read, with {word}, {layer} and {value}."""

    content: str
    function: str
    layer: str
    weight: str
    hover: str
    font: str


def received_chart(
    received: FloatArray,
    names: Sequence[str],
    kinds: Sequence[Kind],
    *,
    decimals: int,
    zoom: float,
    texts: ReceivedTexts,
    palette: Palette,
) -> go.Figure:
    """received (n_layers, n): a line for the mean of each kind, a dot for each word; marks are left out."""
    layers = list(range(1, len(received) + 1))
    looks: tuple[tuple[Kind, str, str, str, str, float], ...] = (
        ("content", texts.content, palette.key, "solid", "circle", -SHIFT),
        ("function", texts.function, palette.soft, "dash", "square-open", SHIFT),
    )
    traces: list[dict[str, object]] = []
    for which, name, color, dash, symbol, shift in looks:
        of_kind = [at for at, one in enumerate(kinds) if one == which]
        if not of_kind:
            continue
        reading = texts.hover.format(word="%{text}", layer="%{customdata}", value=f"%{{y:.{decimals}f}}")
        traces += [
            {
                "type": "scatter",
                "mode": "markers",
                "x": [layer + shift for layer in layers for _ in of_kind],
                "y": [float(received[layer - 1, at]) for layer in layers for at in of_kind],
                "text": [escape(names[at]) for _ in layers for at in of_kind],
                "customdata": [layer for layer in layers for _ in of_kind],
                "marker": {"color": color, "symbol": symbol, "size": 7 * zoom, "opacity": 0.5},
                "hovertemplate": reading + "<extra></extra>",
                "showlegend": False,
            },
            {
                "type": "scatter",
                "mode": "lines",
                "name": name,
                "x": layers,
                "y": mean_of(received, kinds, which).tolist(),
                "line": {"color": color, "dash": dash, "width": 3 * zoom},
                "hoverinfo": "skip",
            },
        ]
    frame = {
        **layout(palette, texts.font, zoom=zoom, height=380),
        "hovermode": "closest",
        "xaxis": axis(
            palette, texts.layer, zoom=zoom, tickmode="array", tickvals=layers, range=[0.5, len(layers) + 0.5]
        ),
        "yaxis": axis(palette, texts.weight, zoom=zoom, rangemode="tozero"),
    }
    return go.Figure({"data": traces, "layout": frame})

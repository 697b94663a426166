"""A number at every depth of the model, from its input to its last layer, as lines."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from attention_app.figures import chart
from attention_app.figures.numbers import number
from attention_app.figures.palette import Palette
from attention_core.trace import FloatArray

HEIGHT = 300  # px


@dataclass(frozen=True)
class Series:
    """One line: its name, its numbers (n_layers + 1,), its colour; a line that is not solid is dotted."""

    name: str
    values: FloatArray
    color: str
    solid: bool


@dataclass(frozen=True)
class DepthTexts:
    """Titles of the axes, and what stands at the first tick: the input, before all layers."""

    layer: str
    value: str
    input: str
    font: str


def depth_chart(
    series: Sequence[Series], *, decimals: int, zoom: float, texts: DepthTexts, palette: Palette
) -> tuple[list[dict[str, object]], dict[str, object]]:
    """The lines over the layers 0 (the input) to n_layers; the values' axis shows what is needed of it, up to 1.

    Returns the figure's traces and layout.
    """
    depth = len(series[0].values)
    lowest = min(float(one.values.min()) for one in series)
    air = max(0.02, (1 - lowest) * 0.08)
    traces: list[dict[str, object]] = [
        {
            "type": "scatter",
            "mode": "lines+markers",
            "name": escape(one.name, quote=False),
            "x": list(range(depth)),
            "y": [float(value) for value in one.values],
            "text": [number(float(value), decimals) for value in one.values],
            "hovertemplate": f"%{{fullData.name}} · {texts.layer} %{{x}}: %{{text}}<extra></extra>",
            "line": {"color": one.color, "width": 2.5 * zoom, "dash": "solid" if one.solid else "dot"},
            "marker": {"size": 7 * zoom, "symbol": "circle" if one.solid else "square"},
        }
        for one in series
    ]
    ticks = {"tickmode": "array", "tickvals": list(range(depth)), "ticktext": [texts.input, *map(str, range(1, depth))]}
    layout = {
        **chart.layout(palette, texts.font, zoom=zoom, height=HEIGHT),
        "showlegend": True,
        "dragmode": False,
        "xaxis": chart.axis(palette, texts.layer, zoom=zoom, showgrid=False, **ticks),
        "yaxis": chart.axis(palette, texts.value, zoom=zoom, nticks=6, range=[lowest - air, 1 + air]),
    }
    return traces, layout

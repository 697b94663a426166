"""A new vector as a stack of its parts: one bar for each dimension, the largest parts by name, the rest as one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

import numpy as np
import plotly.graph_objects as go

from attention_app.figures.palette import Palette
from attention_core.trace import FloatArray

MOST = 3  # parts that have a name of their own: more shades of one hue cannot be told apart
_SHADES = (1.0, 0.62, 0.34)


@dataclass(frozen=True)
class StackTexts:
    """rest: with the field {count}; hover: with {name}, {dim} and {value}, filled in by the figure; total: the sum."""

    rest: str
    total: str
    dimension: str
    hover: str
    font: str


def largest(parts: FloatArray) -> tuple[int, ...]:
    """The parts (n, d) that reach furthest along the direction of their sum, or against it: at most MOST of them."""
    along = parts @ parts.sum(axis=0)  # (n,)
    return tuple(int(part) for part in np.argsort(-np.abs(along), kind="stable")[:MOST])


def stacked(
    parts: FloatArray, names: Sequence[str], *, decimals: int, texts: StackTexts, palette: Palette
) -> go.Figure:
    """parts: (n, d), one for each name; what is above 0 stands on what is above 0, and the mark is the sum."""
    d = parts.shape[1]
    named = largest(parts)
    others = [at for at in range(len(parts)) if at not in named]
    bars = [
        (_literal(names[at]), parts[at], _mixed(palette.paper, palette.key, shade))
        for at, shade in zip(named, _SHADES, strict=False)
    ]
    if others:
        bars.append(
            (texts.rest.format(count=len(others)), parts[others].sum(axis=0), _mixed(palette.paper, palette.soft, 0.5))
        )
    figure = go.Figure()
    dims = list(range(1, d + 1))
    for name, values, color in bars:
        figure.add_bar(
            x=dims,
            y=values.tolist(),
            name=name,
            width=min(0.75, 0.06 * d),  # two dimensions are no two walls
            marker={"color": color, "line": {"width": 0}},
            hovertemplate=_hover(texts, decimals),
        )
    figure.add_scatter(
        x=dims,
        y=parts.sum(axis=0).tolist(),
        name=texts.total,
        mode="markers",
        marker={"symbol": "line-ew", "size": min(14, max(5, 700 // d)), "line": {"width": 3, "color": palette.query}},
        hovertemplate=_hover(texts, decimals),
    )
    axis = {"gridcolor": palette.line, "zerolinecolor": palette.soft, "tickfont": {"size": 13}, "fixedrange": True}
    figure.update_layout(
        barmode="relative",
        height=300,
        template=None,
        font={"family": texts.font, "size": 14, "color": palette.ink},
        paper_bgcolor="rgba(0,0,0,0)",
        plot_bgcolor="rgba(0,0,0,0)",
        margin={"l": 44, "r": 8, "t": 8, "b": 44},
        legend={"orientation": "h", "y": 1.02, "yanchor": "bottom", "x": 0, "font": {"size": 15}},
        xaxis={
            **axis,
            "title": {"text": texts.dimension},
            "showgrid": False,
            "zeroline": False,
            "range": [0.4, d + 0.6],
            "tick0": 0,
            "dtick": 1 if d <= 8 else 5,
        },
        yaxis=axis,
        dragmode=False,
    )
    return figure


def _hover(texts: StackTexts, decimals: int) -> str:
    return texts.hover.format(name="%{fullData.name}", dim="%{x}", value=f"%{{y:.{decimals}f}}") + "<extra></extra>"


def _mixed(paper: str, color: str, share: float) -> str:
    """A shade that the legend shows as well, which forgets about opacity."""
    pairs = ((int(paper[i : i + 2], 16), int(color[i : i + 2], 16)) for i in (1, 3, 5))
    return "#" + "".join(f"{round(p + share * (c - p)):02x}" for p, c in pairs)


def _literal(label: str) -> str:
    """A word as Plotly shows it: its text is markup, and an empty name would be a default one."""
    return escape(label, quote=False) or " "

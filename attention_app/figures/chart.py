"""What line charts share: paper, ink, font, axes, and how a line of a role looks."""

from __future__ import annotations

from typing import Any

from attention_app.figures.palette import Palette

SIZE = 14  # px of all type in a chart


def layout(palette: Palette, font: str, *, zoom: float, height: int) -> dict[str, Any]:
    """A layout without a face of its own: the card's paper, the theme's ink, the legend above the picture.

    height: px on a laptop; zoom: how much larger everything is than there.
    """
    hover = {"bgcolor": palette.paper, "bordercolor": palette.soft, "font": {"color": palette.ink, "family": font}}
    return {
        "template": "none",
        "height": round(height * zoom),
        "margin": {"l": 8, "r": 16, "t": 8, "b": 8},
        "paper_bgcolor": palette.paper,
        "plot_bgcolor": palette.paper,
        "font": {"family": font, "size": SIZE * zoom, "color": palette.ink},
        "legend": {
            "orientation": "h",
            "x": 0,
            "y": 1.02,
            "yanchor": "bottom",
            "itemclick": False,
            "itemdoubleclick": False,
        },
        "hoverlabel": hover,
    }


def axis(palette: Palette, title: str, *, zoom: float, **more: Any) -> dict[str, Any]:
    """An axis with its title; it cannot be dragged, so that a finger scrolls the page."""
    return {
        "title": {"text": title, "standoff": 8, "font": {"size": SIZE * zoom}},
        "tickfont": {"size": SIZE * zoom},
        "gridcolor": palette.line,
        "linecolor": palette.soft,
        "zeroline": False,
        "automargin": True,
        "fixedrange": True,
        **more,
    }

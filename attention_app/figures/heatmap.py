"""The heatmap of one head: rows look, columns are looked at."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

import numpy as np
import plotly.graph_objects as go

from attention_app.figures.palette import Palette
from attention_core.trace import FloatArray

NUMBERS_UP_TO = 12  # words: beyond, a number no longer fits its cell
CELL_HEIGHT = 42  # px, while numbers stand in the cells
NARROW_CELL = 19  # px, beyond: a label of 12.5 px still fits
SPECIAL_GAP = 0.25  # of a cell, between the words and the special tokens


@dataclass(frozen=True)
class HeatmapTexts:
    """Titles of the axes, and how a cell is read: fields query, key, query_position, key_position, value."""

    row_title: str
    column_title: str
    hover: str
    hover_special: str
    font: str


def attention_heatmap(
    weights: FloatArray,
    special: FloatArray,
    labels: Sequence[str],
    special_names: Sequence[str],
    *,
    chosen: int | None,
    decimals: int,
    texts: HeatmapTexts,
    palette: Palette,
) -> go.Figure:
    """Weights (n_words, n_words) and special (n_words, n_special), all between 0 and 1; first word on top.

    The columns stand in the order in which the model reads: the first special token, the words, the other ones. Axes
    are numeric with the labels as tick texts, so that a word that occurs twice keeps two rows. `chosen` is the marked
    row, if any. Values are rounded to four decimals: that is what the eye and the wire need.
    """
    n_words = len(labels)
    few = n_words <= NUMBERS_UP_TO
    value = f".{decimals}f"

    rows = np.arange(1, n_words + 1, dtype=np.uint8)
    positions = np.stack(np.meshgrid(rows, rows, indexing="ij"), axis=-1)  # (n_words, n_words, 2)
    look = {
        "zmin": 0,
        "zmax": 1,
        "colorscale": palette.weight_scale,
        "showscale": False,
        "xgap": 2 if few else 1,
        "ygap": 2 if few else 1,
        "texttemplate": "%{text}" if few else None,
        "textfont": {"size": 13, "color": palette.ink_on(0)},
    }
    fields = {"query": "%{y}", "key": "%{x}", "value": f"%{{z:{value}}}"}
    hover = texts.hover.format(query_position="%{customdata[0]}", key_position="%{customdata[1]}", **fields)
    figure = go.Figure(
        go.Heatmap(
            z=_wire(weights),
            text=_numbers(weights, value, palette) if few else None,
            customdata=positions,
            hovertemplate=hover + "<extra></extra>",
            **look,
        )
    )

    places = [-1 - SPECIAL_GAP, *(n_words + i + SPECIAL_GAP for i in range(len(special_names) - 1))][
        : len(special_names)
    ]
    hover = texts.hover_special.format(query_position="%{customdata[0]}", **fields)
    for i, place in enumerate(places):
        figure.add_heatmap(
            z=_wire(special[:, i : i + 1]),
            text=_numbers(special[:, i : i + 1], value, palette) if few else None,
            customdata=rows[:, None, None],
            x0=place,
            dx=1,
            hovertemplate=hover + "<extra></extra>",
            **look,
        )

    left, right = min([0, *places]) - 0.5, max([n_words - 1, *places]) + 0.5
    if chosen is not None:
        ring = {"color": palette.query, "width": 2.5}
        figure.add_shape(type="rect", x0=left, x1=right, y0=chosen - 0.5, y1=chosen + 0.5, line=ring)
    axis = {
        "tickmode": "array",
        "tickfont": {"size": 15 if few else 12.5, "color": palette.ink},
        "title": {"font": {"size": 13, "color": palette.soft}, "standoff": 8},
        "automargin": True,
        "showgrid": False,
        "zeroline": False,
        "showline": False,
        "ticks": "",
        "ticklabelstandoff": 5,
    }
    figure.update_xaxes(
        axis,
        title_text=texts.column_title,
        tickvals=[*range(n_words), *places],
        ticktext=[_literal(label) for label in (*labels, *special_names)],
        side="top",
        tickangle=0 if few else -90,
        range=[left, right],
    )
    figure.update_yaxes(
        axis,
        title_text=texts.row_title,
        tickvals=list(range(n_words)),
        ticktext=[_marked(label, palette.query) if i == chosen else _literal(label) for i, label in enumerate(labels)],
        range=[n_words - 0.5, -0.5],
    )
    figure.update_layout(
        template=None,
        height=n_words * (CELL_HEIGHT if few else NARROW_CELL) + 110,
        margin={"l": 8, "r": 8, "t": 8, "b": 8},
        paper_bgcolor="rgba(0,0,0,0)",
        plot_bgcolor="rgba(0,0,0,0)",
        font={"family": texts.font, "color": palette.ink},
        hoverlabel={"font": {"size": 15, "family": texts.font}, "align": "left"},
        dragmode=False,
    )
    return figure


def heatmap_width(n_words: int, n_special: int) -> tuple[int, int]:
    """Least and greatest width in px at which the figure reads well: below, its card scrolls."""
    columns = n_words + n_special
    return columns * (40 if n_words <= NUMBERS_UP_TO else 17) + 100, columns * 110 + 120


def _wire(weights: FloatArray) -> FloatArray:
    return np.round(weights, 4).astype(np.float32)


def _numbers(weights: FloatArray, spec: str, palette: Palette) -> list[list[str]]:
    """The cells' texts; on a dark cell the number changes its colour."""
    usual = palette.ink_on(0)

    def number(weight: float) -> str:
        ink = palette.ink_on(weight)
        return f"{weight:{spec}}" if ink == usual else f'<span style="color:{ink}">{weight:{spec}}</span>'

    return [[number(float(weight)) for weight in row] for row in weights]


def _literal(label: str) -> str:
    """A label as plotly shows it literally: its texts know a few tags and entities."""
    return escape(label, quote=False)


def _marked(label: str, color: str) -> str:
    return f'<b><span style="color:{color}">{_literal(label)}</span></b>'

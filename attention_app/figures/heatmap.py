"""The heatmap of one head: rows look, columns are looked at."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from html import escape

import numpy as np

from attention_app.figures.numbers import DIGITS, number
from attention_app.figures.palette import Palette
from attention_core.trace import BoolArray, FloatArray
from attention_core.words import graphemes

NUMBERS_UP_TO = 12  # words: beyond, a number no longer fits its cell
CELL_HEIGHT = 42  # px, while numbers stand in the cells
NARROW_CELL = 19  # px, beyond: a label of 12.5 px still fits
LEVEL_LABEL = 76  # px: a longer label above its column stands upright
SPECIAL_GAP = 0.25  # of a cell, between the words and the special tokens


@dataclass(frozen=True)
class HeatmapTexts:
    """Titles of the axes, the name of the column of removed mass, and how a cell is read.

    Fields of the hover texts: query, key, query_position, key_position, value.
    """

    row_title: str
    column_title: str
    hover: str
    hover_special: str
    hover_removed: str
    removed: str
    hidden: str
    font: str


@dataclass(frozen=True)
class HeatmapView:
    """How the numbers are shown.

    chosen        the marked row, or with `by_column` the marked column; None for none
    by_row_scale  the darkest colour is each row's largest weight, not 1
    numbers       False: no number anywhere
    zoom          how much larger everything is than on a laptop: type, rows
    asked         the row (or with `by_column` the column) that a class still guesses: question marks, no colours
    """

    chosen: int | None
    decimals: int
    by_column: bool = False
    by_row_scale: bool = False
    numbers: bool = True
    zoom: float = 1.0
    asked: int | None = None


def attention_heatmap(
    weights: FloatArray,
    special: FloatArray,
    labels: Sequence[str],
    special_names: Sequence[str],
    *,
    removed: FloatArray | None = None,
    view: HeatmapView,
    texts: HeatmapTexts,
    palette: Palette,
) -> tuple[list[dict[str, object]], dict[str, object]]:
    """The traces and the layout of a plotly figure.

    Weights (n_words, n_words) and special (n_words, n_special), all between 0 and 1; first word on top. The
    columns stand in the order in which the model reads: the first special token, the words, the other ones. Axes
    are numeric with the labels as tick texts, so that a word that occurs twice keeps two rows. `removed` (n_words,) is
    what hidden special tokens held: a grey column of its own, for it is no part of the row.
    """
    n_words = len(labels)
    few = n_words <= NUMBERS_UP_TO
    written = few and view.numbers
    top = np.concatenate([weights, special], axis=1).max(axis=1, keepdims=True) if view.by_row_scale else None

    rows = np.arange(1, n_words + 1, dtype=np.uint8)
    positions = np.stack(np.meshgrid(rows, rows, indexing="ij"), axis=-1)  # (n_words, n_words, 2)
    look = {
        "zmin": 0,
        "zmax": 1,
        "showscale": False,
        "xgap": 2 if few else 1,
        "ygap": 2 if few else 1,
        "textfont": {"size": 13 * view.zoom, "color": palette.ink_on(0)},
    }

    guessed = np.zeros((n_words, n_words + len(special_names)), dtype=bool)
    if view.asked is not None:
        guessed[(slice(None), view.asked) if view.by_column else view.asked] = True

    def cells(values: FloatArray, guessed: BoolArray) -> dict[str, object]:
        """Colours, and the numbers on them and on hover; nothing of the values that are guessed."""
        shades = np.where(guessed, 0, _shades(values, top))
        made: dict[str, object] = {"z": _wire(shades)}
        if written:
            made["text"] = _numbers(values, shades, view.decimals, palette)
        elif few and guessed.any():
            made["text"] = np.where(guessed, texts.hidden, "").tolist()
        if "text" in made:
            made["texttemplate"] = "%{text}"
        if top is not None and view.numbers:
            made["hovertext"] = [[number(value, view.decimals) for value in row] for row in values]
        return made

    value = texts.hidden if not view.numbers else f"%{{z:.{view.decimals}f}}" if top is None else "%{text}"
    fields = {"query": "%{y}", "key": "%{x}", "value": value}
    hover = texts.hover.format(query_position="%{customdata[0]}", key_position="%{customdata[1]}", **fields)
    traces: list[dict[str, object]] = [
        {
            "customdata": positions,
            "hovertemplate": hover + "<extra></extra>",
            "colorscale": palette.weight_scale,
            **cells(weights, guessed[:, :n_words]),
            **look,
        }
    ]

    places = special_places(n_words, len(special_names))
    hover = texts.hover_special.format(query_position="%{customdata[0]}", **fields)
    for i, place in enumerate(places):
        traces.append(
            {
                "customdata": rows[:, None, None],
                "x0": place,
                "dx": 1,
                "hovertemplate": hover + "<extra></extra>",
                "colorscale": palette.weight_scale,
                **cells(special[:, i : i + 1], guessed[:, n_words + i, None]),
                **look,
            }
        )

    names, ticks = [*labels, *special_names], [*range(n_words), *places]
    left, right = min([0, *places]) - 0.5, max([n_words - 1, *places]) + 0.5
    inner = right
    if removed is not None:
        names, ticks = [*names, texts.removed], [*ticks, right + SPECIAL_GAP + 0.5]
        right += SPECIAL_GAP + 1
        gone = removed[:, None]
        value = f"%{{z:.{view.decimals}f}}" if view.numbers else texts.hidden
        written_text = {"text": _numbers(gone, gone, view.decimals, palette, grey=True), "texttemplate": "%{text}"}
        traces.append(
            {
                "z": _wire(gone),
                **(written_text if written else {}),
                "x0": ticks[-1],
                "dx": 1,
                "hovertemplate": texts.hover_removed.format(query="%{y}", value=value) + "<extra></extra>",
                "colorscale": [[0.0, palette.paper], [1.0, palette.soft]],
                **look,
            }
        )

    shapes: list[dict[str, object]] = []
    if view.chosen is not None:
        ring = {"color": palette.key if view.by_column else palette.query, "width": 2.5}
        across = {"x0": left, "x1": inner, "y0": view.chosen - 0.5, "y1": view.chosen + 0.5}
        down = {"x0": view.chosen - 0.5, "x1": view.chosen + 0.5, "y0": -0.5, "y1": n_words - 0.5}
        shapes.append({"type": "rect", "line": ring, **(down if view.by_column else across)})
    axis = {
        "tickmode": "array",
        "tickfont": {"size": (15 if few else 12.5) * view.zoom, "color": palette.ink},
        "automargin": True,
        "showgrid": False,
        "zeroline": False,
        "showline": False,
        "ticks": "",
        "ticklabelstandoff": 5,
    }
    title = {"font": {"size": 13 * view.zoom, "color": palette.soft}, "standoff": 8}
    chosen_row, chosen_column = (None, view.chosen) if view.by_column else (view.chosen, None)
    layout: dict[str, object] = {
        "height": (n_words * (CELL_HEIGHT if few else NARROW_CELL) + 110) * view.zoom,
        "margin": {"l": 8, "r": 8, "t": 8, "b": 8},
        "paper_bgcolor": "rgba(0,0,0,0)",
        "plot_bgcolor": "rgba(0,0,0,0)",
        "font": {"family": texts.font, "color": palette.ink},
        "hoverlabel": {"font": {"size": 15 * view.zoom, "family": texts.font}, "align": "left"},
        "dragmode": False,
        "shapes": shapes,
        "xaxis": {
            **axis,
            "title": {**title, "text": texts.column_title},
            "tickvals": ticks,
            "ticktext": [tick(name, palette.key if i == chosen_column else None) for i, name in enumerate(names)],
            "side": "top",
            "tickangle": 0 if few and _label_width(names) <= LEVEL_LABEL else -90,
            "range": [left, right],
        },
        "yaxis": {
            **axis,
            "title": {**title, "text": texts.row_title},
            "tickvals": list(range(n_words)),
            "ticktext": [tick(name, palette.query if i == chosen_row else None) for i, name in enumerate(labels)],
            "range": [n_words - 0.5, -0.5],
        },
    }
    return [{"type": "heatmap", **trace} for trace in traces], layout


def special_places(n_words: int, n_special: int) -> list[float]:
    """Where the special tokens stand on the x axis, in their order."""
    return [-1 - SPECIAL_GAP, *(n_words + i + SPECIAL_GAP for i in range(n_special - 1))][:n_special]


def heatmap_width(labels: Sequence[str], n_other: int, *, decimals: int = 2) -> tuple[int, int]:
    """Least and greatest width in px at which the figure reads well: below, its card scrolls.

    n_other counts the columns that are not words.
    """
    columns, few = len(labels) + n_other, len(labels) <= NUMBERS_UP_TO
    label = _label_width(labels)
    cell = max(
        40, 8 * (decimals + 2) + 6, label + 6 if label <= LEVEL_LABEL else 0
    )  # the number, the name and some air
    return columns * (cell if few else 17) + 60 + min(label, 160), columns * 110 + 60 + min(label, 160)


def _label_width(labels: Sequence[str]) -> int:
    """About how wide the longest label is in px, at the larger of the two sizes.

    Counted as a reader counts: a family emoji is seven code points and one picture.
    """
    return max(sum(16 if max(map(ord, one)) > 0x2E7F else 9 for one in graphemes(label)) for label in labels)


def _shades(values: FloatArray, top: FloatArray | None) -> FloatArray:
    """How dark each cell is, 0-1: the value itself, or its share of the row's largest one."""
    if top is None:
        return values
    return np.divide(values, top, out=np.zeros_like(values), where=top > 0)


def _wire(values: FloatArray) -> FloatArray:
    # float32 holds what a learner can ask for; the nudge is that of `number`, at float32's resolution.
    return (np.round(values.astype(np.float64), DIGITS) + 2e-8).astype(np.float32)


def _numbers(
    values: FloatArray, shades: FloatArray, decimals: int, palette: Palette, *, grey: bool = False
) -> list[list[str]]:
    """The cells' texts; on a dark cell the number changes its colour."""
    usual = palette.ink_on(0)
    dark = replace(palette, key=palette.soft) if grey else palette

    def text(value: float, shade: float) -> str:
        ink = dark.ink_on(shade)
        shown = number(value, decimals)
        return shown if ink == usual else f'<span style="color:{ink}">{shown}</span>'

    return [
        [text(float(v), float(s)) for v, s in zip(vs, ss, strict=True)] for vs, ss in zip(values, shades, strict=True)
    ]


def tick(label: str, color: str | None) -> str:
    """A label as plotly shows it literally, for its texts know a few tags and entities; coloured when it is chosen."""
    literal = escape(label, quote=False)
    return literal if color is None else f'<b><span style="color:{color}">{literal}</span></b>'

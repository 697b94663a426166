"""The heatmap: rows look, columns are looked at; numbers in the cells while they fit."""

from __future__ import annotations

from dataclasses import dataclass

from attention_app.figures.heatmap import NUMBERS_UP_TO
from attention_app.figures.palette import Palette
from attention_app.figures.svg.markup import element, label, number, text_width
from attention_app.figures.svg.sheet import Caption, sheet
from attention_app.figures.svg.view import View

CELL, NARROW_CELL = 42, 19  # px
GAP = 0.25  # of a cell, between the words and the special tokens


@dataclass(frozen=True)
class Axes:
    """The titles of the axes."""

    rows: str
    columns: str


@dataclass(frozen=True)
class Grid:
    """Where the cells stand: x of each column's left side, width and height of a cell, the upper left corner."""

    x: tuple[float, ...]
    cell_width: float
    cell_height: float
    left: float
    top: float
    width: float
    height: float
    few: bool

    def right(self) -> float:
        return self.x[-1] + self.cell_width


def grid(view: View) -> Grid:
    columns, few = view.columns, len(view.labels) <= NUMBERS_UP_TO
    size = 16 if few else 13
    names = max(text_width(name, size) for name in view.labels)
    heads = max(text_width(column.name, size) for column in columns)
    cell = float(CELL if few else NARROW_CELL)
    # Upright column names must fit beside each other; longer ones are turned, like those of many columns.
    wide = max(cell, heads + 8, text_width(view.shown(0), 13) + 8) if few and heads <= 90 else cell
    if few:
        wide = max(wide, text_width(view.shown(0), 13) + 8)
    upright = few and heads <= 90
    left, top = names + 12, 26 + (size + 12 if upright else heads + 12)
    x, at = [], left
    for before, column in zip([None, *columns], columns, strict=False):
        at += wide * GAP if before is not None and before.special != column.special else 0
        x.append(at)
        at += wide
    return Grid(tuple(x), wide, cell, left, top, at, top + cell * len(view.labels) + 4, upright)


def heatmap(view: View, axes: Axes, caption: Caption, palette: Palette) -> str:
    """The whole file."""
    place = grid(view)
    return sheet(matrix(view, place, axes, palette), max(place.width, 200), place.height, caption, palette)


def matrix(view: View, place: Grid, axes: Axes, palette: Palette) -> str:
    """Axis titles, names, cells, and a ring around what is chosen."""
    return "".join(
        (
            label(f"{axes.rows} ↓", 0, 13, font_size=13, fill=palette.soft),
            label(
                f"{axes.columns} →",
                max(place.left, text_width(axes.rows, 13) + 32),
                13,
                font_size=13,
                fill=palette.soft,
            ),
            _names(view, place, palette),
            _cells(view, place, palette),
            _ring(view, place, palette),
        )
    )


def _names(view: View, place: Grid, palette: Palette) -> str:
    size = 16 if len(view.labels) <= NUMBERS_UP_TO else 13
    chosen = {"fill": palette.query, "font_weight": 700}
    rows = []
    for i, name in enumerate(view.labels):
        marked = chosen if i == view.chosen and view.direction == "out" else {}
        y = place.top + place.cell_height * (i + 0.5) + size * 0.36
        rows.append(label(name, place.left - 10, y, **marked))
    columns = []
    for x, column in zip(place.x, view.columns, strict=True):
        marked = {"fill": palette.soft} if column.special else {}
        if view.direction == "in" and not column.special and column.index == view.chosen:
            marked = chosen
        middle = x + place.cell_width / 2
        if place.few:
            columns.append(label(column.name, middle, place.top - 10, text_anchor="middle", **marked))
        else:
            turn = f"translate({middle + size * 0.36:.1f} {place.top - 8:.1f}) rotate(-90)"
            columns.append(label(column.name, 0, 0, transform=turn, text_anchor="start", **marked))
    return element("g", *rows, class_="rows", font_size=size, text_anchor="end") + element(
        "g", *columns, class_="columns", font_size=size
    )


def _cells(view: View, place: Grid, palette: Palette) -> str:
    """A shade over paper is the same colour as the straight way from paper to key."""
    few = len(view.labels) <= NUMBERS_UP_TO
    gap = 2 if few else 1
    wide, high = place.cell_width - gap, place.cell_height - gap
    drawn, numbers = [], []
    for row in range(len(view.labels)):
        middle = place.top + place.cell_height * (row + 0.5)
        cells = []
        for x, column in zip(place.x, view.columns, strict=True):
            shade = view.shade(row, column)
            if opacity := f"{shade:.3f}".strip("0").rstrip("."):  # a cell of weight 0 is paper
                # One stroke from left to right is the shortest way to write a cell.
                cells.append(element("path", d=f"M{x + gap / 2:.4g} 0h{wide:.4g}", stroke_opacity=opacity))
            if few:
                shown = view.shown(view.weight(row, column))
                ink = palette.ink_on(shade)
                numbers.append(label(shown, x + place.cell_width / 2, middle + 4.5, fill=ink))
        drawn.append(element("g", *cells, transform=f"translate(0 {number(middle)})"))
    painted = element("g", *drawn, class_="cells", stroke=palette.key, stroke_width=high)
    frame = {"fill": "none", "stroke": palette.line}
    edge = [
        element("rect", x=x, y=place.top, width=width, height=place.cell_height * len(view.labels), **frame)
        for x, width in _blocks(view, place)
    ]
    return element("g", *edge) + painted + element("g", *numbers, class_="numbers", font_size=13, text_anchor="middle")


def _blocks(view: View, place: Grid) -> list[tuple[float, float]]:
    """Left side and width of the words' block and of each special token's."""
    words = [x for x, column in zip(place.x, view.columns, strict=True) if not column.special]
    blocks = [(words[0], words[-1] + place.cell_width - words[0])]
    return blocks + [(x, place.cell_width) for x, column in zip(place.x, view.columns, strict=True) if column.special]


def _ring(view: View, place: Grid, palette: Palette) -> str:
    if view.chosen is None:
        return ""
    ring = {"fill": "none", "stroke": palette.query, "stroke_width": 2.5, "rx": 4, "class_": "ring"}
    if view.direction == "out":
        y = place.top + place.cell_height * view.chosen
        width = place.right() - place.left
        return element("rect", x=place.left, y=float(y), width=width, height=place.cell_height, **ring)
    x = next(x for x, c in zip(place.x, view.columns, strict=True) if not c.special and c.index == view.chosen)
    height = place.cell_height * len(view.labels)
    return element("rect", x=x, y=place.top, width=place.cell_width, height=height, **ring)

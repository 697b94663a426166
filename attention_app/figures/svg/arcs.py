"""The line view: the words in one line, an arc to each word that is looked at, its weight as a bar and a number."""

from __future__ import annotations

from dataclasses import dataclass

from attention_app.figures.palette import Palette
from attention_app.figures.svg.markup import element, label, text_width
from attention_app.figures.svg.sheet import Caption, sheet
from attention_app.figures.svg.view import Column, View

WORD, SPECIAL, NUMBER = 21, 15, 13  # font sizes in px
BAR = 62  # px high for a weight of 1
FAR = 300  # px above the words that the widest arc's handles stand


@dataclass(frozen=True)
class Layout:
    """Where the columns stand: their middles, the base line of the words, the size of the whole."""

    x: tuple[float, ...]
    base: float
    width: float
    height: float


def layout(view: View) -> Layout:
    widths = []
    for column in view.columns:
        size = SPECIAL if column.special else WORD
        widths.append(max(44.0, text_width(column.name, size) + 18, text_width(view.shown(0), NUMBER) + 14))
    middles, at = [], 0.0
    for width in widths:
        middles.append(at + width / 2)
        at += width
    base = 0.75 * handle(middles[-1] - middles[0]) + 34
    below = 14 if view.chosen is None else 18 + BAR + 24
    return Layout(tuple(middles), base, at, base + below)


def handle(distance: float) -> float:
    """How far above the words the handles of an arc over `distance` px stand; the arc reaches three quarters of it."""
    return 46.0 if distance == 0 else 34 + (FAR - 34) * min(1.0, distance / 900) ** 0.75


def arc(start: float, end: float, y: float) -> str:
    """The path of an arc between two middles; a loop where they are the same."""
    rise = y - handle(abs(end - start))
    a, b, up, down = (f"{value:.1f}" for value in (start, end, rise, y))
    if start != end:
        return f"M{a} {down}C{a} {up} {b} {up} {b} {down}"
    return f"M{start - 7:.1f} {down}C{start - 34:.1f} {up} {start + 34:.1f} {up} {start + 7:.1f} {down}"


def arcs(view: View, caption: Caption, palette: Palette) -> str:
    """The whole file."""
    place = layout(view)
    return sheet(line_view(view, place, palette), place.width, place.height, caption, palette)


def line_view(view: View, place: Layout, palette: Palette) -> str:
    """Arcs, words, bars and numbers; each word is a group with the class "word"."""
    columns = view.columns
    rows = range(len(view.labels)) if view.chosen is None else [view.chosen]
    drawn = [_arc(view, place, row, i, column) for row in rows for i, column in enumerate(columns)]
    words = []
    for i, column in enumerate(columns):
        chosen = not column.special and column.index == view.chosen
        word = label(
            column.name,
            place.x[i],
            place.base,
            font_size=SPECIAL if column.special else WORD,
            font_weight=700 if chosen else None,
            fill=palette.query if chosen else palette.soft if column.special else None,
        )
        below = "" if view.chosen is None else _bar(view, place, palette, i, view.between(view.chosen, column))
        words.append(element("g", word, below, class_="word"))
    lines = element("g", *drawn, class_="arcs", fill="none", stroke=palette.key, stroke_linecap="round")
    return lines + element("g", *words, class_="words", text_anchor="middle")


def _arc(view: View, place: Layout, row: int, i: int, column: Column) -> str:
    weight = view.between(row, column)
    if weight is None or weight < max(view.least, 1e-9):
        return ""
    here = next(x for x, c in zip(place.x, view.columns, strict=True) if not c.special and c.index == row)
    ends = (here, place.x[i]) if view.direction == "out" else (place.x[i], here)
    return element(
        "path",
        d=arc(*ends, place.base - WORD - 5),
        stroke_width=1.2 + 12.8 * weight,
        stroke_opacity=0.28 + 0.72 * weight,
    )


def _bar(view: View, place: Layout, palette: Palette, i: int, weight: float | None) -> str:
    if weight is None:
        return ""
    top, high = place.base + 14, max(1.0, weight * BAR)
    bar = {"rx": min(4.0, high / 2), "fill": palette.key, "fill_opacity": 0.25 + 0.75 * weight}
    return element("rect", x=place.x[i] - 15, y=top, width=30, height=high, **bar) + label(
        view.shown(weight), place.x[i], top + high + 17, font_size=NUMBER, fill=palette.soft, class_="number"
    )

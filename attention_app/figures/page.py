"""The stand-alone page: one HTML file with lines and heatmap, offline, for mouse, finger and keys."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from attention_app.figures.document import document
from attention_app.figures.palette import Palette
from attention_app.figures.svg import arcs, heatmap
from attention_app.figures.svg.markup import element, text
from attention_app.figures.svg.sheet import Caption, svg
from attention_app.figures.svg.view import View

_HERE = Path(__file__).parent


@dataclass(frozen=True)
class _BothThemes(Palette):
    """A palette of CSS variables, which page.css and the reader's light or dark fill in."""

    light: Palette
    dark: Palette

    def ink_on(self, weight: float) -> str:
        black = [theme.ink_on(weight) == "#000000" for theme in (self.light, self.dark)]
        return f"var(--on-{_BLACK[black[0]]}-{_BLACK[black[1]]})"


_BLACK = {True: "black", False: "white"}


def page(
    view: View,
    axes: heatmap.Axes,
    caption: Caption,
    words: Mapping[str, str],
    *,
    light: Palette,
    dark: Palette,
) -> str:
    """The whole file. words: the texts of the page, with their fields where the script fills them in."""
    names = {role: f"var(--{role})" for role in asdict(light)}
    palette = _BothThemes(**names, light=light, dark=dark)
    lines, cells = arcs.layout(replace(view, chosen=view.chosen or 0)), heatmap.grid(view)
    drawn_lines = arcs.line_view(view, lines, palette)
    drawn_cells = heatmap.matrix(view, cells, axes, palette)
    columns = view.columns
    data = {
        "columns": [asdict(column) for column in columns],
        "rows": list(view.labels),
        "weights": [[round(view.weight(row, c), 6) for c in columns] for row in range(len(view.labels))],
        "chosen": view.chosen,
        "direction": view.direction,
        "decimals": view.decimals,
        "numbers": view.numbers,
        "least": view.least,
        "lines": asdict(lines),
        "cells": asdict(cells),
        "words": dict(words),
    }
    style = _variables(light, dark) + (_HERE / "page.css").read_text("utf-8")
    script = (_HERE / "page.js").read_text("utf-8")
    body = "".join(
        (
            element("h1", text(caption.sentence)),
            element("p", text(caption.origin), element("span", text(caption.badge), class_="badge"), class_="origin"),
            element("p", text(words["hint"]), class_="hint"),
            '<p id="said" class="said" role="status"></p>',
            '<div class="cards">',
            _card("lines", words["arcs"], lines.width, lines.height + 8, caption, palette, drawn_lines),
            _card("cells", words["heatmap"], max(cells.width, 260) + 4, cells.height, caption, palette, drawn_cells),
            "</div>",
            *(element("p", text(note), class_="note") for note in caption.notes),
            element("footer", text(words["made"])),
        )
    )
    return document(body, title=caption.title, language=caption.language, style=style, script=script, data=data)


def _card(name: str, title: str, width: float, height: float, caption: Caption, palette: Palette, drawn: str) -> str:
    picture = svg(width, height, caption, palette, drawn)
    return element(
        "section", element("h2", text(title)), element("div", picture, class_="scroll"), id=name, class_="card"
    )


def _variables(light: Palette, dark: Palette) -> str:
    def rules(theme: Palette, which: int) -> str:
        colors = "".join(f"--{role}:{color};" for role, color in asdict(theme).items())
        pairs = ("black-black", "black-white", "white-black", "white-white")
        on = "".join(f"--on-{pair}:{pair.split('-')[which]};" for pair in pairs)
        return f":root{{{colors}{on}}}"

    return f"{rules(light, 0)}@media(prefers-color-scheme:dark){{{rules(dark, 1)}}}"

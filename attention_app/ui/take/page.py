"""The page as one HTML file: its cards with the very views that are on the screen, linked hovering included.

What needs a server stays out: switches are not offered, and numbers can be looked at but not changed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import streamlit as st

import attention_core
from attention_app.components import Shown, view_code
from attention_app.figures.document import document
from attention_app.figures.svg.markup import element, text
from attention_app.ui.take.kept import Take
from attention_app.ui.take.screen import Said, Section

_HERE = Path(__file__).parent
_VIEWS = ("given", "matrix", "blocks")
_NEEDS_A_SERVER = ("switches",)
_COLORS = "text background secondaryBackground border orange blue green violet yellow gray"


def html(take: Take) -> str:
    """The whole file, for light and dark."""
    t = take.t
    numbers: dict[str, int] = {}
    views: list[Shown] = []
    cards = "".join(_card(section, views) for section in take.sections)
    data = {"views": [[view, _without_server(view, data, numbers)] for view, data in views], "numbers": list(numbers)}
    body = "".join(
        (
            element("h1", text(take.sentence)),
            element("p", text(take.origin), element("span", text(take.badge), class_="badge"), class_="origin"),
            element("p", text(t("take.html_hint")), class_="hint"),
            cards,
            element("footer", text(t("take.made", version=attention_core.__version__))),
        )
    )
    script = (_HERE / "page.js").read_text("utf-8").replace("VIEWS", view_code(_VIEWS))
    title = t("take.html_title", page=t(f"page.{take.name}"), sentence=take.sentence, badge=take.badge)
    style = _colors() + (_HERE / "page.css").read_text("utf-8")
    return document(body, title=title, language=t.language, style=style, script=script, data=data)


def _card(section: Section, views: list[Shown]) -> str:
    """A card; its views are drawn by the script, each in its place."""
    parts = [element("h2", text(section.title)), element("p", text(section.idea), class_="idea")]
    for part in section.parts:
        if isinstance(part, Said):
            parts.append(element(part.tag, text(part.text)))
        elif part.view in _VIEWS and part.data.get("face") not in _NEEDS_A_SERVER:
            parts.append(element("div", "", data_view=str(len(views)), class_="view"))
            views.append(part)
    return element("section", *parts, class_="card")


def _without_server(view: str, data: Mapping[str, Any], numbers: dict[str, int]) -> dict[str, Any]:
    """The data of a view; numbers that several matrices share stand in the file once."""
    if view == "blocks":
        texts = {**data["texts"], "how": ""} if "how" in data["texts"] else data["texts"]
        return {**data, "texts": texts}
    if view != "given":
        return dict(data)

    def once(matrix: Mapping[str, Any]) -> dict[str, Any]:
        values = matrix["values"]
        at = numbers.setdefault(values["data"], len(numbers))
        return {**matrix, "values": {**values, "data": at}, "editable": False}

    content = data["content"]
    shared = {"sources": [once(matrix) for matrix in content["sources"]], "result": once(content["result"])}
    return {**data, "content": {**content, **shared}}


def _colors() -> str:
    """The theme as the variables that the views know, in light and dark."""
    light, dark = (list(_variables(theme)) for theme in ("light", "dark"))
    return f":root{{{''.join(light)}}}@media(prefers-color-scheme:dark){{:root{{{''.join(dark)}}}}}"


def _variables(theme: str) -> Iterator[str]:
    for name in _COLORS.split():
        variable = "".join(f"-{letter.lower()}" if letter.isupper() else letter for letter in name)
        yield f"--st-{variable}-color:{st.get_option(f'theme.{theme}.{name}Color')};"

"""Our own small views: one folder each with view.js and view.css, drawn in the browser without a build step.

A view's `export default function({data, parentElement, setTriggerValue})` is called at every change of its data, draws
everything anew and returns what ends it. What a person typed enters the page as text only. base.js holds what views
share, with the one event by which they follow each other's hovering; end.js ends a view before it is drawn anew.

Streamlit sends a view's code with every change of its data, at a click on a word many times as much as the data.
Therefore the code of all views travels as one component of its own, whose message never changes and is sent once
(`send_code`); what is registered as a view only waits for that code and hands over the data. Large data that a click
does not change travels apart for the same reason (`given`).

What a page shows can be taken along: `recording` notes the data of every view, `view_code` gives the code to draw it.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import Any, NamedTuple, TypeGuard

import streamlit as st
from streamlit.components.v2.types import ComponentRenderer

_HERE = Path(__file__).parent
_DRAW = "export default function ("
_MEET = """\
const meet = () => {
  const code = {};
  code.promise = new Promise((resolve) => (code.resolve = resolve));
  return code;
};
const code = (document.attentionCode ??= meet()); // whichever comes first, the code or a view
"""


class Shown(NamedTuple):
    """A view that was drawn: its folder, and the data it was given."""

    view: str
    data: Any


_shown: ContextVar[list[Any] | None] = ContextVar("shown", default=None)


@contextmanager
def recording(into: list[Any]) -> Iterator[None]:
    """Every view that is drawn inside the block is appended to the list, as a `Shown`."""
    before = _shown.set(into)
    try:
        yield
    finally:
        _shown.reset(before)


def register(name: str) -> ComponentRenderer:
    """Register the view in folder `name`; call it once, at import."""
    if not (_HERE / name / "view.js").is_file():
        raise ValueError(f"no view in {name}/")
    js = f"{_MEET}export default async (component) => (await code.promise)[{json.dumps(name)}](component);\n"
    mount = st.components.v2.component(f"attention.{name}", html='<div class="root"></div>', js=js)

    def show(*, data: Any = None, **options: Any) -> Any:
        views = _shown.get()
        if views is not None:
            views.append(Shown(name, data))
        return mount(data=data, **options)

    return show


def is_index(sent: object, n: int) -> TypeGuard[int]:
    """Whether this is a number from 0 to n - 1. What a browser sent may be anything; True and 1.0 are none."""
    return type(sent) is int and 0 <= sent < n


def send_code() -> None:
    """Send the code of all views; once in every run of a page."""
    _mount_code(key="views", height=1)


def _view(folder: Path) -> str:
    """One view as a JavaScript expression: what draws it, with its style sheet."""
    base_css, base, end = ((_HERE / file).read_text("utf-8") for file in ("base.css", "base.js", "end.js"))
    view, css = ((folder / file).read_text("utf-8") for file in ("view.js", "view.css"))
    if view.count(_DRAW) != 1:
        raise ValueError(f"{folder.name}/view.js needs one `{_DRAW}...)`")
    sheet = f"const sheet = new CSSStyleSheet();\nsheet.replaceSync({json.dumps(base_css + css)});\n"
    return f"(() => {{\n{sheet}{base}\n{view.replace(_DRAW, 'function drawView(')}\n{end}}})()"


def view_code(names: Collection[str]) -> str:
    """These views as a JavaScript object: name -> what draws it, called with {data, parentElement, setTriggerValue}.

    parentElement is a shadow root with a <div class="root"> in it.
    """
    views = ",\n".join(f"{json.dumps(name)}: {_view(_HERE / name)}" for name in names)
    return f"{{\n{views}\n}}"


def _code() -> str:
    views = view_code(sorted(path.parent.name for path in _HERE.glob("*/view.js")))
    return f"{_MEET}const views = {views};\nexport default () => code.resolve(views);\n"


_mount_code = st.components.v2.component("attention.views", js=_code())

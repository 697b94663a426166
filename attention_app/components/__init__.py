"""Our own small views: one folder each with view.js and view.css, drawn in the browser without a build step.

A view's `export default function({data, parentElement, setTriggerValue})` is called at every change of its data, draws
everything anew and returns what ends it. What a person typed enters the page as text only. base.js holds what views
share, with the one event by which they follow each other's hovering; end.js ends a view before it is drawn anew.
"""

from __future__ import annotations

from pathlib import Path

import streamlit as st
from streamlit.components.v2.types import ComponentRenderer

_HERE = Path(__file__).parent
_DRAW = "export default function ("


def register(name: str) -> ComponentRenderer:
    """Register the view in folder `name`; call it once, at import."""
    folder = _HERE / name
    css = (_HERE / "base.css").read_text("utf-8") + (folder / "view.css").read_text("utf-8")
    view = (folder / "view.js").read_text("utf-8")
    if view.count(_DRAW) != 1:
        raise ValueError(f"{name}/view.js needs one `{_DRAW}...)`")
    ours = [(_HERE / file).read_text("utf-8") for file in ("base.js", "end.js")]
    js = view.replace(_DRAW, "function drawView(").join(ours)
    return st.components.v2.component(f"attention.{name}", html='<div class="root"></div>', css=css, js=js)

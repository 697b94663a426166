"""A button that draws an SVG into a PNG in the browser and saves it; the server sends the SVG only when asked."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypedDict

import streamlit as st

from attention_app.components import register

BUTTON_WIDTH = 84  # px
_mount = register("png")


class Words(TypedDict):
    """What the button says: its text, its full name for a screen reader, while it draws, and when it cannot."""

    button: str
    name: str
    busy: str
    failed: str


def png(key: str, words: Words, *, file_name: str, make_svg: Callable[[], str]) -> None:
    """Show the button. `make_svg` runs only in the run that a click has started."""

    def clicked() -> None:
        ticket = st.session_state[key].get("ask")
        if isinstance(ticket, int):
            st.session_state[f"_{key}"] = ticket

    ticket = st.session_state.pop(f"_{key}", None)
    # The ticket comes back with the picture: the browser saves what it has asked for, once.
    picture = {"svg": make_svg(), "ticket": ticket} if isinstance(ticket, int) else None
    data = {"words": dict(words), "file": file_name, "picture": picture}
    _mount(key=key, data=data, width=BUTTON_WIDTH, on_ask_change=clicked)

"""Tells the server when the visitor switches between light and dark: figures carry their colours with them.

Streamlit repaints its own widgets at a switch but does not run the script again.
"""

from __future__ import annotations

from attention_app.components import register

_mount = register("theme")


def follow_theme(known: str) -> None:
    """`known` is the theme ("light" or "dark") this run draws for; another one in the browser starts a new run."""
    _mount(key="theme", data={"known": known}, height=1, on_switched_change=lambda: None)

"""Keeps page and server of one mind: light or dark, and the language a screen reader reads in.

Figures carry their colours with them, and Streamlit repaints its own widgets at a switch without running the script
again; and it calls every page English.
"""

from __future__ import annotations

from attention_app.components import register

_mount = register("theme")


def follow_theme(known: str, language: str) -> None:
    """`known` is the theme ("light" or "dark") this run draws for; another one in the browser starts a new run.

    language: "zh" or "en".
    """
    _mount(key="theme", data={"known": known, "language": language}, height=1, on_switched_change=lambda: None)

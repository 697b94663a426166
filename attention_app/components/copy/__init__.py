"""The link to what is on the screen, and a button that copies it. The browser knows it: the address bar holds it."""

from __future__ import annotations

from typing import TypedDict

from attention_app.components import register

_mount = register("copy")


class Words(TypedDict):
    """Name of the field, the button's text, what is said when the link was copied and when it could not be."""

    field: str
    button: str
    done: str
    failed: str


def copy_link(words: Words, *, origin: str = "") -> None:
    """The link in a field with its copy button; `origin` replaces the address's beginning where others know another."""
    _mount(key="copy", data={"words": dict(words), "origin": origin})

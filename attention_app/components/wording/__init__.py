"""Streamlit's own few words (its menu, the names of its buttons for a screen reader) in the reader's language."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from attention_app.components import register

_mount = register("wording")


def follow_wording(words: Mapping[str, str], helped: str, known: Sequence[str]) -> None:
    """Streamlit speaks English only, and draws its words anew at times; the page is watched for them.

    words   a wording as it may stand there, Streamlit's own or ours in another language -> what shall stand there
    helped  what a "?" button shall be called, with the field {label}
    known   what it may be called
    """
    _mount(key="wording", data={"words": dict(words), "helped": {"ours": helped, "known": list(known)}}, height=1)

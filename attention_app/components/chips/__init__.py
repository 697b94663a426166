"""The words of the sentence as chips: pick one with mouse, touch or arrow keys."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import streamlit as st

from attention_app.components import register

_KEY = "chips"
_mount = register("chips")


def chips(words: Sequence[str], chosen: int | None, *, title: str, on_pick: Callable[[int], None]) -> None:
    """Show the words; `on_pick` gets the index of the word a person picks, before the next run."""

    def picked() -> None:
        index = st.session_state[_KEY].get("pick")
        if isinstance(index, int) and 0 <= index < len(words):
            on_pick(index)

    _mount(key=_KEY, data={"words": list(words), "chosen": chosen, "title": title}, on_pick_change=picked)

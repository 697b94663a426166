"""Keys for the whole page while a teacher presents: nothing has to be aimed at."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import streamlit as st

from attention_app.components import register

_KEY = "keys"
_mount = register("keys")


def keys(actions: Mapping[str, Callable[[], None]]) -> None:
    """Call an action when its key is pressed anywhere but in a text field. Names as in KeyboardEvent.key."""

    def pressed() -> None:
        name = st.session_state[_KEY].get("pressed")
        if isinstance(name, str) and name in actions:
            actions[name]()

    _mount(key=_KEY, data={"names": list(actions)}, height=1, on_pressed_change=pressed)

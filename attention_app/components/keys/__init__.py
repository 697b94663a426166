"""Keys for the whole page while a teacher presents: nothing has to be aimed at."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import streamlit as st

from attention_app.components import register

_KEY = "keys"
_mount = register("keys")


def keys(actions: Mapping[str, Callable[[], None]], *, look: str = "", at: object = None) -> None:
    """Call an action when its key is pressed anywhere but in a text field. Names as in KeyboardEvent.key.

    Where a key changes `at`, what the CSS selector `look` finds is brought into view, unless it stands there already.
    """

    def pressed() -> None:
        name = st.session_state[_KEY].get("pressed")
        if isinstance(name, str) and name in actions:
            actions[name]()

    _mount(key=_KEY, data={"names": list(actions), "look": look, "at": at}, height=1, on_pressed_change=pressed)

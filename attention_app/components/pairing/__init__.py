"""Two sentences as two lines of words, bars for what the chosen word looks at, and lines between paired words."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TypedDict

import streamlit as st

from attention_app.components import is_index, register

_KEY = "pairing"
_mount = register("pairing")


class Look(TypedDict):
    """One word or special token: its label, the weight of its bar (0-1), and the weight as shown."""

    label: str
    weight: float
    number: str


class Line(TypedDict):
    """One sentence: its name, its words, the special tokens before and after them, and the word that looks."""

    title: str
    words: Sequence[Look]
    before: Sequence[Look]
    after: Sequence[Look]
    chosen: int | None


def pairing(
    upper: Line,
    lower: Line,
    pairs: Sequence[tuple[int, int]],
    *,
    texts: Mapping[str, str],
    on_choose: Callable[[int], None],
    on_pair: Callable[[int], None] | None,
) -> None:
    """Show both lines; places are counted from 0. A click above chooses a word.

    pairs    places above and below that belong together
    texts    title, choose with the field word; pair and unpair with the fields word and other
    on_pair  is told the word below that shall belong to the chosen one, or no longer does; None: pairs are fixed, and a
             click below does nothing
    """
    sizes = (len(upper["words"]), len(lower["words"]))

    def place(event: str, size: int) -> int | None:
        index = st.session_state[_KEY].get(event)
        return index if is_index(index, size) else None

    def chose() -> None:
        if (index := place("choose", sizes[0])) is not None:
            on_choose(index)

    def paired() -> None:
        if on_pair and (index := place("pair", sizes[1])) is not None:
            on_pair(index)

    data = {
        "lines": [upper, lower],
        "pairs": [list(pair) for pair in pairs],
        "free": on_pair is not None,
        "texts": dict(texts),
    }
    _mount(key=_KEY, data=data, on_choose_change=chose, on_pair_change=paired)

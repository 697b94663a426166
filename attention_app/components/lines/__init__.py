"""The line view: all words in one line, and an arc from who looks to who is looked at, as thick as the weight."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TypedDict

import streamlit as st

from attention_app.components import is_index, register

_KEY = "lines"
_mount = register("lines")


class Said(TypedDict):
    """A stretch of the sentence; role: "query", "key", "number" or ""."""

    text: str
    role: str


class Numbers(TypedDict):
    """The picture's numbers in millionths, row after row; special tokens stand before and behind the words."""

    labels: list[str]
    specials: list[str]
    weights: list[int]
    special: list[int]


class View(TypedDict):
    """How the numbers are shown: `chosen` is the locked row, `least` the weakest line drawn, in hundredths."""

    chosen: int | None
    direction: str
    decimals: int
    least: int
    numbers: bool


def lines(
    numbers: Numbers, view: View, said: Sequence[Said], texts: Mapping[str, str], *, on_pick: Callable[[int], None]
) -> None:
    """Show the arcs with the sentence in plain words below; `on_pick` gets the index of the word a person picks."""

    def picked() -> None:
        index = st.session_state[_KEY].get("pick")
        if is_index(index, len(numbers["labels"])):
            on_pick(index)

    data = {**numbers, "view": view, "said": list(said), "texts": dict(texts)}
    _mount(key=_KEY, data=data, on_pick_change=picked)

"""The way between two words: choose them in the sentence, see the steps there and back in each network."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TypedDict

import streamlit as st

from attention_app.components import is_index, register

_KEY = "path"
_mount = register("path")


class Way(TypedDict):
    """From one word to another in one network.

    name     of the network
    words    on the way, both ends with it; only the ends where nothing leads there
    open     whether anything leads there; None: nobody is told
    steps    how many steps, as said
    bar      how far the end moves, 0-1 of the bar; `moved` says it
    """

    name: str
    words: list[str]
    open: bool | None
    steps: str
    bar: float
    moved: str


def path(
    names: Sequence[str],
    pair: tuple[int, int],
    ways: Sequence[tuple[str, Sequence[Way]]],
    *,
    texts: Mapping[str, str],
    on_pair: Callable[[tuple[int, int]], None],
) -> None:
    """Show the sentence with the chosen pair (start, end), and each direction's title with its ways.

    texts    see text/why.*.toml, table path
    """

    def chosen() -> None:
        sent = st.session_state[_KEY].get("pair")
        if is_pair(sent, len(names)):
            on_pair((sent[0], sent[1]))

    data = {
        "names": list(names),
        "pair": list(pair),
        "ways": [[title, list(of_title)] for title, of_title in ways],
        "texts": dict(texts),
    }
    _mount(key=_KEY, data=data, on_pair_change=chosen)


def is_pair(sent: object, n: int) -> bool:
    """Two different words of the sentence."""
    return isinstance(sent, list) and len(sent) == 2 and all(is_index(one, n) for one in sent) and sent[0] != sent[1]

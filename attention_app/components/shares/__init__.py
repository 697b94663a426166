"""Weights as parts of one whole: bars of equal length, cut by weight, and what can be said of each part below them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypedDict

import streamlit as st

from attention_app.components import register

_mount = register("shares")


class Whole(TypedDict):
    """One bar: what stands before it, whether it is the one in use, and its parts (0-1, in the order of the rows)."""

    label: str
    chosen: bool
    parts: list[float]


class Part(TypedDict):
    """One row: its name, its weight in each bar as shown, and further numbers with the length of a bar (0-1)."""

    name: str
    weights: list[str]
    numbers: list[str]
    reach: float


def shares(
    key: str,
    role: str,
    wholes: Sequence[Whole],
    parts: Sequence[Part],
    *,
    texts: Mapping[str, str],
    columns: Sequence[str] = (),
    hidden: bool = False,
    answer: str = "",
    on_choose: Callable[[int], None] | None = None,
) -> None:
    """Show the bars. role: "key" or "value", whose colour they have.

    answer     stands above the bars as what somebody gets who takes one part only; "" = nothing
    columns    headings of the list of parts: name, weight and the numbers; () = no list
    texts      title, part (with {name} and {weight}), comma and colon of the language, answer (what stands before it)
    on_choose  gets the place of the bar that was chosen, before the next run; without it they are no buttons
    """

    def chosen() -> None:
        place = st.session_state[key].get("choose")
        if on_choose and type(place) is int and 0 <= place < len(wholes):
            on_choose(place)

    data: dict[str, Any] = {
        "role": role,
        "wholes": list(wholes),
        "parts": list(parts),
        "columns": list(columns),
        "answer": answer,
        "texts": dict(texts),
        "hidden": hidden,
        "choosable": on_choose is not None,
    }
    _mount(key=key, data=data, on_choose_change=chosen)

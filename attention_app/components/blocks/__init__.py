"""The heads of one layer, each in its colour and with its number: maps, blocks of Concat, bars, switches, likeness.

One view with several faces; each function shows one of them under a key of its own. Heads and positions are counted
from 0 on the way and from 1 on the screen. Numbers come in as they are shown, together with how long a bar is.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypedDict

import streamlit as st

from attention_app.components import is_index, register

_mount = register("blocks")


class Head(TypedDict):
    """One head: its colour as CSS, and the colour of a number written upon it."""

    color: str
    ink: str


class Look(TypedDict):
    """What the chosen word looks at most in one head: position, its name, the weight (0-1) and the weight as shown."""

    at: int
    name: str
    weight: float
    number: str


class Tile(TypedDict):
    """One head beside the others. row: the chosen word's weights in hundredths; spread: its entropy as shown."""

    name: str
    row: list[int]
    looks: list[Look]
    spread: str


class Bar(TypedDict):
    """One bar: from `start` to `stop`, each between 0 and 1 of the width; what is written behind it.

    head   whose bar it is, or None
    label  its name where there is no head
    at     where the page's other views know it, or None
    """

    head: int | None
    label: str
    at: int | None
    start: float
    stop: float
    numbers: list[str]
    strong: bool


def tiles(
    heads: Sequence[Head],
    shown: Sequence[Tile],
    packed: str,
    *,
    side: int,
    steps: int,
    names: Sequence[str],
    places: Sequence[int],
    row: int,
    chosen: int,
    texts: Mapping[str, str],
    on_head: Callable[[int], None],
) -> None:
    """A map of every head and the chosen word's row; a click chooses the head.

    packed   the maps as figures/thumbnails.py makes them, `side` cells wide and high; `steps` is a weight of 1
    row      the chosen word's position
    texts    title, how (of a tile, with {head})
    """

    data = {"packed": packed, "side": side, "steps": steps, "names": list(names), "places": list(places), "row": row}
    _show("tiles", heads, {**data, "chosen": chosen, "tiles": list(shown)}, texts, on_head=on_head)


def concat(
    heads: Sequence[Head],
    packed: str,
    *,
    width: int,
    names: Sequence[str],
    places: Sequence[int],
    row: int,
    chosen: int,
    texts: Mapping[str, str],
    on_head: Callable[[int], None],
) -> None:
    """Concat as blocks, one for each head, `width` columns each.

    packed   base64 of zlib of one byte a number, row after row: 128 is 0, 1 and 255 are the largest size
    texts    title, block (with {head}), columns (with {first}, {last}), place (with {name}, {head}, {nth}, {column})
    """

    data = {"packed": packed, "width": width, "names": list(names), "places": list(places), "row": row}
    _show("concat", heads, {**data, "chosen": chosen}, texts, on_head=on_head)


def bars(
    key: str,
    heads: Sequence[Head],
    shown: Sequence[Bar],
    *,
    zero: float = 0.0,
    columns: Sequence[str] = (),
    row: int | None = None,
    texts: Mapping[str, str],
) -> None:
    """Bars one below the other.

    zero     where 0 lies, between 0 and 1 of the width
    columns  what the numbers behind the bars are
    row      the row that a bar's `at` is a column of for other views; None: `at` is a row itself
    texts    title
    """
    data = {"face": "bars", "bars": list(shown), "zero": zero, "columns": list(columns), "row": row}
    _show(key, heads, data, texts)


def switches(
    heads: Sequence[Head], off: Sequence[int], *, texts: Mapping[str, str], on_off: Callable[[list[int]], None]
) -> None:
    """A switch for each head; on_off gets the heads that are to be off.

    texts    switch and alone (both with {head}), title, alone_title, all
    """
    _show("switches", heads, {"off": list(off)}, texts, on_off=on_off)


def likeness(heads: Sequence[Head], cells: Sequence[Sequence[tuple[float, str]]], *, texts: Mapping[str, str]) -> None:
    """How alike any two heads are: (0-1, as shown).

    texts    title, pair (with {head}, {other}, {number})
    """
    _show("likeness", heads, {"cells": [[list(cell) for cell in line] for line in cells]}, texts)


def _show(
    key: str,
    heads: Sequence[Head],
    data: Mapping[str, Any],
    texts: Mapping[str, str],
    *,
    on_head: Callable[[int], None] | None = None,
    on_off: Callable[[list[int]], None] | None = None,
) -> None:
    name = f"blocks-{key}"

    def picked() -> None:
        head = st.session_state[name].get("head")
        if on_head is not None and is_index(head, len(heads)):
            on_head(head)

    def switched() -> None:
        sent = st.session_state[name].get("off")
        if on_off is not None and isinstance(sent, list) and all(is_index(head, len(heads)) for head in sent):
            on_off(sorted(set(sent)))

    whole = {"face": key, "heads": list(heads), "texts": dict(texts), **data}
    _mount(key=name, data=whole, on_head_change=picked, on_off_change=switched)

"""A translation that grows step by step: words woven together, and what could come next. Played in the browser.

The steps travel once; playing, the slider, the keys and hovering never ask the server. Where it stops goes into the
state, and so does another piece that the learner picks.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TypedDict

import streamlit as st

from attention_app.components import is_index, register
from attention_app.components.given import give

_KEY = "decode"
_mount = register("decode")


class Step(TypedDict):
    """One step of the decoder. Weights and probabilities are in millionths.

    text        the piece, as it is shown
    target      the word (or the end) that it belongs to, as an index of `targets`
    row         its cross-attention: a weight for every word of the source
    candidates  what could come next, best first: text, probability, rank from 1, whether it can be picked
    chosen      which candidate was taken
    """

    text: str
    target: int
    row: list[int]
    candidates: list[tuple[str, int, int, bool]]
    chosen: int


class Target(TypedDict):
    """A word of the translation: its text, and its row of cross-attention in millionths."""

    text: str
    row: list[int]


def decode(
    source: Sequence[str],
    steps: Sequence[Step],
    targets: Sequence[Target],
    *,
    made: int,
    forced: int,
    chosen: int | None,
    decimals: int,
    hidden: bool,
    presenting: bool,
    texts: Mapping[str, str],
    on_made: Callable[[int], None],
    on_pick: Callable[[int, int], None],
) -> None:
    """Show the translation after `made` steps, 0 to len(steps).

    forced      how many of the first steps the learner has fixed
    chosen      the word of the source that is marked, or None
    hidden      neither weights nor candidates are told, nor what comes
    presenting  Home and End are keys of the whole page, as ← and → always are
    texts       see text/translate.*.toml, table decode
    on_pick     on_pick(step, candidate) in a callback, both from 0
    """

    def moved() -> None:
        sent = st.session_state[_KEY].get("made")
        if is_index(sent, len(steps) + 1):
            on_made(sent)

    sizes = [len(step["candidates"]) for step in steps]

    def picked() -> None:
        sent = st.session_state[_KEY].get("pick")
        if isinstance(sent, list) and len(sent) == 2:
            step, candidate = sent
            if is_index(step, len(sizes)) and is_index(candidate, sizes[step]):
                on_pick(step, candidate)

    content = {"source": list(source), "steps": list(steps), "targets": list(targets), "texts": dict(texts)}
    view = {"made": made, "forced": forced, "chosen": chosen, "decimals": decimals}
    data = {"key": _KEY, "id": give(_KEY, content), **view, "hidden": hidden, "presenting": presenting}
    _mount(key=_KEY, data=data, on_made_change=moved, on_pick_change=picked)

"""One query against rows of key and value: lines by weight, a bar for each score and weight, the values beside them.

The same view shows a request before a shelf and a word's q inside a head; there, vectors stand as small bars, upwards
for positive numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NotRequired, TypedDict

import streamlit as st

from attention_app.components import register

MOST_TYPED = 500  # characters the field takes: more than fits, so that it is explained and not cut
_mount = register("scene")


class Query(TypedDict):
    """What is looked for. text: in the field; version: another number when the field must show another text;
    problem: why it cannot be used, or ""; vector: its numbers in hundredths of the largest one."""

    text: str
    version: NotRequired[int]
    problem: NotRequired[str]
    vector: NotRequired[list[int]]


class SceneRow(TypedDict):
    """One row. Numbers as they are shown, and bars as shares (0-1) of their whole length.

    key, value        texts
    score, reach      the score and the length of its bar
    weight, share     the weight, twice
    spoken            the row as a sentence, for those who hear it
    at                where the page's other views know it, else None
    k, v              vectors in hundredths of the largest number
    """

    key: str
    value: str
    score: str
    reach: float
    weight: str
    share: float
    spoken: str
    at: int | None
    k: NotRequired[list[int]]
    v: NotRequired[list[int]]


def scene(
    key: str,
    kind: str,
    query: Query,
    rows: Sequence[SceneRow],
    *,
    texts: Mapping[str, str],
    hidden: bool,
    on_ask: Callable[[str], None] | None = None,
    first: int | None = None,
) -> None:
    """Show it. kind: "library", "chat" or "head". hidden: the class still guesses, all lines are alike.

    first    so many rows with the largest weights stand there, the others on demand; None: all
    on_ask   gets the request that was typed, before the next run; without it the query is no field
    texts    see `texts` in attention_app/ui/qkv/scene.py and head.py
    """

    def asked() -> None:
        text = st.session_state[key].get("ask")
        if on_ask and isinstance(text, str) and len(text) <= MOST_TYPED:
            on_ask(text)

    data: dict[str, Any] = {
        "kind": kind,
        "query": {**query, "field": on_ask is not None, "most": MOST_TYPED},
        "rows": list(rows),
        "texts": dict(texts),
        "hidden": hidden,
        "first": first,
    }
    _mount(key=key, data=data, on_ask_change=asked)

"""The rows of a shelf as fields: change, add and delete them. What is typed stays, also while it cannot be used."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import streamlit as st

from attention_app.components import register

MOST_TYPED = 500  # characters a field takes: more than fits, so that it is explained and not cut
_KEY = "shelf-rows"
_mount = register("shelf")

Pair = tuple[str, str]


def shelf(
    rows: Sequence[Pair],
    *,
    version: int,
    limits: tuple[int, int],
    problems: Mapping[int, str],
    texts: Mapping[str, str],
    on_change: Callable[[list[Pair]], None],
) -> None:
    """Show the fields; key and value of each row.

    version   another number when the fields must show other rows than those typed into them
    limits    how many rows there may be
    problems  what is wrong in a row, from 0; -1 is the shelf as a whole
    texts     key, value, field (with {row} and {name}), add, delete (with {row})
    `on_change` gets all rows as they were typed, before the next run.
    """

    def changed() -> None:
        rows = _checked(st.session_state[_KEY].get("rows"))
        if rows is not None:
            on_change(rows)

    data = {
        "rows": [list(row) for row in rows],
        "version": version,
        "limits": list(limits),
        "most": MOST_TYPED,
        "problems": {str(row): text for row, text in problems.items()},
        "texts": dict(texts),
    }
    _mount(key=_KEY, data=data, on_rows_change=changed)


def _checked(rows: object) -> list[Pair] | None:
    """What the browser sent, if it is a table of two columns of a size that can be typed."""
    if not isinstance(rows, list) or len(rows) > 100:
        return None
    checked: list[Pair] = []
    for row in rows:
        match row:
            case [str(key), str(value)] if max(len(key), len(value)) <= MOST_TYPED:
                checked.append((key, value))
            case _:
                return None
    return checked

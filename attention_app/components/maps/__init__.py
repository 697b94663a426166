"""All heads at a glance: a small map each, rows are layers, columns are heads. Pick one, or several to average."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import streamlit as st

from attention_app.components import is_index, register

_KEY = "maps"
_mount = register("maps")

Head = tuple[int, int]


def maps(
    packed: str,
    *,
    shape: Mapping[str, int],
    labels: Sequence[str],
    special_names: Sequence[str],
    chosen: Sequence[Head],
    peaks: Sequence[tuple[int, int, str]],
    held: Sequence[tuple[str, bool]],
    asked: tuple[int | None, int | None],
    questions: Sequence[str],
    known: Mapping[int, Sequence[tuple[int, str]]],
    texts: Mapping[str, str],
    on_choose: Callable[[list[Head]], None],
) -> None:
    """Show the maps; layers, heads, rows and columns are counted from 0.

    packed   base64 of zlib of the cells, one byte each, head after head, column after column; a cell of `steps` is a
             weight of 1
    shape    layers, heads, rows and columns of a map, special (its columns beside the words), steps
    labels   the words: rows, and columns without the special tokens; more than rows if cells stand for several words
    chosen   the heads in the big picture, the one whose layer and head are set first
    peaks    of each head the strongest word: row, column, the weight as shown; or () while numbers are hidden
    held     of each head the mean weight on the special tokens, as shown, and whether it is the larger part; or ()
             where there are none, and while numbers are hidden
    asked    the row, or the column, that a class still guesses: it is left blank in every map
    questions  what was measured of every head, a line with the field {share} for each
    known      of the heads that do well, by their place in reading order: questions, counted from 0, and shares
    texts    see `texts` in attention_app/ui/heads.py
    `on_choose` gets the new set, the first one to be layer and head, before the next run.
    """

    def picked() -> None:
        heads = _checked(st.session_state[_KEY].get("heads"), shape["layers"], shape["heads"])
        if heads:
            on_choose(heads)

    data = {
        "packed": packed,
        "shape": dict(shape),
        "labels": list(labels),
        "specialNames": list(special_names),
        "chosen": [list(head) for head in chosen],
        "peaks": [list(peak) for peak in peaks],
        "held": [list(of_head) for of_head in held],
        "asked": list(asked),
        "questions": list(questions),
        "known": {str(place): [list(line) for line in lines] for place, lines in known.items()},
        "texts": dict(texts),
    }
    _mount(key=_KEY, data=data, on_heads_change=picked)


def _checked(heads: object, n_layers: int, n_heads: int) -> list[Head]:
    """What the browser sent, if it is a set of heads that exist; else nothing."""
    if not isinstance(heads, list) or len(heads) > n_layers * n_heads:
        return []
    checked: list[Head] = []
    for head in heads:
        match head:
            case [layer, number] if is_index(layer, n_layers) and is_index(number, n_heads):
                if (layer, number) not in checked:
                    checked.append((layer, number))
            case _:
                return []
    return checked

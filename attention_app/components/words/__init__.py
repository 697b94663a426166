"""The words of the sentence as chips: choose one, and in a second mode move the seams between them."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import TypedDict

import streamlit as st

from attention_app.components import is_index, register

_KEY = "words"
_CUT = re.compile(r"(\d{1,3}(\.\d{1,3})*)?")
_mount = register("words")


class Chip(TypedDict):
    """One word.

    label   its name in pictures: the word, with a small number if it stands there more than once
    parts   its characters as a reader counts them; only between them can be cut
    name    how a screen reader says it, "" for the label itself
    space   white space stands before it, so it cannot be joined to the word on its left
    row     its first row in the pictures
    """

    label: str
    parts: Sequence[str]
    name: str
    space: bool
    row: int


class Edits(TypedDict):
    """What can be done to the cut now, and the number of the last edit that was carried out or refused."""

    cut: bool
    undo: bool
    redo: bool
    restore: bool
    answered: int


def words(
    chips: Sequence[Chip],
    chosen: int | None,
    *,
    edits: Edits,
    presenting: bool,
    most_typed: int,
    texts: Mapping[str, str],
    on_pick: Callable[[int | None], None],
    on_cut: Callable[[list[int], int], None],
    on_step: Callable[[str], None],
) -> None:
    """Show the words; the callbacks come before the next run.

    `presenting` closes an open editor when it changes: a class sees the words first, and the teacher opens it again to
    show what another cut does. The sentence's box takes `most_typed` characters; what would be more is refused here,
    aloud, for Streamlit drops it without a word.

    on_pick  the index of the word that is chosen now, or None
    on_cut   all boundaries as they shall be, counted in characters, and the number of this edit
    on_step  "undo", "redo" or "restore"
    """

    def asked(name: str) -> object:
        return st.session_state[_KEY].get(name)

    def picked() -> None:
        index = asked("pick")
        if index == -1 or is_index(index, len(chips)):
            on_pick(None if index == -1 else index)

    def cut() -> None:
        match asked("cut"):
            case {"at": str(at), "edit": int(edit)} if _CUT.fullmatch(at):
                on_cut([int(position) for position in at.split(".") if position], edit)

    def stepped() -> None:
        step = asked("step")
        if step in ("undo", "redo", "restore"):
            on_step(str(step))

    data = {
        "chips": list(chips),
        "chosen": chosen,
        "edits": edits,
        "presenting": presenting,
        "mostTyped": most_typed,
        "texts": dict(texts),
    }
    _mount(key=_KEY, data=data, on_pick_change=picked, on_cut_change=cut, on_step_change=stepped)

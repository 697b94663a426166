"""The encoder and the decoder as one drawing: every box is a button, and the data's way through them can be played.

Playing, pausing and stepping happen in the browser; only opening a box asks the server. The view knows where each box
stands and what leads into it (view.js); names, shapes and what happens in a box come in from here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TypedDict

import streamlit as st

from attention_app.boxes import BOXES
from attention_app.components import register

_KEY = "diagram"
_mount = register("diagram")


class Box(TypedDict):
    """A box: what is written on it, the shape that leaves it, and what happens in it, for whoever plays the way."""

    label: str
    shape: str
    step: str


class Ends(TypedDict):
    """What stands below and above the drawing: the words that go in, and what comes out.

    note: a few words on the decoder's sentence, or ""
    """

    source: str
    target: str
    out: str
    note: str


def diagram(
    boxes: Mapping[str, Box],
    chosen: str,
    ends: Ends,
    *,
    panel: str,
    card: str,
    present: bool,
    texts: Mapping[str, str],
    on_box: Callable[[str], None],
) -> None:
    """Show the drawing. boxes: one for each name in BOXES; ValueError if one is missing.

    chosen  the open box
    panel   key of the container that a box opens; on a phone it is scrolled to
    card    key of the container around the drawing, which scrolls where the drawing is higher than the screen
    present somebody presents: a box that is opened by a key is brought into view
    texts   title, play, pause, back, next, open, start, untrained
    on_box  gets the name of a box in a callback
    """
    if tuple(boxes) != BOXES:
        raise ValueError(f"the drawing needs the boxes {', '.join(BOXES)}, not {', '.join(boxes)}")

    def opened() -> None:
        name = st.session_state[_KEY].get("box")
        if name in BOXES:
            on_box(name)

    data = {
        "boxes": [{"name": name, **box} for name, box in boxes.items()],
        "chosen": chosen,
        "ends": ends,
        "panel": panel,
        "card": card,
        "present": present,
        "texts": dict(texts),
    }
    _mount(key=_KEY, data=data, on_box_change=opened)


def neighbours(name: str, of: Sequence[str] = BOXES) -> tuple[str | None, str | None]:
    """The boxes before and after, or None."""
    at = of.index(name)
    return of[at - 1] if at else None, of[at + 1] if at + 1 < len(of) else None

"""Numbers of the toy that the learner changed, kept in the link as one compressed parameter."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, TypeAlias

from attention_app.components.matrix import LIMIT
from attention_app.ui import packed, state
from attention_core.step_trace import edited_layer
from attention_core.trace import MultiHeadTrace

EDITABLE = "toy"  # the source whose numbers fit on a sheet of paper
_EDIT = re.compile(r"(X|W_[QKV])((?:\.\d{1,3}){2,3})=(-?\d{1,3}(?:\.\d{1,6})?)")
Edits: TypeAlias = Mapping[tuple[str, tuple[int, ...]], float]


def pack(edits: Edits) -> str:
    """ "X.2.0=0.5;W_Q.1.3.0=-1", the places from 0, compressed and in letters that a link takes as they are."""
    text = ";".join(f"{name}.{'.'.join(map(str, place))}={_short(number)}" for (name, place), number in edits.items())
    return packed.pack(text)


def unpack(parameter: str) -> Edits:
    """The edits again; ValueError for anything that `pack` has not made."""
    text = packed.unpack(parameter)
    found = [_EDIT.fullmatch(part) for part in text.split(";")] if text else []
    edits = {}
    for match in found:
        if match is None:
            raise ValueError("these are no edits")
        name, places, number = match.groups()
        edits[name, tuple(map(int, places[1:].split(".")))] = float(number)
    return edits


def checked(layer: MultiHeadTrace, source: str) -> str:
    """The edits in the state; those of a link that fit no matrix of the layer are dropped and leave a note."""
    packed = str(state.get("edits"))
    if packed and source != EDITABLE:
        state.put("edits", "")
        return ""
    try:
        edited(layer, packed)
    except (IndexError, ValueError):
        state.reject("edits", tell=True)
        return ""
    return packed


def edited(layer: MultiHeadTrace, parameter: str) -> MultiHeadTrace:
    """The layer with the learner's numbers. ValueError or IndexError: they fit no matrix."""
    return edited_layer(layer, unpack(parameter)) if parameter else layer


def options(source: str, head: int, first_row: int) -> dict[str, Any]:
    """For a call of a linked matrix: what keeps an edit. first_row: the position of X's first row in the picture."""
    if source != EDITABLE:
        return {}

    def keep(name: str, row: int, column: int, value: float) -> None:
        place = (row + first_row, column) if name == "X" else (head, row, column)
        more = pack({**unpack(str(state.get("edits"))), (name, place): max(-LIMIT, min(LIMIT, round(value, 6)))})
        if len(more) > packed.MOST_BYTES:
            state.remember("steps_full", True)
            return
        state.put("edits", more)

    return {"on_edit": keep}


def count() -> int:
    """How many numbers are changed."""
    return len(unpack(str(state.get("edits"))))


def full() -> bool:
    """Whether the last edit was refused because the link would be too long; said once."""
    was_full = bool(state.recall("steps_full"))
    state.remember("steps_full", False)
    return was_full


def _short(number: float) -> str:
    return f"{number:.6f}".rstrip("0").rstrip(".")

"""Numbers of the toy that the learner changed, kept in the link as one compressed parameter."""

from __future__ import annotations

import base64
import re
import zlib
from collections.abc import Mapping
from typing import Any, TypeAlias

from attention_app.components.matrix import LIMIT
from attention_app.ui import state
from attention_core.step_trace import edited_layer
from attention_core.trace import MultiHeadTrace

EDITABLE = "toy"  # the source whose numbers fit on a sheet of paper
MOST_BYTES = 2000  # of the parameter: links get cut when they are longer
_MOST_TEXT = 20_000  # characters: a short parameter can be made that unpacks to megabytes
_EDIT = re.compile(r"(X|W_[QKV])((?:\.\d{1,3}){2,3})=(-?\d{1,3}(?:\.\d{1,6})?)")
Edits: TypeAlias = Mapping[tuple[str, tuple[int, ...]], float]


def pack(edits: Edits) -> str:
    """ "X.2.0=0.5;W_Q.1.3.0=-1", the places from 0, compressed and in letters that a link takes as they are."""
    if not edits:
        return ""
    text = ";".join(f"{name}.{'.'.join(map(str, place))}={_short(number)}" for (name, place), number in edits.items())
    return base64.urlsafe_b64encode(zlib.compress(text.encode(), 9)).decode().rstrip("=")


def unpack(packed: str) -> Edits:
    """The edits again; ValueError for anything that `pack` has not made."""
    if not packed:
        return {}
    try:
        reader = zlib.decompressobj()
        data = reader.decompress(base64.urlsafe_b64decode(packed + "=" * (-len(packed) % 4)), _MOST_TEXT)
        text = data.decode("ascii") if reader.eof else ""
    except (ValueError, zlib.error) as error:
        raise ValueError("these are no edits") from error
    found = [_EDIT.fullmatch(part) for part in text.split(";")]
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


def edited(layer: MultiHeadTrace, packed: str) -> MultiHeadTrace:
    """The layer with the learner's numbers. ValueError or IndexError: they fit no matrix."""
    return edited_layer(layer, unpack(packed)) if packed else layer


def options(source: str, head: int, first_row: int) -> dict[str, Any]:
    """For a call of a linked matrix: what keeps an edit. first_row: the position of X's first row in the picture."""
    if source != EDITABLE:
        return {}

    def keep(name: str, row: int, column: int, value: float) -> None:
        place = (row + first_row, column) if name == "X" else (head, row, column)
        packed = pack({**unpack(str(state.get("edits"))), (name, place): max(-LIMIT, min(LIMIT, round(value, 6)))})
        if len(packed) > MOST_BYTES:
            state.remember("steps_full", True)
            return
        state.put("edits", packed)

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

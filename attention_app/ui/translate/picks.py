"""The pieces that the learner picked: they fix the beginning of the translation, in the link, with undo."""

from __future__ import annotations

from collections.abc import Sequence

from attention_app.ui import state
from attention_app.ui.packed import MOST_BYTES, pack

LENGTH = 100  # beginnings that can be gone back to


def pick(beginning: Sequence[str], piece: str) -> None:
    """The translation goes on with `piece` after `beginning`; the step stays where it is. In a callback only."""
    packed = pack("\n".join([*beginning, piece]))
    if len(packed) > MOST_BYTES:
        state.remember("pick_refused", True)
        return
    state.remember("prefixes", (*_past(), str(state.get("prefix")))[-LENGTH:])
    _put(packed, len(beginning) + 1)


def undo() -> None:
    """The beginning before the last pick. In a callback only."""
    past = _past()
    if past:
        state.remember("prefixes", past[:-1])
        _put(past[-1], None)


def clear() -> None:
    """What the model says by itself. In a callback only."""
    state.remember("prefixes", (*_past(), str(state.get("prefix")))[-LENGTH:])
    _put("", None)


def can_undo() -> bool:
    return bool(_past())


def was_refused() -> bool:
    """Whether the last pick did not fit into the link; asked once."""
    refused = bool(state.recall("pick_refused"))
    state.remember("pick_refused", False)
    return refused


def _past() -> tuple[str, ...]:
    past = state.recall("prefixes")
    return past if isinstance(past, tuple) else ()


def _put(packed: str, made: int | None) -> None:
    state.put("prefix", packed)
    if made is not None:
        state.put("made", made)

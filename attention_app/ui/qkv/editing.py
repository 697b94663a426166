"""Changing a shelf: what was typed is kept in any case, and used when all of it can be used; undo and reset."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from attention_app.text import Text
from attention_app.ui import frame, packed, state
from attention_app.ui.qkv import shelf as shelves
from attention_app.ui.qkv.shelf import Problem, Row, Shelf

_LENGTH = 100  # steps that can be undone


@dataclass(frozen=True)
class Scene:
    """One scene in this run.

    name      of the scene
    shelf     what is computed with
    typed     what stands in the fields: the same, unless it cannot be used
    problems  why it cannot
    version   another number when the fields must show something else than what was typed into them
    """

    name: str
    shelf: Shelf
    typed: Shelf
    problems: tuple[Problem, ...]
    version: int


def current(t: Text) -> Scene:
    """The scene for the state of this run; a shelf in a link that cannot be used is dropped and leaves a note."""
    name = _name()
    try:
        shelf = _all(t)[name]
    except ValueError:
        state.reject("shelf", tell=True)
        shelf = shelves.ready(t, name)
    about = (name, t.language, state.get("shelf"))
    before = state.recall("qkv_about")
    if before != about:
        if isinstance(before, tuple) and before[2] != about[2]:  # a step back: the shelf in the link counts
            state.remember("qkv_typed", {})
        _renew(about)
    typed = _typed().get(name, shelf)
    return Scene(name, shelf, typed, tuple(_problems(t, typed) if typed != shelf else ()), _version())


def ask(query: str) -> None:
    """Another request. In a callback only."""
    t = frame.text("qkv")
    _use(t, Shelf(query, current(t).typed.rows))


def change(rows: Sequence[Row]) -> None:
    """Other rows; one that is still empty waits. In a callback only."""
    t = frame.text("qkv")
    _use(t, Shelf(current(t).typed.query, tuple(rows)))


def can_undo() -> bool:
    return bool(_past()) or _name() in _typed()


def can_reset(t: Text, scene: Scene) -> bool:
    return scene.typed != shelves.ready(t, scene.name)


def undo() -> None:
    """One change back; what cannot be used is no step: going back from it gives the shelf that is shown."""
    past = _past()
    if _name() in _typed():
        _forget()
    elif past:
        scene, packed = past[-1]
        state.put("scene", scene)
        state.put("shelf", packed)
        state.remember("qkv_past", past[:-1])


def reset() -> None:
    """The ready shelf again, which can be undone. In a callback only."""
    t = frame.text("qkv")
    _forget()
    _put(shelves.pack({**_all(t), _name(): shelves.ready(t, _name())}, t))


def _use(t: Text, typed: Shelf) -> None:
    state.remember("qkv_typed", {**_typed(), _name(): typed})
    if _problems(t, typed):
        return
    _put(_packed(t, typed))
    state.remember("qkv_typed", {name: kept for name, kept in _typed().items() if name != _name()})
    state.remember("qkv_about", (_name(), t.language, state.get("shelf")))  # the fields hold it already


def _problems(t: Text, typed: Shelf) -> list[Problem]:
    found = shelves.problems(typed)
    if not found and len(_packed(t, typed)) > packed.MOST_BYTES:
        found = [Problem(None, "full", {})]
    return found


def _packed(t: Text, shelf: Shelf) -> str:
    return shelves.pack({**_all(t), _name(): shelf.filled}, t)


def _put(packed: str) -> None:
    before = str(state.get("shelf"))
    if packed != before:
        state.remember("qkv_past", (*_past(), (_name(), before))[-_LENGTH:])
        state.put("shelf", packed)


def _forget() -> None:
    """Drop what was typed and cannot be used; the fields show the shelf again."""
    state.remember("qkv_typed", {name: kept for name, kept in _typed().items() if name != _name()})
    _renew(state.recall("qkv_about"))


def _renew(about: object) -> None:
    state.remember("qkv_about", about)
    state.remember("qkv_version", _version() + 1)


def _name() -> str:
    return str(state.get("scene"))


def _version() -> int:
    return int(str(state.recall("qkv_version") or 0))


def _all(t: Text) -> dict[str, Shelf]:
    return shelves.unpack(str(state.get("shelf")), t)


def _typed() -> dict[str, Shelf]:
    """What was typed into the fields of a scene and cannot be used."""
    typed = state.recall("qkv_typed")
    return typed if isinstance(typed, dict) else {}


def _past() -> tuple[tuple[str, str], ...]:
    """The scene and all shelves before each change."""
    past = state.recall("qkv_past")
    return past if isinstance(past, tuple) else ()

"""Undo and redo: the sentences shown in this session and the ways they were cut."""

from __future__ import annotations

from dataclasses import dataclass, replace

from attention_app.ui import state

LENGTH = 100


@dataclass(frozen=True)
class Step:
    text: str
    cut: str


@dataclass(frozen=True)
class _History:
    steps: tuple[Step, ...]
    at: int


def note(step: Step) -> None:
    """What is shown now. A step that differs from the present one ends what could be redone."""
    past = _past()
    if not past.steps or past.steps[past.at] != step:
        steps = (*past.steps[: past.at + 1], step)[-LENGTH:]
        state.remember("history", _History(steps, len(steps) - 1))


def can_undo() -> bool:
    return _past().at > 0 or _unshown()


def can_redo() -> bool:
    return _past().at < len(_past().steps) - 1


def undo() -> None:
    _go(-1)


def redo() -> None:
    _go(1)


def _go(by: int) -> None:
    past = _past()
    if by < 0 and _unshown():
        by = 0  # what cannot be shown is no step: going back from it gives the sentence that is shown
    if not 0 <= past.at + by < len(past.steps):
        return
    step = past.steps[past.at + by]
    state.remember("history", replace(past, at=past.at + by))
    state.put("text", step.text)
    state.put("cut", step.cut)
    state.remember("typed", step.text)  # its cut belongs to it


def _unshown() -> bool:
    """Whether the box holds a sentence that could not be shown."""
    past = _past()
    return bool(past.steps) and past.steps[past.at].text != state.get("text")


def _past() -> _History:
    past = state.recall("history")
    return past if isinstance(past, _History) else _History((), 0)

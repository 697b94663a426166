"""Presenter mode: larger type, fewer controls, and keys instead of aiming."""

from __future__ import annotations

from collections.abc import Callable

from attention_app.components.keys import keys
from attention_app.ui import state
from attention_app.ui.lesson import Lesson

ZOOM = 1.5  # of type and pictures; present.css makes the rem as much larger


def on() -> bool:
    return bool(state.get("present"))


def zoom() -> float:
    return ZOOM if on() else 1.0


def toggle() -> None:
    """Enter with the numbers hidden, to be revealed when the class has guessed; leave with everything shown."""
    state.put("present", not on())
    state.put("numbers", not on())


def listen(lesson: Lesson) -> None:
    """The keys of presenter mode: words, heads, numbers, the way out."""
    keys(
        {
            "ArrowLeft": lambda: move_word(lesson, -1),
            "ArrowRight": lambda: move_word(lesson, 1),
            "ArrowUp": lambda: _move_head(lesson, -1),
            "ArrowDown": lambda: _move_head(lesson, 1),
            **common_actions(),
        }
    )


def common_actions() -> dict[str, Callable[[], None]]:
    """The keys that every page has: numbers, the way out."""
    return {" ": reveal, "Escape": toggle}


def up_and_down(lesson: Lesson) -> dict[str, Callable[[], None]]:
    """The keys of a page on which left and right are taken: the words."""
    return {"ArrowUp": lambda: move_word(lesson, -1), "ArrowDown": lambda: move_word(lesson, 1)}


def reveal() -> None:
    """Show the numbers, or cover them again. In a callback only."""
    state.put("numbers", not state.get("numbers"))


def move_word(lesson: Lesson, by: int) -> None:
    """The next word; beyond the last comes the first, and where none is chosen the first or the last one."""
    start = -1 if lesson.word is None and by > 0 else lesson.word or 0
    state.put("word", (start + by) % len(lesson.words) + 1)


def _move_head(lesson: Lesson, by: int) -> None:
    """The next head, through all layers; beyond the last comes the first."""
    n_layers, n_heads = lesson.attention.n_layers, lesson.attention.n_heads
    layer, head = divmod((lesson.layer * n_heads + lesson.head + by) % (n_layers * n_heads), n_heads)
    state.put("layer", layer + 1)
    state.put("head", head + 1)
    state.put("mean", "")

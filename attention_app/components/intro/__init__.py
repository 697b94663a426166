"""The introduction: three short steps on a first visit, and again whenever somebody asks for it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from attention_app.components import register

_mount = register("intro")


def intro(steps: Sequence[Mapping[str, str]], buttons: Mapping[str, str], *, asked: int, shared: bool) -> None:
    """Show `steps` (title, text) once per browser, and each time `asked` grows.

    Not to who came by a link to a picture (`shared`), or has begun to type before this was loaded.

    buttons: the words for "next", "back", "skip" and "done", and the template "progress" with {step} and {count}.
    The browser remembers that they were seen; the server learns nothing of it.
    """
    _mount(
        key="intro", data={"steps": list(steps), "buttons": dict(buttons), "asked": asked, "shared": shared}, height=1
    )

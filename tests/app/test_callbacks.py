"""What a page leaves in its callbacks lives as long as the visit: no run of a model, for there are forty visitors."""

from __future__ import annotations

import functools
from pathlib import Path
from types import FunctionType, MethodType
from typing import Any

import numpy as np
import pytest

PAGES = sorted(path.stem for path in (Path(__file__).parents[2] / "pages").glob("*.py"))
LONG = "那个昨天在公园里帮我找到钥匙的男孩是你同学，他买了一条鱼、两件衣服和三双鞋，如果明天不下雨就和妈妈去爬山。"
MOST_BYTES = 100_000  # the lesson's own map is a fifth of it, one hidden state of a sentence as long as this 80 000


def held(thing: Any) -> list[Any]:
    """What a thing of the app's own, or of Python, holds on to."""
    if isinstance(thing, FunctionType):
        cells = [cell.cell_contents for cell in thing.__closure__ or ()]
        return [*cells, *(thing.__defaults__ or ()), *(thing.__kwdefaults__ or {}).values()]
    if isinstance(thing, MethodType):
        return [thing.__self__, thing.__func__]
    if isinstance(thing, functools.partial):
        return [thing.func, *thing.args, *thing.keywords.values()]
    if isinstance(thing, dict):
        return list(thing.values())
    if isinstance(thing, list | tuple | set | frozenset):
        return list(thing)
    if isinstance(thing, np.ndarray):
        return [thing.base]  # a view keeps all that it is a view of
    return list(vars(thing).values()) if type(thing).__module__.startswith("attention_") else []


def arrays(things: list[Any]) -> list[np.ndarray]:
    """All arrays that the things keep alive and that own their numbers."""
    found: dict[int, Any] = {}
    waiting = list(things)
    while waiting:
        thing = waiting.pop()
        if thing is not None and id(thing) not in found:
            found[id(thing)] = thing
            waiting += held(thing)
    return [thing for thing in found.values() if isinstance(thing, np.ndarray) and thing.base is None]


def callbacks(app: Any) -> list[Any]:
    """The callbacks of all widgets of the last run, with their arguments."""
    known = app.session_state._state._state._new_widget_state.widget_metadata.values()
    return [part for one in known for part in (one.callback, one.callbacks, one.callback_args, one.callback_kwargs)]


@pytest.mark.parametrize("page", PAGES)
def test_callbacks_hold_on_to_no_arrays(open_app, page):
    app = open_app(text=LONG, step=0, tool="row", word=3)
    app.switch_page(f"pages/{page}.py").run()
    kept = callbacks(app)
    assert len([one for one in kept if one]) > 5
    found = arrays(kept)
    assert sum(array.nbytes for array in found) < MOST_BYTES, [array.shape for array in found]


def test_what_a_closure_holds_is_found():
    whole = np.zeros((7, 5, 3))
    part = whole[2, :, 1]
    assert [array is whole for array in arrays([functools.partial(lambda x: (x, part), x={"a": [1]})])] == [True]

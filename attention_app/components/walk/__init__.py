"""One by one against all at once: two cooks, a network that reads word by word, and attention, stepped in the browser.

Steps are played without the server. Where it stops (the slider let go, paused, at the end) goes into the state.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np
import streamlit as st

from attention_app.components import is_index, register
from attention_core.trace import FloatArray

_KEY = "walk"
_mount = register("walk")


def walk(
    names: Sequence[str],
    states: FloatArray,
    left: Sequence[tuple[float, str]],
    weights: FloatArray,
    *,
    moment: int,
    chosen: int | None,
    decimals: int,
    hidden: bool,
    texts: Mapping[str, str],
    on_moment: Callable[[int], None],
) -> None:
    """Show the sentence `names` (n of them) after `moment` steps, 0 to n.

    states    (n, d_hidden), between -1 and 1: the hidden state after each word
    left      what is left of the first word's mark after each word: length of its bar (0-1), and the number as shown
    weights   (n, n) attention weights, row = who looks
    chosen    the word whose lines stand out, or None
    hidden    no number of a state is told, and all lines are alike
    texts     see text/why.*.toml, table walk
    """

    def moved() -> None:
        sent = st.session_state[_KEY].get("moment")
        if is_index(sent, len(names) + 1):
            on_moment(sent)

    if hidden:  # who looks at whom is to be guessed: not even the browser knows
        weights = np.full_like(weights, 1 / len(names))
    data = {
        "names": list(names),
        "states": states.astype(float).round(6).tolist(),
        "left": [list(one) for one in left],
        "weights": (weights.astype(float) * 100).round().astype(int).tolist(),
        "moment": moment,
        "chosen": chosen,
        "decimals": decimals,
        "hidden": hidden,
        "texts": dict(texts),
    }
    _mount(key=_KEY, data=data, on_moment_change=moved)

"""How every card of the page shows itself: title, one idea, formula with shapes, a sentence, the core's own source."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import streamlit as st

from attention_app.components import matrix
from attention_app.components.blocks import Head
from attention_app.figures import numbers as figures
from attention_app.figures.head_colors import css_color, css_ink
from attention_app.text import Text
from attention_app.ui import frame, pictures, state
from attention_app.ui.multihead.layer import Layer

MINUS = "−"
_ROLES = {"query": "orange", "key": "blue"}


@contextmanager
def card(t: Text, name: str, terms: str = "", /, **values: object) -> Iterator[None]:
    """A card: its title and the one idea of it."""
    with st.container(border=True, key=f"card-multihead-{name}"):
        st.subheader(plain(t(f"card.{name}.title", **values)), anchor=False, help=terms or None)
        st.caption(plain(t(f"card.{name}.idea", **values)))
        yield


def shaped(symbol: str, *shape: int) -> str:
    """A symbol of a formula with its shape below it."""
    sizes = r",\,".join(map(str, shape))
    return rf"\underset{{({sizes})}}{{{symbol}}}"


CONCAT, OUT = r"\mathrm{Concat}", r"\mathrm{attn\_out}"


def notice(t: Text, what: str, /, **values: object) -> None:
    """The sentence on what to notice; while the numbers are hidden it gives nothing away."""
    if not pictures.revealed():
        st.markdown(t("multihead.guess"))
        return
    said = []
    for part in t.parts(f"say.{what}", **values):
        color = _ROLES.get(part.name)
        said.append(f":{color}[**{plain(part.text)}**]" if color else plain(part.text))
    st.markdown("".join(said))


def plain(text: str) -> str:
    """Text as Markdown that shows exactly this text."""
    return re.sub(r"([!-/:-@\[-`{-~])", r"\\\1", text)


def number(value: float) -> str:
    """A number with the learner's decimals and a true minus sign, or what stands for a hidden one."""
    if not pictures.revealed():
        return pictures.HIDDEN
    return figures.number(abs(value), pictures.decimals()) if value >= 0 else _negative(value)


def _negative(value: float) -> str:
    text = figures.number(-value, pictures.decimals())
    return MINUS + text if float(text) else text  # no -0.00


def source(t: Text, name: str, *functions: Callable[..., Any]) -> None:
    """The core's own functions, folded; read only while they are open."""
    if state.get("present"):
        return
    label, key = t("multihead.source"), f"multihead-source-{name}"
    folded = st.expander(label, icon=":material/code:", type="compact", key=key, on_change="rerun")
    if folded.open:
        for function in functions:
            folded.code(inspect.getsource(function))


def linked(key: str) -> dict[str, Any]:
    """What every linked matrix of the page needs."""
    return {
        "key": f"multihead-{key}",
        "decimals": pictures.decimals(),
        "texts": matrix.texts(frame.text("matrix").entries),
        "hidden": not pictures.revealed(),
    }


def heads(now: Layer) -> list[Head]:
    return [{"color": css_color(head), "ink": css_ink(head)} for head in range(now.n_heads)]


def choose_head(head: int) -> None:
    """The chosen head goes along to the other pages. In a callback only."""
    state.put("head", head + 1)
    state.put("mean", "")

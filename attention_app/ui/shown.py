"""How every card of a lesson shows itself: formula with shapes, what to notice, numbers, the core's own source."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import streamlit as st

from attention_app.components import matrix
from attention_app.components.blocks import Bar
from attention_app.figures import numbers as figures
from attention_app.text import Text
from attention_app.ui import frame, pictures, presenter
from attention_app.ui.take import screen

_ADDRESS = re.compile(r"(?:https?|ftp|mailto|xmpp):|www\.|@", re.IGNORECASE)
MINUS = "−"
# Fields of a text -> their colour.
ROLES = {"query": "orange", "key": "blue", "key2": "blue", "key3": "blue", "value": "green"}


@contextmanager
def card(key: str, title: str, idea: str, terms: str = "") -> Iterator[None]:
    """A card: its title with the terms explained, and the one idea of it. title and idea: plain text."""
    with st.container(border=True, key=f"card-{key}"):
        st.subheader(plain(title), anchor=False, help=terms or None)
        st.caption(plain(idea))
        with screen.section(title, idea):
            yield


def formula(latex: str) -> None:
    """The formula; a fraction gets a strut, for its top would be cut off."""
    st.latex(rf"\rule{{0pt}}{{1.8em}}{latex}" if r"\frac" in latex else latex)


def shaped(symbol: str, *shape: int) -> str:
    """A symbol of a formula with its shape below it."""
    sizes = r",\,".join(map(str, shape))
    return rf"\underset{{({sizes})}}{{{symbol}}}"


def named(name: str, *shape: int) -> str:
    """A name of the trace in a formula, with its shape below it."""
    return shaped(upright(name), *shape)


def upright(name: str) -> str:
    """A name of the trace in a formula."""
    return rf"\text{{{name.replace('_', chr(92) + '_')}}}"


def notice(t: Text, what: str, /, **values: object) -> None:
    """The sentence `say.{what}` on what to notice; while the numbers are hidden it gives nothing away.

    The values of the fields query, key, key2, key3 and value take the colour of their role.
    """
    if not pictures.revealed():
        st.markdown(t("lesson.guess"))
        return
    parts = t.parts(f"say.{what}", **values)
    said = []
    for part in parts:
        color = ROLES.get(part.name)
        said.append(f":{color}[**{plain(part.text)}**]" if color else plain(part.text))
    st.markdown("".join(said))
    screen.say("".join(part.text for part in parts))


def heading(text: str) -> None:
    """A heading inside a card. Plain text."""
    st.markdown(f"**{plain(text)}**")
    screen.say(text, "h3")


def say(t: Text, what: str, /, **values: object) -> None:
    """The sentence `say.{what}`, which holds no number of the computation."""
    st.markdown(plain(t(f"say.{what}", **values)))
    screen.say(t(f"say.{what}", **values))


def plain(text: str) -> str:
    """Text as Markdown that shows exactly this text.

    Streamlit turns what looks like an address into a link, escaped or not; an invisible word joiner stops that.
    """
    text = _ADDRESS.sub("\\g<0>\u2060", text)
    return re.sub(r"([!-/:-@\[-`{-~])", r"\\\1", text)


def number(value: float) -> str:
    """A number with the learner's decimals and a true minus sign (no −0.00), or what stands for a hidden one."""
    if not pictures.revealed():
        return pictures.HIDDEN
    text = figures.number(abs(value), pictures.decimals())
    return MINUS + text if value < 0 and float(text) else text


def bar(
    label: str,
    stop: float,
    numbers: list[str],
    *,
    start: float = 0.0,
    head: int | None = None,
    at: int | None = None,
    strong: bool = False,
) -> Bar:
    """A bar of `blocks.bars`, which has no length while the numbers are hidden."""
    if not pictures.revealed():
        start = stop = 0.0
    return {
        "head": head,
        "label": label,
        "at": at,
        "start": float(start),
        "stop": float(stop),
        "numbers": numbers,
        "strong": strong,
    }


def source(t: Text, key: str, *functions: Callable[..., Any]) -> None:
    """The core's own functions, folded; read only while they are open. key: tells this place from all others."""
    if presenter.on():
        return
    folded = st.expander(
        t("lesson.source"), icon=":material/code:", type="compact", key=f"source-{key}", on_change="rerun"
    )
    if folded.open:
        for function in functions:
            folded.code(inspect.getsource(inspect.unwrap(function)))


def matrix_options(key: str) -> dict[str, Any]:
    """What every call of a linked matrix needs."""
    return {
        "key": key,
        "decimals": pictures.decimals(),
        "texts": matrix.texts(frame.text("matrix").entries),
        "hidden": not pictures.revealed(),
    }

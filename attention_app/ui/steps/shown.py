"""How every step shows itself: its card, its formula with the shapes, what to notice, its matrices, its source."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
import streamlit as st

from attention_app.components import matrix
from attention_app.figures import numbers as figures
from attention_app.text import Text
from attention_app.ui import frame, pictures, state
from attention_app.ui.steps.numbers import Numbers
from attention_core.trace import FloatArray

_ROLES = {"query": "orange", "key": "blue", "key2": "blue", "value": "green"}
MINUS = "−"


@contextmanager
def card(t: Text, name: str, step: str, terms: str = "") -> Iterator[None]:
    """The card of a step: its title and the one idea of it."""
    with st.container(border=True, key=f"card-step-{name}"):
        st.subheader(f"{step} · {t(f'step.{name}.title')}", anchor=False, help=terms or None)
        st.caption(t(f"step.{name}.idea"))
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
    """The sentence on what to notice; it gives nothing away while the numbers are hidden."""
    if not pictures.revealed():
        st.markdown(t("steps.guess"))
        return
    said = []
    for part in t.parts(f"say.{what}", **values):
        color = _ROLES.get(part.name)
        said.append(f":{color}[**{plain(part.text)}**]" if color else plain(part.text))
    st.markdown("".join(said))


def say(t: Text, what: str, /, **values: object) -> None:
    """A sentence that holds no number of the computation."""
    st.markdown(plain(t(f"say.{what}", **values)))


def plain(text: str) -> str:
    """Text as Markdown that shows exactly this text."""
    return re.sub(r"([!-/:-@\[-`{-~])", r"\\\1", text)


def number(value: float) -> str:
    """A number with the learner's decimals and a true minus sign."""
    return figures.number(value, pictures.decimals()).replace("-", MINUS)


def source(t: Text, name: str, *functions: Callable[..., Any]) -> None:
    """The core's own functions, folded; read only while they are open."""
    if state.get("present"):
        return
    folded = st.expander(
        t("steps.source"), icon=":material/code:", type="compact", key=f"steps-source-{name}", on_change="rerun"
    )
    if folded.open:
        for function in functions:
            folded.code(inspect.getsource(inspect.unwrap(function)))


def options(t: Text, key: str) -> dict[str, Any]:
    """What every call of a linked matrix needs."""
    return {
        "key": f"steps-{key}",
        "decimals": pictures.decimals(),
        "texts": matrix.texts(frame.text("matrix").entries),
        "hidden": not pictures.revealed(),
    }


def pair_cell(now: Numbers) -> dict[str, Any]:
    """The kept cell between two positions, which goes along from the scores to the weights, and what keeps another.

    Where none is kept it is the chosen word and the word it looks at most; not while numbers are hidden, for that
    would give the answer away.
    """
    cell = _read("cell", len(now.names), len(now.names))
    if cell is None and pictures.revealed():
        cell = (now.row, now.best)

    return _kept(now, "cell", cell)


def dim_cell(now: Numbers, values: FloatArray) -> dict[str, Any]:
    """The kept number of X, Q, K, V or Z (n, d): a position and a dimension; else the chosen word's largest by size."""
    cell = _read("cell_dim", *values.shape)
    if cell is None and pictures.revealed():
        cell = (now.row, int(np.abs(values[now.row]).argmax()))
    return _kept(now, "cell_dim", cell)


def _read(name: str, n: int, m: int, /) -> matrix.Cell | None:
    raw = str(state.get(name))
    if not raw:
        return None
    row, column = (int(part) - 1 for part in raw.split("-"))
    return (row, column) if 0 <= row < n and 0 <= column < m else None


def _kept(now: Numbers, name: str, cell: matrix.Cell | None) -> dict[str, Any]:
    """The cell among the rows that are shown, and what puts another one into the parameter `name`.

    A kept cell takes its row's word along, but for the special tokens. The callback lives as long as its session: it
    holds on to no arrays.
    """
    shown, spans = range(len(now.names))[now.only], now.spans

    def keep(given: matrix.Cell | None) -> None:
        if given is None:
            state.put(name, "")
            return
        row = given[0] + shown.start
        state.put(name, f"{row + 1}-{given[1] + 1}")
        for word, (start, stop) in enumerate(spans):
            if start <= row < stop:
                state.put("word", word + 1)
                state.remember("steps_word", word)

    inside = (cell[0] - shown.start, cell[1]) if cell and cell[0] in shown else None
    return {"cell": inside, "on_cell": keep}

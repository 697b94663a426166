"""Card 3: the cost table of the 2017 paper with the reader's own sizes."""

from __future__ import annotations

import streamlit as st

from attention_app.components.costs import Cost, costs
from attention_app.figures import numbers
from attention_app.text import Text
from attention_app.ui import pictures, shown, state
from attention_app.ui.terms import explain
from attention_app.ui.why.card import card, times
from attention_app.ui.why.reading import Reading
from attention_core.costs import LayerCost, layer_costs
from attention_core.sources import source_info

FORMULAS = {  # operations, sequential, path: table 1 of the paper
    "attention": ("O(n² · d)", "O(1)", "O(1)"),
    "recurrent": ("O(n · d²)", "O(n)", "O(n)"),
    "convolution": ("O(k · n · d²)", "O(1)", "O(logₖ n)"),
    "restricted": ("O(r · n · d)", "O(1)", "O(n / r)"),
}
COLUMNS = ("operations", "sequential", "path")
SIZES = ("n", "d", "k", "r")
MOST_DIGITS = 10**9  # from here on a number is told by its power of ten


def show(t: Text, now: Reading) -> None:
    with card(t, "costs", explain(t, "d_model")):
        _inputs(t, now)
        sizes = {size: int(str(state.get(f"cost_{size}"))) for size in SIZES}
        table = layer_costs(**sizes)
        _notice(t, sizes["n"], sizes["d"])
        least = {column: min(getattr(cost, column) for cost in table) for column in COLUMNS}
        rows = [
            (t(f"cost.{cost.name}"), [_cell(cost, at, least[column]) for at, column in enumerate(COLUMNS)])
            for cost in table
        ]
        texts = {name: t(f"costs.{name}") for name in ("title", "layer", "least")}
        costs([t(f"cost.{column}") for column in COLUMNS], rows, texts=texts)
        shown.say(t, "costs_path")
        shown.source(t, "why-costs", layer_costs)


def _inputs(t: Text, now: Reading) -> None:
    for column, size in zip(st.columns(4, gap="small"), SIZES, strict=True):
        param = state.SCHEMA[f"cost_{size}"]
        column.number_input(t(f"cost.{size}"), param.low, param.high, step=1, key=param.name)
    n, d_model = now.n, source_info(now.lesson.source, now.lesson.settings).d_model

    def use() -> None:
        state.put("cost_n", n)
        state.put("cost_d", d_model)

    st.button(t("cost.use", n=n, d=d_model), icon=":material/input:", key="why-use", on_click=use)


def _cell(cost: LayerCost, at: int, least: int) -> Cost:
    value = int(getattr(cost, COLUMNS[at]))
    hidden = not pictures.revealed()
    number = pictures.HIDDEN if hidden else written(value)
    return {"formula": FORMULAS[cost.name][at], "number": number, "least": value == least and not hidden}


def written(value: int) -> str:
    """1,234,567, and from a billion on 1.23 × 10⁹."""
    return f"{value:,}" if value < MOST_DIGITS else numbers.scientific(value, 2)


def _notice(t: Text, n: int, d: int) -> None:
    what = "costs_less" if n < d else "costs_more" if n > d else "costs_same"
    shown.notice(t, what, n=n, d=d, ratio=times(n / d))

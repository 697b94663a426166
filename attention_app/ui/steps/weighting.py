"""Step 6: softmax turns every row of scores into weights that sum to 1."""

from __future__ import annotations

import numpy as np
import streamlit as st

from attention_app.components import matrix
from attention_app.components.matrix import Matrix, Softmax
from attention_app.text import Text
from attention_app.ui import shown, state
from attention_app.ui.steps import step
from attention_app.ui.steps.masking import masked
from attention_app.ui.steps.numbers import Numbers, temperature
from attention_app.ui.terms import explain
from attention_core.ops import softmax

STEP = "6"


def show(t: Text, now: Numbers) -> None:
    with step.card(t, "weights", STEP, explain(t, "softmax", "attention_weight")):
        st.select_slider(
            t("steps.temperature"), state.TEMPERATURES, key="temperature", help=t("steps.temperature_help")
        )
        degrees = temperature()
        shown.formula(_formula(len(now.names), warm=degrees != 1))
        row = now.trace.masked_scores[0, now.row]
        powers = np.exp((row - row.max()) / degrees)
        best, word = int(now.weights[now.row].argmax()), now.best_word(now.weights[now.row])
        shown.notice(
            t,
            "weights" if best == word else "weights_special",
            query=now.names[now.row],
            most=shown.number(float(row.max())),
            sum=shown.number(float(powers.sum())),
            key=now.names[best],
            weight=shown.number(float(now.weights[now.row, best])),
            total=shown.number(float(now.weights[now.row].sum())),
            key2=now.names[word],
            among=shown.number(float(now.weights[now.row, word])),
        )
        matrix.transform(
            masked(t, now),
            now.pairs("attn_weights", now.weights, kind="weights"),
            how=Softmax(degrees),
            **shown.matrix_options("steps-weights"),
            **step.pair_cell(now, now.weights[now.row]),
        )
        _chain(t, now)
        st.caption(t("steps.no_second"))
        shown.source(t, "steps-weights", softmax)


def _formula(n: int, *, warm: bool) -> str:
    def power(column: str) -> str:
        inside = rf"s_{{i{column}}} - \max_m s_{{im}}"
        return rf"e^{{({inside})/T}}" if warm else f"e^{{{inside}}}"

    return (
        rf"{shown.named('attn_weights', n, n)}:\quad "
        rf"w_{{ij}} = \frac{{{power('j')}}}{{\sum_l {power('l')}}}"
    )


def _chain(t: Text, now: Numbers) -> None:
    """The chosen row from the dot product to the weight, one key below the other."""
    shown.heading(t("steps.chain", query=now.names[now.row]))
    why = t(f"steps.why.{state.get('mask')}") if not now.trace.mask.all() else ""
    made = chain(now, why, t("steps.weight"))
    kept = step.pair_cell(now, now.weights[now.row])["cell"]
    at = kept[1] if kept and kept[0] == now.row - (now.only.start or 0) else None  # the same pair, down to its weight
    cell = None if at is None else (at, made.shape[1] - 1)
    matrix.single(made, cell=cell, **shown.matrix_options("steps-chain"))


def chain(now: Numbers, why: str, weight: str) -> Matrix:
    """A line for each key: q·k, divided, less the row's maximum, exp, weight. why: the reason of a masked cell."""
    trace, at, degrees = now.trace, now.row, now.choice.temperature
    off = trace.masked_scores[0, at] - trace.masked_scores[0, at].max()
    columns = [trace.scores[0, at], trace.scaled_scores[0, at], off, np.exp(off / degrees), now.weights[at]]
    names = ["q·k", f"÷ √{now.d_head}" if now.choice.scaled else "÷ 1", f"{shown.MINUS} max"]
    names += ["exp" if degrees == 1 else f"exp(·/{degrees:g})", weight]
    reasons = {(int(j), 2): why for j in np.flatnonzero(~trace.mask[at])}
    values = np.column_stack(columns)
    return now.rows("softmax", values, only=slice(None), columns=names, mask_reasons=reasons, row_role="key")

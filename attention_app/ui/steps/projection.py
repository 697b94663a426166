"""Step 2: Q, K and V, three different views of the same X."""

from __future__ import annotations

import numpy as np
import streamlit as st

from attention_app.components import matrix
from attention_app.components.matrix import Matrix
from attention_app.components.matrix.model import Role
from attention_app.text import Text
from attention_app.ui import shown, state
from attention_app.ui.steps import edits, step
from attention_app.ui.steps.numbers import Numbers
from attention_app.ui.terms import explain
from attention_core.attention import multi_head_attention

STEP = "2"
_ROLE: dict[str, Role] = {"q": "query", "k": "key", "v": "value"}


def show(t: Text, now: Numbers) -> None:
    with step.card(t, "qkv", STEP, explain(t, "query", "key", "value", "projection", "d_head")):
        head, layer = now.lesson.head, now.layer
        (n, d_model), d_head = layer.x_q.shape, now.d_head
        biased = bool(layer.b_Q.any() or layer.b_K.any() or layer.b_V.any())
        for name, column in zip("QKV", st.columns(3), strict=True):
            with column:
                shown.formula(_formula(name, n, d_model, d_head, biased))
        part = st.segmented_control(
            t("steps.part"),
            state.SCHEMA["part"].choices,
            format_func=lambda name: str(name).upper(),
            key="part",
            required=True,
            label_visibility="collapsed",
        )
        name, letter = str(part), str(part).upper()
        W, b = getattr(layer, f"W_{letter}")[head], getattr(layer, f"b_{letter}")[head]
        result = getattr(layer.attention, name)[head]
        _notice(t, now, name, result)
        matrix.product(
            now.rows("X", layer.x_q, editable=now.editable),
            Matrix(f"W_{letter}", W, editable=now.editable),
            now.rows(letter, result, role=_ROLE[name]),
            bias=b if biased else None,
            **shown.matrix_options(f"steps-project-{name}"),
            **step.dim_cell(now, result),
            **edits.options(now.lesson.source, head, now.only.start or 0),
        )
        shown.source(t, "steps-qkv", multi_head_attention)


def _formula(name: str, n: int, d_model: int, d_head: int, biased: bool) -> str:
    product = f"{shown.shaped(name, n, d_head)} = {shown.shaped('X', n, d_model)}\\,"
    product += shown.shaped(f"W_{name}", d_model, d_head)
    return f"{product} + {shown.shaped(f'b_{name}', d_head)}" if biased else product


def _notice(t: Text, now: Numbers, name: str, result: np.ndarray) -> None:
    row = result[now.row]
    dim = int(np.abs(row).argmax())
    shown.notice(
        t,
        f"qkv_{name}",
        **{_ROLE[name]: now.names[now.row]},
        dim=dim + 1,
        number=shown.number(float(row[dim])),
        count=now.layer.x_q.shape[1],
    )

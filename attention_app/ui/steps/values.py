"""Step 7: the new vectors, each a weighted sum of all value vectors."""

from __future__ import annotations

import numpy as np

from attention_app.components import matrix
from attention_app.components.matrix import Matrix
from attention_app.figures.stack import StackTexts, stacked
from attention_app.text import Text
from attention_app.ui import frame, pictures, shown
from attention_app.ui.charts import chart
from attention_app.ui.steps import step
from attention_app.ui.steps.numbers import Numbers
from attention_app.ui.terms import explain
from attention_core.attention import scaled_dot_product_attention

STEP = "7"


def show(t: Text, now: Numbers) -> None:
    with step.card(t, "z", STEP, explain(t, "value", "attention_weight")):
        n, d_v = now.trace.v[0].shape
        shown.formula(
            rf"{shown.shaped('Z', n, d_v)} = {shown.named('attn_weights', n, n)}\;{shown.shaped('V', n, d_v)}"
        )
        matrix.product(
            now.pairs("attn_weights", now.weights, kind="weights"),
            now.rows("V", now.trace.v[0], role="value", only=slice(None)),
            now.rows("Z", now.trace.z[0]),
            **shown.matrix_options("steps-z"),
            **step.dim_cell(now, now.trace.z[0]),
        )
        _parts(t, now)
        shown.source(t, "steps-z", scaled_dot_product_attention)


def _parts(t: Text, now: Numbers) -> None:
    """The chosen word's new vector as a stack of parts: weight times value vector, one for each key."""
    name = now.names[now.row]
    shown.heading(t("steps.parts", query=name))
    parts = now.weights[now.row][:, None] * now.trace.v[0]  # (n, d_v)
    z = parts.sum(axis=0)  # (d_v,)
    along = parts @ z / max(float(z @ z), 1e-12)  # (n,) sums to 1: how far each part goes along z
    best = int(along.argmax())
    shown.notice(
        t,
        "z",
        query=name,
        count=len(parts),
        key=now.names[best],
        weight=shown.number(float(now.weights[now.row, best])),
        share=f"{along[best]:.0%}",
    )
    if pictures.revealed():
        texts = StackTexts(
            rest=t.entries["steps.stack.rest"],
            total=f"z = {t('steps.stack.total')}",
            dimension=t("steps.stack.dimension"),
            hover=t.entries["steps.stack.hover"],
            font=frame.font(),
        )
        figure = stacked(parts, now.names, decimals=pictures.decimals(), texts=texts, palette=frame.palette())
        chart("steps-stack", figure)
    cell = (best, int(np.abs(parts[best]).argmax())) if pictures.revealed() else None
    matrix.single(stack(now, t("steps.stack.total")), cell=cell, **shown.matrix_options("steps-parts"))


def stack(now: Numbers, total: str) -> Matrix:
    """What the chosen word's new vector is stacked from: weight times value vector of each key, and their sum."""
    parts = now.weights[now.row][:, None] * now.trace.v[0]  # (n, d_v)
    return Matrix("attn_weights · V", np.vstack([parts, parts.sum(axis=0)]), rows=(*now.names, total), row_role="value")

"""Step 4: divide by the square root of the head's width, and what happens without."""

from __future__ import annotations

import math

import numpy as np
import streamlit as st

from attention_app.components import matrix
from attention_app.components.matrix import Matrix, Scale
from attention_app.text import Text
from attention_app.ui import pictures, shown
from attention_app.ui.steps import step
from attention_app.ui.steps.numbers import Numbers
from attention_app.ui.terms import explain
from attention_core.attention import scaled_dot_product_attention
from attention_core.ops import softmax

STEP = "4"


def show(t: Text, now: Numbers) -> None:
    with step.card(t, "scaled", STEP, explain(t, "scaled_score", "d_head")):
        n, d_head = len(now.names), now.d_head
        root = math.sqrt(d_head)
        on = st.toggle(t("steps.scaled", root=f"√{d_head}"), key="scaled")
        divided = rf"\frac{{\text{{scores}}}}{{\sqrt{{d_k}}}} = \frac{{\text{{scores}}}}{{\sqrt{{{d_head}}}}}"
        right = divided if on else shown.named("scores", n, n)
        shown.formula(f"{shown.named('scaled_scores', n, n)} = {right}")
        scores = now.trace.scores[0]
        shown.notice(
            t,
            "scaled",
            count=d_head,
            root=shown.number(root),
            before=shown.number(float(scores.std())),
            after=shown.number(float(scores.std() / root)),
        )
        matrix.transform(
            now.pairs("scores", scores),
            now.pairs("scaled_scores", now.trace.scaled_scores[0]),
            how=Scale(root if on else 1.0, f"√{d_head}" if on else "1"),
            **shown.matrix_options("steps-scaled"),
            **step.pair_cell(now, scores[now.row]),
        )
        _compare(t, now, scores[now.row], root)
        shown.source(t, "steps-scaled", scaled_dot_product_attention)


def _compare(t: Text, now: Numbers, row: np.ndarray, root: float) -> None:
    """The softmax of the chosen row with and without the division, one above the other; nothing is masked here."""
    shown.heading(t("steps.compare"))
    both = np.vstack([softmax(row / root), softmax(row)])
    shown.notice(
        t,
        "compare",
        query=now.names[now.row],
        largest=shown.number(float(both[1].max())),
        smaller=shown.number(float(both[0].max())),
    )
    if pictures.revealed():
        names = [f"÷ √{now.d_head}", t("steps.undivided")]
        compared = Matrix(
            "softmax", both, rows=names, columns=now.names, kind="weights", column_at=now.places, row_role=""
        )
        undivided = (1, int(both[1].argmax()))  # the first number of the sentence
        matrix.single(compared, cell=undivided, **shown.matrix_options("steps-compare"))

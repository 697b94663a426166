"""Step 5: cells that may not be looked at get minus infinity, and so the weight 0."""

from __future__ import annotations

import numpy as np
import streamlit as st

from attention_app.components import matrix
from attention_app.text import Text
from attention_app.ui import shown, state
from attention_app.ui.steps import masks, step
from attention_app.ui.steps.numbers import Numbers
from attention_core.masks import causal_mask, padding_mask

STEP = "5"


def show(t: Text, now: Numbers) -> None:
    with step.card(t, "masked", STEP):
        n, n_words = len(now.names), len(now.spans)
        kind = st.segmented_control(
            t("steps.mask.label"),
            state.MASKS,
            format_func=lambda name: t(f"steps.mask.{name}"),
            key="mask",
            required=True,
            label_visibility="collapsed",
        )
        if kind == "padding" and n_words > 1:
            st.number_input(t("steps.pad"), 1, n_words - 1, step=1, key="pad", width=220)
        elif kind == "padding":
            st.info(t("steps.pad_nothing"))
        elif kind == "hand":
            st.caption(t("steps.by_hand"))
        refused = masks.refused()
        if refused is not None and refused < n:
            st.error(t("steps.refused", word=shown.plain(now.names[refused])), icon=":material/block:")
        shown.formula(
            rf"{shown.named('masked_scores', n, n)} = {shown.named('scaled_scores', n, n)} + {shown.shaped('M', n, n)},"
            r"\qquad M_{ij} \in \{0,\,-\infty\}"
        )
        closed = int((~now.trace.mask).sum())
        left = int(now.trace.mask[now.row].sum())
        shown.notice(t, "masked" if closed else "masked_none", query=now.names[now.row], closed=closed, left=left)
        kept = step.pair_cell(now, now.trace.masked_scores[0, now.row])
        if kind == "hand":
            start = now.only.start or 0

            def toggle(cell: matrix.Cell | None) -> None:
                if cell:
                    masks.toggle(cell[0] + start, cell[1], n)

            kept = {"on_cell": toggle}
        matrix.transform(
            now.pairs("scaled_scores", now.trace.scaled_scores[0]),
            masked(t, now),
            how="mask",
            **shown.matrix_options("steps-masked"),
            **kept,
        )
        shown.source(t, "steps-masked", causal_mask, padding_mask)


def masked(t: Text, now: Numbers) -> matrix.Matrix:
    """The masked scores; every masked cell says why."""
    why = t(f"steps.why.{state.get('mask')}") if not now.trace.mask.all() else ""
    closed = np.argwhere(~now.trace.mask[now.only])
    reasons = {(int(i), int(j)): why for i, j in closed}
    return now.pairs("masked_scores", now.trace.masked_scores[0], mask_reasons=reasons)

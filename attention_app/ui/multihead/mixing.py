"""Card 3: Concat times W_O is the output, and its shape is that of X."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from attention_app.components import matrix
from attention_app.components.matrix import Matrix
from attention_app.text import Text
from attention_app.ui import shown, state
from attention_app.ui.multihead import layer_card
from attention_app.ui.multihead.layer import Layer
from attention_app.ui.positions import Spans, word_at
from attention_app.ui.terms import explain
from attention_core.attention import multi_head_attention
from attention_core.ops import linear

WINDOW = 8  # dimensions shown at once: W_O as a whole would be a megabyte
ALL_ROWS_UP_TO = 16  # positions; of a longer sentence only the chosen word's row is sent


def window(now: Layer) -> range:
    """The dimensions of the output that are shown: those around the chosen one."""
    start = min(now.dim // WINDOW * WINDOW, max(0, now.d_model - WINDOW))
    return range(start, min(start + WINDOW, now.d_model))


def show(t: Text, now: Layer) -> None:
    with layer_card.card(t, "output", explain(t, "projection", "d_model"), kind=now.kind):
        n, width, d_model = now.n, now.n_heads * now.d_head, now.d_model
        bias = rf" + {shown.shaped('b_O', d_model)}" if now.biased else ""
        product = rf"{shown.shaped(layer_card.CONCAT, n, width)}\;{shown.shaped('W_O', width, d_model)}{bias}"
        shown.formula(rf"{shown.shaped(layer_card.OUT, n, d_model)} = {product}")
        _check_shape(t, now)
        only = list(range(n)) if n <= ALL_ROWS_UP_TO else [now.at]
        dims = window(now)
        part = slice(dims.start, dims.stop)
        st.number_input(t("multihead.dim", count=d_model), 1, d_model, step=1, key="dim", width=280)
        shown.notice(
            t,
            f"output_{now.kind}" if now.kind else "output",
            query=now.names[now.at],
            dim=now.dim + 1,
            number=shown.number(float(now.out[now.at, now.dim])),
            count=width,
        )
        matrix.product(
            now.rows("Concat", now.trace.concat, only),
            Matrix("W_O", now.trace.W_O[:, part], of_columns=(dims.start, d_model)),
            now.rows("attn_out", now.out[:, part], only, of_columns=(dims.start, d_model)),
            bias=now.trace.b_O[part] if now.biased else None,
            cell=(only.index(now.at), now.dim - dims.start),
            on_cell=keep(now.spans, only, dims),
            **shown.matrix_options("multihead-output"),
        )
        shown.source(t, "multihead-output", multi_head_attention, linear)


def _check_shape(t: Text, now: Layer) -> None:
    """The output's shape beside that of X, compared here and not by heart."""
    out, x = now.trace.attn_out.shape, now.trace.x_q.shape
    if out == x:
        sizes = rf"\mathrm{{attn\_out}}: ({out[0]},\,{out[1]}) = ({x[0]},\,{x[1]}) :\!X"
        with st.container(key="multihead-shape", gap="xxsmall"):
            st.markdown(f":green-badge[:material/check: {t('multihead.same_shape')}] ${sizes}$")
            st.caption(t("say.same_shape"))


def keep(spans: Spans, only: Sequence[int], dims: range) -> matrix.OnCell:
    """What a kept cell does: it sets the dimension, and the word whose row it is in. It holds on to no arrays.

    spans: the positions of each word; only: the position of each row that is shown; dims: of each column.
    """

    def put(cell: matrix.Cell | None) -> None:
        if cell is None:
            return
        state.put("dim", dims[cell[1]] + 1)
        word = word_at(spans, only[cell[0]])
        if word is not None:
            state.put("word", word + 1)

    return put

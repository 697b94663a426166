"""Card 5: where the encoder enters: queries from the decoder, keys and values from the encoder's output."""

from __future__ import annotations

from attention_app.components import matrix
from attention_app.components.matrix import Cell, Matrix
from attention_app.labels import labels
from attention_app.text import Text
from attention_app.ui import pictures, shown
from attention_app.ui.terms import explain
from attention_app.ui.translate.now import Now
from attention_core.attention import multi_head_attention, scaled_dot_product_attention


def show(t: Text, now: Now) -> None:
    with shown.card(
        "translate-enter", t("card.enter.title"), t("card.enter.idea"), explain(t, "query", "key", "value", "encoder")
    ):
        cross, head = now.trace.cross_attention, now.head or 0
        attention = cross.attention
        n, d_model = cross.x_q.shape
        n_k, d_head = attention.k[head].shape
        shown.formula(
            r" \qquad ".join(
                rf"{shown.shaped(symbol, size, d_head)} = {shown.shaped(role, size, d_model)}\;"
                rf"{shown.shaped(f'W_{symbol}', d_model, d_head)} + b_{symbol}"
                for symbol, role, size in (("Q", "D", n), ("K", "M", n_k), ("V", "M", n_k))
            )
        )
        shown.say(t, "enter_of_mean" if now.head is None else "enter", layer=now.layer + 1, head=head + 1)
        row = attention.attn_weights[head, now.step]  # (n_k,)
        best = int(row.argmax())
        names = labels(now.run.source.pieces)
        shown.notice(
            t,
            "scores",
            query=now.outputs[now.step],
            key=names[best],
            score=shown.number(float(attention.scores[head, now.step, best])),
            root=f"{d_head**0.5:.2f}",
            number=shown.number(float(row[best])),
        )
        options = shown.matrix_options("translate-enter")
        cell: Cell | None = (now.step, best) if pictures.revealed() else None
        matrix.product(
            Matrix("Q", attention.q[head], rows=now.outputs, role="query", note=t("enter.q")),
            Matrix("K", attention.k[head], rows=names, role="key", note=t("enter.k")),
            Matrix("scores", attention.scores[head], rows=now.outputs, columns=names),
            transposed=True,
            cell=cell,
            **options,
        )
        shown.source(t, "translate-enter", multi_head_attention, scaled_dot_product_attention)

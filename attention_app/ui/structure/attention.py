"""Multi-head attention of the encoder: the shapes on the way, and one head's weights."""

from __future__ import annotations

import numpy as np

from attention_app.components import matrix
from attention_app.text import Text
from attention_app.ui import shown
from attention_app.ui.structure.now import Now
from attention_core.attention import multi_head_attention


def show(t: Text, now: Now) -> None:
    h, n, d_head = now.block.multi_head.attention.z.shape
    way = (
        shown.shaped("X", n, now.d_model),
        shown.shaped("Q,K,V", h, n, d_head),
        shown.shaped(r"\text{weights}", h, n, n),
        shown.shaped("Z", h, n, d_head),
        shown.shaped(r"\text{attn\_out}", n, now.d_model),
    )
    shown.formula(r"\to".join(way))
    weights = now.block.multi_head.attention.attn_weights[now.head]  # (n, n)
    inner = np.arange(1, n - 1)
    best = int(inner[weights[now.at, inner].argmax()])
    special = float(weights[now.at, [0, -1]].sum())
    shown.notice(
        t,
        "attention",
        layer=now.layer + 1,
        head=now.head + 1,
        query=now.query,
        key=now.names[best],
        weight=shown.number(float(weights[now.at, best])),
        special=shown.number(special),
    )
    picture = now.pairs(t("structure.weights", head=now.head + 1), weights, kind="weights")
    matrix.single(picture, rest=(now.at, best), **shown.matrix_options("structure-attention"))
    shown.source(t, "structure-attention", multi_head_attention)

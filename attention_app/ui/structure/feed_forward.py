"""Feed-forward: every position alone, spread out to four times the width and folded back."""

from __future__ import annotations

import numpy as np

from attention_app.components import matrix
from attention_app.components.matrix import Matrix
from attention_app.text import Text
from attention_app.ui import shown
from attention_app.ui.structure.now import Now
from attention_core.block import encoder_block
from attention_core.measures import ranked
from attention_core.ops import gelu
from attention_core.sources.e5 import load_model

UNITS = 8  # the most active ones that are shown


def show(t: Text, now: Now) -> None:
    block, w = now.block, load_model().block_weights(now.layer)
    n, d_ff = block.ffn_act.shape
    first = rf"{shown.shaped('x', n, now.d_model)}\,{shown.shaped('W_1', now.d_model, d_ff)} + b_1"
    shown.formula(rf"\mathrm{{GELU}}\bigl({first}\bigr)\,{shown.shaped('W_2', d_ff, now.d_model)} + b_2")
    own = block.ffn_act[now.at]  # (d_ff,)
    units = [one.place for one in ranked(own)[:UNITS]]
    names = [f"#{unit + 1}" for unit in units]
    top = units[0]
    there = int(np.delete(np.arange(n), now.at)[np.delete(block.ffn_act[:, top], now.at).argmax()])
    shown.notice(
        t,
        "ffn",
        query=now.query,
        unit=top + 1,
        number=shown.number(float(own[top])),
        key=now.names[there],
        number2=shown.number(float(block.ffn_act[there, top])),
        active=int((own > 0).sum()),
        d_ff=d_ff,
    )
    matrix.single(
        now.rows("ffn_act", block.ffn_act[:, units], columns=names),
        rest=(now.at, 0),
        **shown.matrix_options("structure-units"),
    )
    shown.say(t, "ffn_product", query=now.query)
    matrix.product(
        now.rows("norm_attn", block.norm_attn, [now.at]),
        Matrix("W_1", w.W_1[:, units], columns=names),
        now.rows("ffn_pre", block.ffn_pre[:, units], [now.at], columns=names),
        bias=w.b_1[units],
        **shown.matrix_options("structure-unit"),
    )
    shown.say(t, "ffn_all", query=now.query, d_ff=d_ff)
    row = now.rows("ffn_act", block.ffn_act, [now.at])
    matrix.single(row, rest=(0, top), **shown.matrix_options("structure-ffn"))
    shown.source(t, "structure-ffn", encoder_block, gelu)

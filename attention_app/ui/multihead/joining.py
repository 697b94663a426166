"""Card 2: Z of every head side by side."""

from __future__ import annotations

import base64
import zlib

import numpy as np

from attention_app.components import matrix
from attention_app.components.blocks import concat
from attention_app.components.matrix import Matrix
from attention_app.text import Text
from attention_app.ui import shown
from attention_app.ui.multihead import layer_card
from attention_app.ui.multihead.layer import Layer
from attention_app.ui.terms import explain
from attention_core.attention import multi_head_attention
from attention_core.contributions import sizes
from attention_core.trace import FloatArray


def show(t: Text, now: Layer) -> None:
    one = "single" if now.n_heads == 1 else ""
    with layer_card.card(t, "concat", explain(t, "concat", "multi_head", "d_head"), kind=one, heads=now.n_heads):
        n, h, d_head = now.n, now.n_heads, now.d_head
        blocks = r"\,|\,".join(shown.shaped(f"Z_{{{i}}}", n, d_head) if i else r"\cdots" for i in _named(h))
        shown.formula(rf"{shown.shaped(layer_card.CONCAT, n, h * d_head)} = \bigl[\,{blocks}\,\bigr]")
        _notice(t, now)
        texts = {name: t.entries[f"view.{name}"] for name in ("block", "columns", "place")}
        concat(
            layer_card.heads(now),
            pack(now.trace.concat),
            width=d_head,
            names=now.names,
            places=now.places,
            row=now.at,
            chosen=now.lesson.head,
            texts={**texts, "title": t("view.concat"), "minus": t("view.minus"), "plus": t("view.plus")},
            on_head=layer_card.choose_head,
        )
        rows = [t("multihead.row_z", head=head + 1) for head in range(h)]
        matrix.single(
            Matrix(f"Z · {now.names[now.at]}", now.trace.attention.z[:, now.at], rows=rows),
            **shown.matrix_options("multihead-z"),
        )
        shown.source(t, "multihead-concat", multi_head_attention)


def pack(numbers: FloatArray) -> str:
    """One byte a number, 128 for 0 and 1 or 255 for the largest size: colours need no more."""
    top = max(float(np.abs(numbers).max()), 1e-12)
    shades = np.rint(numbers / top * 127 + 128).astype(np.uint8)
    return base64.b64encode(zlib.compress(shades.tobytes())).decode("ascii")


def _named(n_heads: int) -> list[int]:
    """Which blocks a formula names, from 1: all of a few, else the first and the last, 0 for those between."""
    return list(range(1, n_heads + 1)) if n_heads <= 3 else [1, 0, n_heads]


def _notice(t: Text, now: Layer) -> None:
    width = now.n_heads * now.d_head
    if now.n_heads == 1:
        shown.notice(t, "concat_single", width=width)
        return
    lengths = sizes(now.trace.attention.z[:, now.at])
    most, least = int(lengths.argmax()), int(lengths.argmin())
    shown.notice(
        t,
        "concat",
        heads=now.n_heads,
        d_head=now.d_head,
        width=width,
        query=now.names[now.at],
        head=most + 1,
        size=shown.number(float(lengths[most])),
        head2=least + 1,
        size2=shown.number(float(lengths[least])),
    )

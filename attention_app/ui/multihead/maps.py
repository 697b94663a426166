"""Card 1: the weights of every head, and the chosen word's row in each."""

from __future__ import annotations

import numpy as np

from attention_app.components.blocks import Look, Tile, tiles
from attention_app.figures.thumbnails import STEPS, thumbnails
from attention_app.text import Text
from attention_app.ui import pictures, shown
from attention_app.ui.multihead import layer_card
from attention_app.ui.multihead.layer import Layer
from attention_app.ui.terms import explain
from attention_core.attention import scaled_dot_product_attention
from attention_core.measures import entropy, ranked
from attention_core.trace import FloatArray

MOST_CELLS = 48  # a side of a map: more cells would be less than 3 px wide
LOOKS = 3  # words named below a map


def show(t: Text, now: Layer) -> None:
    name = now.names[now.at]
    terms = explain(t, "head", "multi_head", "attention_weight", "entropy", "not_explanation")
    with layer_card.card(t, "heads", terms, kind="single" if now.n_heads == 1 else "", word=name):
        n, d_head = now.n, now.d_head
        heads = rf"1 \ldots {now.n_heads}" if now.n_heads > 1 else "1"
        value = f"{shown.shaped('V_i', n, d_head)}"
        softmax = (
            rf"\underset{{({n},\,{n})}}{{\mathrm{{softmax}}\!\left(\frac{{Q_i K_i^\top}}{{\sqrt{{{d_head}}}}}\right)}}"
        )
        shown.formula(rf"{shown.shaped('Z_i', n, d_head)} = {softmax}\;{value},\qquad i = {heads}")
        rows = now.weights[:, now.at]  # (n_heads, n)
        bits = entropy(rows)  # (n_heads,)
        _notice(t, now, rows, bits)
        weights = now.weights
        if not pictures.revealed():  # the row to be guessed stays empty
            weights = weights.copy()
            weights[:, now.at] = 0
        small = thumbnails(weights[None], np.zeros((1, now.n_heads, n, 0)), most=MOST_CELLS)
        tiles(
            layer_card.heads(now),
            [_tile(t, now, head, rows[head], float(bits[head])) for head in range(now.n_heads)],
            small.data,
            side=small.rows,
            steps=STEPS,
            names=now.names,
            places=now.places,
            row=now.at,
            chosen=now.lesson.head,
            texts={"title": t("view.tiles"), "how": t.entries["view.choose"]},
            on_head=layer_card.choose_head,
        )
        shown.source(t, "multihead-heads", scaled_dot_product_attention, entropy)


def _tile(t: Text, now: Layer, head: int, row: FloatArray, bits: float) -> Tile:
    looks: list[Look] = [
        {"at": now.places[one.place], "name": now.names[one.place], "weight": one.weight, "number": text}
        for one in ranked(row)[:LOOKS]
        if (text := shown.number(one.weight))
    ]
    if not pictures.revealed():  # the names would give the answer away
        looks, row = [], np.zeros_like(row)
    spread = t("view.bits", bits=shown.number(bits))
    spoken = t("between.parts").join(t("view.look", name=look["name"], number=look["number"]) for look in looks)
    name = t("view.tile", head=head + 1, spread=spread, looks=spoken)
    return {"name": name, "row": np.rint(row * 100).astype(int).tolist(), "looks": looks, "spread": spread}


def _notice(t: Text, now: Layer, rows: FloatArray, bits: FloatArray) -> None:
    if now.n == 1:
        shown.notice(t, "heads_one")
        return
    sharp, flat = int(bits.argmin()), int(bits.argmax())
    key = int(rows[sharp].argmax())
    values = {
        "bits": shown.number(float(bits[sharp])),
        "few": f"{2 ** bits[sharp]:.1f}",
        "key": now.names[key],
        "weight": shown.number(float(rows[sharp, key])),
    }
    if now.n_heads == 1:
        shown.notice(t, "heads_single", **values)
        return
    more = {"bits2": shown.number(float(bits[flat])), "many": f"{2 ** bits[flat]:.1f}"}
    shown.notice(t, "heads", sharp=sharp + 1, flat=flat + 1, **values, **more)

"""Card 6: which heads are alike on this sentence, which are sharp and which are flat."""

from __future__ import annotations

import math

import numpy as np
import streamlit as st

from attention_app.components.blocks import Bar, bars, likeness
from attention_app.text import Text
from attention_app.ui import pictures, shown
from attention_app.ui.multihead import layer_card
from attention_app.ui.multihead.layer import Layer
from attention_app.ui.terms import explain
from attention_core.contributions import overlaps
from attention_core.measures import entropy
from attention_core.trace import FloatArray


def show(t: Text, now: Layer) -> None:
    if now.n_heads == 1:
        return
    top = math.log2(now.n)
    with layer_card.card(t, "alike", explain(t, "entropy"), n=now.n, top=f"{top:.1f}"):
        shared = overlaps(now.weights)  # (n_heads, n_heads)
        bits = entropy(now.weights).mean(axis=-1)  # (n_heads,)
        _notice(t, now, shared, bits)
        if now.lesson.attention.special_names and pictures.revealed():
            held = float(now.weights[..., [0, -1]].sum(axis=-1).mean())
            st.caption(shown.plain(t("say.alike_special", special=f"{held:.0%}")))
        left, right = st.columns([1.35, 1], gap="medium") if now.n_heads > 2 else st.columns(2, gap="medium")
        with left:
            shown.heading(t("multihead.alike"))
            seen = shared if pictures.revealed() else np.zeros_like(shared)
            cells = [
                [(round(float(share), 3), shown.number(float(value))) for share, value in zip(*lines, strict=True)]
                for lines in zip(seen, shared, strict=True)
            ]
            likeness(layer_card.heads(now), cells, texts={"title": t("view.likeness"), "pair": t.entries["view.pair"]})
        with right:
            shown.heading(t("multihead.sharp"))
            lengths = [_bar(now, head, float(bits[head]), max(top, 1e-12)) for head in range(now.n_heads)]
            bars("entropy", layer_card.heads(now), lengths, texts={"title": t("view.entropy")})
        shown.source(t, "multihead-alike", overlaps, entropy)


def _bar(now: Layer, head: int, bits: float, top: float) -> Bar:
    return shown.bar("", bits / top, [shown.number(bits)], head=head, strong=head == now.lesson.head)


def _notice(t: Text, now: Layer, shared: FloatArray, bits: FloatArray) -> None:
    if now.n == 1:
        shown.notice(t, "alike_same")
        return
    pairs = [(i, j) for i in range(now.n_heads) for j in range(i + 1, now.n_heads)]
    each = np.array([shared[pair] for pair in pairs])
    most, least = pairs[int(each.argmax())], pairs[int(each.argmin())]
    sharp, flat = int(bits.argmin()), int(bits.argmax())
    values = {
        "shared": shown.number(float(shared[most])),
        "sharp": sharp + 1,
        "bits": shown.number(float(bits[sharp])),
        "flat": flat + 1,
        "bits2": shown.number(float(bits[flat])),
    }
    if now.n_heads == 2:
        shown.notice(t, "alike_two", **values)
        return
    apart = {"far": least[0] + 1, "far2": least[1] + 1, "apart": shown.number(float(shared[least]))}
    shown.notice(t, "alike", one=most[0] + 1, two=most[1] + 1, **apart, **values)

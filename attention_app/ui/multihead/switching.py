"""Card 5: heads switched off, and what that changes in this layer's output."""

from __future__ import annotations

import numpy as np
import streamlit as st

from attention_app.components.blocks import Bar, bars, switches
from attention_app.text import Text
from attention_app.ui import shown
from attention_app.ui.multihead import layer_card
from attention_app.ui.multihead.layer import Layer, switch_off
from attention_core.contributions import cosines, output_without, sizes
from attention_core.trace import FloatArray


def show(t: Text, now: Layer) -> None:
    if now.n_heads == 1:
        return
    with layer_card.card(t, "off"):
        texts = {name: t.entries[f"view.{name}"] for name in ("switch", "alone", "alone_title", "all")}
        switches(layer_card.heads(now), now.off, texts={**texts, "title": t("view.switches")}, on_off=switch_off)
        if now.off:
            left = output_without(now.parts, now.trace.b_O, now.off)  # (n, d_model)
            cosine = cosines(now.out, left)  # (n,)
            moved = sizes(now.out - left) / np.maximum(sizes(now.out), 1e-12)  # (n,)
            _notice(t, now, cosine)
            bars(
                "moved",
                layer_card.heads(now),
                [_bar(now, at, float(cosine[at]), float(moved[at])) for at in range(now.n)],
                columns=[t("multihead.cosine"), t("multihead.moved")],
                texts={"title": t("view.moved")},
            )
        else:
            st.markdown(t("say.off_none"))
        st.caption(t("say.only_here"))
        shown.source(t, "multihead-off", output_without, cosines)


def _bar(now: Layer, at: int, cosine: float, moved: float) -> Bar:
    known = not np.isnan(cosine)
    length = max(0.0, cosine) if known else 0.0
    numbers = [shown.number(cosine) if known else "—", shown.number(moved)]
    return shown.bar(now.names[at], length, numbers, at=now.places[at], strong=at == now.at)


def _notice(t: Text, now: Layer, cosine: FloatArray) -> None:
    if len(now.off) == now.n_heads:
        shown.notice(t, "off_all" if now.biased else "off_all_plain")
        return
    listed = t("between.names").join(str(head + 1) for head in now.off)
    values = {"list": listed, "query": now.names[now.at], "cosine": _cosine(cosine[now.at])}
    if now.n == 1:
        shown.notice(t, "off_one", **values)
        return
    order = np.argsort(np.nan_to_num(cosine, nan=0.0), kind="stable")
    first, last = int(order[0]), int(order[-1])
    values |= {"first": now.names[first], "first_cosine": _cosine(cosine[first])}
    shown.notice(t, "off", last=now.names[last], last_cosine=_cosine(cosine[last]), **values)


def _cosine(value: float) -> str:
    return "—" if np.isnan(value) else shown.number(float(value))

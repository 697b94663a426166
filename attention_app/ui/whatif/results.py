"""What followed: how far each word moved, the ripple through the layers, the chosen head's row before and after."""

from __future__ import annotations

import numpy as np
import streamlit as st

from attention_app.components.blocks import Bar, bars
from attention_app.components.pairing import pairing
from attention_app.figures.finished import Finished
from attention_app.figures.ripple import RippleTexts, ripple_heatmap
from attention_app.text import Text
from attention_app.ui import frame, pictures, presenter, shown, state
from attention_app.ui.charts import chart
from attention_app.ui.line import line
from attention_app.ui.whatif.effect import Effect
from attention_core.changes import run_changed
from attention_core.comparison import cosine_per_layer
from attention_core.sources.e5_forward import forward

FINE = 4  # decimals at least: a single head moves a word by less than 0.01


def moved(t: Text, now: Effect) -> None:
    """Each word's final vector before and after, the one that moved most first."""
    if now.same:
        return
    with shown.card("whatif-moved", t("card.moved.title"), t("card.moved.idea")):
        distances = now.ripples[:, -1] if now.pairs else np.zeros(0)
        order = np.argsort(-distances if pictures.revealed() else np.zeros(len(distances)), kind="stable")
        if len(order):
            first = now.pairs[int(order[0])]
            shown.notice(
                t,
                "moved",
                query=now.old[first[0]],
                cosine=pictures.number(1 - float(distances[order[0]]), least=FINE),
                sentence=pictures.number(now.sentence_cosine, least=FINE),
            )
        listed: list[Bar] = []
        for at in order:
            a, b = now.pairs[int(at)]
            label = now.old[a] if now.old[a] == now.new[b] else f"{now.old[a]} → {now.new[b]}"
            distance = float(distances[at])
            numbers = [pictures.number(one, least=FINE) for one in (1 - distance, distance)]
            listed.append(shown.bar(label, min(1.0, distance), numbers, at=a, strong=a == now.word))
        bars(
            "moved",
            [],
            listed,
            columns=[t("moved.cosine"), t("moved.distance")],
            texts={"title": t("card.moved.title")},
        )
        shown.source(t, "whatif-moved", run_changed, forward)


def ripple(t: Text, now: Effect) -> None:
    """Words by layers: where a change begins and how it spreads."""
    if now.same or not now.pairs:
        return
    with shown.card("whatif-ripple", t("card.ripple.title"), t("card.ripple.idea")):
        if not pictures.revealed():
            st.markdown(t("lesson.guess"))
            return
        decimals = max(pictures.decimals(), FINE)
        started = np.flatnonzero(now.ripples.max(axis=0) > 1e-6)
        if len(started):
            key = "ripple_input" if started[0] == 0 else "ripple"
            shown.notice(
                t,
                key,
                layer=int(started[0]),
                count=int((now.ripples[:, -1] >= 0.5 * 10.0**-decimals).sum()),
                words=len(now.pairs),
            )
        figure = ripple_heatmap(
            now.ripples,
            [now.old[a] for a, _ in now.pairs],
            decimals=decimals,
            zoom=presenter.zoom(),
            texts=RippleTexts(t("ripple.layer"), t("ripple.input"), t.entries["ripple.hover"], frame.font()),
            palette=frame.palette(),
        )
        chart("whatif-ripple", Finished(*figure), least=round(620 * presenter.zoom()))
        shown.source(t, "whatif-ripple", cosine_per_layer)


def row(t: Text, now: Effect) -> None:
    """The chosen word's row in the chosen head, before and after."""
    values = {"layer": now.layer + 1, "head": now.head + 1}
    with shown.card("whatif-row", t("card.rows.title", **values), t("card.rows.idea")):
        if now.same:
            shown.say(t, "nothing")
        pairing(
            line(t("rows.before"), now.old, now.picture(after=False), now.word),
            line(t("rows.after"), now.new, now.picture(after=True), now.partner),
            now.pairs,
            texts={
                "title": t("card.rows.title", **values),
                "choose": t.entries["rows.choose"],
                "pair": "",
                "unpair": "",
            },
            on_choose=lambda place: state.put("word", place + 1),
            on_pair=None,
        )

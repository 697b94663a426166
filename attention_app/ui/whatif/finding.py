"""Does it still find the right book? The library of the page Q、K、V 是什么, read with some heads off."""

from __future__ import annotations

import streamlit as st

from attention_app.components.blocks import Bar, bars
from attention_app.text import Text
from attention_app.ui import cache, frame, pictures, shown
from attention_app.ui.qkv import editing
from attention_app.ui.whatif.effect import Effect
from attention_core.retrieve import RetrievalTrace, retrieve
from attention_core.sources.e5_sentences import sentence_vectors


def show(t: Text, now: Effect) -> None:
    """Only for heads that are off: a changed sentence or row means nothing to other texts."""
    off = now.changes.heads_off
    if not off.off:
        return
    with shown.card("whatif-finding", t("card.finding.title"), t("card.finding.idea")):
        scene = editing.current(frame.text("qkv")).shelf
        keys, values = ([getattr(row, field) for row in scene.rows] for field in ("key", "value"))
        before = retrieve(scene.query, keys, values, encode=cache.text_vectors)
        after = retrieve(
            scene.query,
            keys,
            values,
            encode=lambda texts, kind: cache.changed_vectors(tuple(texts), kind, off),
        )
        st.markdown(f":orange[**{shown.plain(scene.query)}**]")
        first, now_first = before.keys[before.best], after.keys[after.best]
        if before.best == after.best:
            shown.notice(t, "found", key=first, weight=shown.number(float(after.attn_weights[after.best])))
        else:
            shown.notice(t, "lost", key=first, key2=now_first)
        bars(
            "finding",
            [],
            _bars(before, after),
            columns=[t("finding.rank"), t("finding.score"), t("finding.weight")],
            texts={"title": t("card.finding.title")},
        )
        st.page_link("pages/qkv.py", label=t("finding.there"), icon=":material/local_library:")
        shown.source(t, "whatif-finding", retrieve, sentence_vectors)


def _bars(before: RetrievalTrace, after: RetrievalTrace) -> list[Bar]:
    """The books in their new order; each number before → after."""
    ranks = [(-trace.scores).argsort(kind="stable").tolist() for trace in (before, after)]
    listed: list[Bar] = []
    for place, book in enumerate(ranks[1]):
        pairs = (
            (str(ranks[0].index(book) + 1), str(place + 1)),
            (f"{before.scores[book]:.3f}", f"{after.scores[book]:.3f}"),
            (shown.number(float(before.attn_weights[book])), shown.number(float(after.attn_weights[book]))),
        )
        known = pictures.revealed()
        label = after.keys[book].partition("：")[0].partition(":")[0]
        numbers = [" → ".join(pair) if known else pictures.HIDDEN for pair in pairs]
        listed.append(shown.bar(label, float(after.attn_weights[book]), numbers, strong=book == before.best))
    return listed

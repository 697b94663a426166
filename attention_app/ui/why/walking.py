"""Card 1: the sentence read word by word by a recurrent network, and all at once by attention."""

from __future__ import annotations

import streamlit as st

from attention_app.components.walk import walk
from attention_app.figures.gains import gain_chart
from attention_app.text import Text
from attention_app.ui import cache, frame, pictures, presenter, shown, state
from attention_app.ui.charts import chart
from attention_app.ui.controls import BADGES
from attention_app.ui.terms import explain
from attention_app.ui.why.card import card, place, share
from attention_app.ui.why.reading import D_HIDDEN, Reading, swap
from attention_core.attention_map import attention_map
from attention_core.influence import survival
from attention_core.rnn import rnn, seeded_weights
from attention_core.sources.word_vectors import N_DIMENSIONS, unknown_words

_VIEW = (
    *("slow", "slow_how", "slow_count", "fast", "fast_how", "fast_count", "play", "pause", "back", "on", "slider"),
    *("deck", "at", "start", "word", "state", "left", "table", "number", "point", "lines", "query", "key"),
    *("minus", "plus"),
)


def show(t: Text, now: Reading) -> None:
    with card(t, "walk", explain(t, "rnn", "hidden_state", "self_attention")):
        n = now.n
        x = shown.shaped("x_t", N_DIMENSIONS)
        W_x, W_h = shown.shaped("W_x", N_DIMENSIONS, D_HIDDEN), shown.shaped("W_h", D_HIDDEN, D_HIDDEN)
        h, before = shown.shaped("h_t", D_HIDDEN), shown.shaped("h_{t-1}", D_HIDDEN)
        shown.formula(rf"{h} = \tanh\left({x}\,{W_x} + {before}\,{W_h} + b\right)")
        _notice(t, now)
        with st.container(horizontal=True, vertical_alignment="center", key="why-gain"):
            st.select_slider(t("why.gain"), state.SCHEMA["gain"].choices, key="gain", width=620)
            st.badge(t("badge.untrained"), color=BADGES["untrained"], help=explain(t, "untrained", "seed"))  # type: ignore[arg-type]
        texts = {name: t.entries[f"walk.{name}"] for name in _VIEW}  # with fields that the view fills in
        texts["lines_how"] = t("why.lines_how", place=place(t, now.lesson))
        lesson = now.lesson
        attention = cache.word_attention(lesson.words, lesson.source, lesson.settings)
        walk(
            now.names,
            now.trace.h,
            [_left(float(left)) for left in now.left],
            attention_map(attention, lesson.heads).weights,  # between words even where the lesson unfolds them
            moment=min(int(str(state.get("moment"))), n),
            chosen=lesson.word,
            decimals=pictures.decimals(),
            hidden=not pictures.revealed(),
            texts=texts,
            on_moment=lambda moment: _keep(moment, n),
        )
        said = [t("say.walk_how", word=now.names[0], other=swap(now.lesson.words[0].text)), t("say.walk_x")]
        if unknown := unknown_words(now.lesson.words, "vectors", now.lesson.settings):
            said.append(t("say.walk_unknown", words=t("between.names").join(unknown)))
        st.caption(shown.plain(t.join(said)))
        if n > 1 and pictures.revealed():
            _gains(t, now)
        shown.source(t, "why-walk", rnn, seeded_weights, survival)


def _left(left: float) -> tuple[float, str]:
    """The bar of what is left, and its number; a mark that grows fills its bar."""
    return (min(1.0, left) if pictures.revealed() else 0.0), share(left)


def _keep(moment: int, n: int) -> None:
    """All words read: kept as such, whatever the next sentence's length."""
    state.put("moment", state.SCHEMA["moment"].default if moment == n else moment)


def _notice(t: Text, now: Reading) -> None:
    if now.n == 1:
        shown.say(t, "walk_one")
        return
    left = float(now.left[-1])
    what = "walk_grows" if left > 1 else "walk_fades"
    shown.notice(t, what, word=now.names[0], left=share(left), gain=state.get("gain"), n=now.n)


def _gains(t: Text, now: Reading) -> None:
    """What is left at the end for every gain."""
    gains = [float(str(gain)) for gain in state.SCHEMA["gain"].choices]
    left = [now.left_at_the_end(gain) for gain in gains]
    st.markdown(f"**{shown.plain(t('why.gains', word=now.names[0]))}**")
    figure = gain_chart(
        gains,
        left,
        gains.index(float(str(state.get("gain")))),
        titles=(t("why.gain_axis"), t("why.left_axis")),
        font=frame.font(),
        zoom=presenter.zoom(),
        palette=frame.palette(),
    )
    chart("why-gains", figure)

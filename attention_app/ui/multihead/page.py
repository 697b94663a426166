"""The page around the cards: the word, where the numbers come from, decimals, the keys of presenter mode."""

from __future__ import annotations

import streamlit as st

from attention_app.text import Text
from attention_app.ui import controls, frame, heads, presenter, state, words
from attention_app.ui.lesson import Lesson
from attention_app.ui.multihead.layer import Layer
from attention_app.ui.multihead.shown import plain
from attention_core.sources import SOURCES


def word(t: Text, lesson: Lesson) -> None:
    """The sentence's words to choose from, and the way back to the sentence itself."""
    with st.container(border=True, key="card-sentence"):
        controls.problem(t, lesson)
        words.word_chips(frame.text("explore"), lesson)
        if not presenter.on():
            st.page_link("pages/explore.py", label=t("multihead.other"), icon=":material/edit:")


def layer(t: Text, lesson: Lesson) -> None:
    """Source and layer in one line that unfolds; beside it how numbers are shown."""
    source, attention = lesson.attention.source, lesson.attention
    trained = SOURCES[source].trained
    badge, color = ("trained", "green") if trained else ("untrained", "orange")
    if source == "vectors" and state.get("projection") == "identity":
        badge, color = "plain", "gray"
    what = "one_head" if attention.n_heads == 1 else "layer_real" if attention.n_layers > 1 else "layer"
    label = t(f"multihead.{what}", layer=lesson.layer + 1, heads=attention.n_heads)
    title = f"**{t(f'source.{source}')}** · {label} :{color}-badge[{t(f'badge.{badge}')}]"
    if presenter.on():
        st.markdown(title)
        presenter.listen(lesson)
        return
    with st.expander(title, icon=":material/tune:"):
        controls.source(frame.text("explore"), lesson)
        heads.layer_and_head(frame.text("explore"), lesson)


def numbers(t: Text, now: Layer) -> None:
    """Show or hide the numbers, how many decimals; and which piece stands for a word of several."""
    with st.container(horizontal=True, vertical_alignment="center", key="multihead-options"):
        st.toggle(t("multihead.numbers"), key="numbers")
        if not presenter.on():
            with st.popover(t("multihead.decimals"), icon=":material/decimal_increase:"):
                choices = state.SCHEMA["decimals"].choices
                st.segmented_control(t("multihead.decimals"), choices, key="decimals", required=True)
        start, stop = now.spans[now.word]
        if stop - start > 1:
            name = now.lesson.labels[now.word]
            st.caption(plain(t("multihead.piece", word=name, count=stop - start, piece=now.names[now.at])))

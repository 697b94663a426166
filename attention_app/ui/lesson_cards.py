"""What stands above every lesson: the sentence's words, where the numbers come from, how numbers are shown."""

from __future__ import annotations

import streamlit as st

from attention_app.text import Text
from attention_app.ui import controls, frame, heads, presenter, state, words
from attention_app.ui.lesson import Lesson
from attention_core.sources import training


def sentence(t: Text, lesson: Lesson) -> None:
    """The sentence's words to choose from, and the way back to the sentence itself."""
    with st.container(border=True, key="card-sentence"):
        controls.problem(t, lesson)
        words.word_chips(frame.text("explore"), lesson)
        if not presenter.on():
            st.page_link("pages/explore.py", label=t("lesson.other"), icon=":material/edit:")


def source(t: Text, lesson: Lesson, label: str) -> None:
    """Source, layer and head in one line that unfolds; `label` says what of the source this page shows."""
    name = lesson.attention.source
    badge = training(name, lesson.settings)
    title = f"**{t(f'source.{name}')}** · {label} :{controls.BADGES[badge]}-badge[{t(f'badge.{badge}')}]"
    if presenter.on():
        st.markdown(title)
        return
    with st.expander(title, icon=":material/tune:"):
        explore = frame.text("explore")
        controls.source(explore, lesson)
        heads.layer_and_head(explore, lesson)


def numbers(t: Text) -> None:
    """Show or hide the numbers, and with how many decimals; for a horizontal container."""
    st.toggle(t("lesson.numbers"), key="numbers")
    if not presenter.on():
        with st.popover(t("lesson.decimals"), icon=":material/decimal_increase:"):
            choices = state.SCHEMA["decimals"].choices
            st.segmented_control(t("lesson.decimals"), choices, key="decimals", required=True)

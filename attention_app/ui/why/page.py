"""The page around the cards: where attention's numbers come from, and how numbers are shown."""

from __future__ import annotations

import streamlit as st

from attention_app.text import Text
from attention_app.ui import lesson_cards, presenter
from attention_app.ui.lesson import Lesson
from attention_app.ui.why.card import place


def head(t: Text, lesson: Lesson) -> None:
    """Source, layer and head in one line that unfolds; the keys of presenter mode."""
    lesson_cards.source(t, lesson, place(t, lesson))
    with st.container(horizontal=True, vertical_alignment="center", key="why-options"):
        lesson_cards.numbers(t)
    if presenter.on():
        presenter.listen(lesson)

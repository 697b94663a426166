"""The page around the changes: it is about the real model, which alone has learned something that can be lost."""

from __future__ import annotations

import streamlit as st

from attention_app.text import Text
from attention_app.ui import cache, lesson_cards, presenter, state
from attention_app.ui.lesson import Lesson
from attention_app.ui.whatif.effect import Effect
from attention_core.errors import InputError

_HALF = 8  # words whose two rows fit half of the page


def readable(t: Text, lesson: Lesson) -> bool:
    """Whether the real model can read the sentence; if not, why. Other sources take more pieces than it does."""
    try:
        cache.encoder_run(lesson.words)
    except InputError as error:
        st.error(t(f"error.{error.key}", **error.values), icon=":material/edit:")
        return False
    return True


def source(t: Text, lesson: Lesson) -> None:
    """Layer and head; an untrained source has nothing to lose, and the page says so. A presenter's keys."""
    if lesson.source == "real":
        lesson_cards.source(t, lesson, t("whatif.from", layer=lesson.layer + 1, head=lesson.head + 1))
    else:
        with st.container(horizontal=True, vertical_alignment="center", key="whatif-other-source"):
            st.markdown(t("whatif.other_source", source=t(f"source.{lesson.source}")))
            st.button(t("whatif.to_real"), key="whatif-real", on_click=lambda: state.put("source", "real"))
    if presenter.on():
        presenter.listen(lesson)


def beside(now: Effect) -> bool:
    """Whether the rows before and after stand beside the list of words: both are there, and both fit."""
    return not now.same and max(len(now.old), len(now.new)) <= _HALF and not presenter.on()

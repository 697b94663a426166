"""The page around the cards: a sentence that is too long for the translator, and the keys of presenter mode."""

from __future__ import annotations

import streamlit as st

from attention_app.components.keys import keys
from attention_app.text import Text
from attention_app.ui import presenter
from attention_app.ui.lesson import Lesson
from attention_app.ui.translate.now import Now, current
from attention_core.errors import InputError

HALF = 9  # columns of a map on half of the page


def translated(t: Text, lesson: Lesson) -> Now | None:
    """The translation of the sentence; where the translator cannot take it, the page says so and there is none."""
    _listen(lesson)
    try:
        return current(lesson, t("translate.end"))
    except InputError as error:
        st.error(t(f"error.{error.key}", **error.values), icon=":material/edit:")
        return None


def beside(now: Now) -> bool:
    """Whether the two maps of attention fit half of the page each."""
    return max(len(now.lesson.words), len(now.targets)) <= HALF and not presenter.on()


def _listen(lesson: Lesson) -> None:
    """The keys of presenter mode; the steps have theirs in the browser."""
    if presenter.on():
        keys(presenter.up_and_down(lesson) | presenter.common_actions())

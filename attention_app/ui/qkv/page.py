"""The page around the cards: the three roles, and the keys of presenter mode."""

from __future__ import annotations

import streamlit as st

from attention_app.components.keys import keys
from attention_app.text import Text
from attention_app.ui import lesson_cards, presenter, state
from attention_app.ui.lesson import Lesson
from attention_app.ui.shown import ROLES, plain

_ROLES = ("query", "key", "value")


def roles(t: Text) -> None:
    """What each of the three is, in its colour."""
    with st.container(border=True, key="card-qkv-roles"):
        for column, role in zip(st.columns(3, gap="medium"), _ROLES, strict=True):
            with column:
                st.markdown(f"##### :{ROLES[role]}[{plain(t(f'role.{role}.name'))}]")
                st.markdown(plain(t(f"role.{role}.text")))


def numbers(t: Text) -> None:
    """Which scene, and how numbers are shown."""
    with st.container(horizontal=True, vertical_alignment="center", key="qkv-options"):
        st.segmented_control(
            t("qkv.scene"),
            state.SCENES,
            format_func=lambda scene: t(f"scene.{scene}"),
            key="scene",
            required=True,
            label_visibility="collapsed",
        )
        lesson_cards.numbers(t)


def listen(lesson: Lesson) -> None:
    """The keys of presenter mode: temperature, word, numbers, the way out."""
    if not presenter.on():
        return
    keys(
        {
            "ArrowLeft": lambda: warm(-1),
            "ArrowRight": lambda: warm(1),
            **presenter.up_and_down(lesson),
            **presenter.common_actions(),
        }
    )


def warm(by: int) -> None:
    """The next temperature, none beyond the first and the last one. In a callback only."""
    at = state.TAUS.index(str(state.get("tau"))) + by
    state.put("tau", state.TAUS[min(len(state.TAUS) - 1, max(0, at))])

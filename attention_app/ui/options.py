"""How the pictures show their numbers: the direction beside their title, everything else one click away."""

from __future__ import annotations

import streamlit as st

from attention_app.text import Text
from attention_app.ui import presenter, state
from attention_app.ui.lesson import Lesson
from attention_app.ui.terms import explain


def row(t: Text, lesson: Lesson, title: str) -> None:
    """The title of the first picture, the direction, and the popover with the other options."""
    with st.container(horizontal=True, vertical_alignment="center", key="options-row"):
        st.subheader(title, anchor=False, help=explain(t, "attention", "self_attention", "direction"))
        st.segmented_control(
            t("options.direction"),
            ("out", "in"),
            format_func=lambda way: t(f"options.direction_{way}"),
            key="direction",
            required=True,
            label_visibility="collapsed",
        )
        if presenter.on():  # a tablet has no keys
            st.toggle(t("options.numbers"), key="numbers")
            return
        with st.popover(t("options.title"), icon=":material/visibility:"):
            _options(t, lesson)


def _options(t: Text, lesson: Lesson) -> None:
    if lesson.attention.special_names:
        st.toggle(t("options.special"), key="special", help=explain(t, "special_token", "renormalise"))
    if lesson.attention.source == "real":
        st.toggle(t("options.pieces"), key="pieces", help=explain(t, "token", "piece"))
    st.toggle(t("options.numbers"), key="numbers", help=t("options.numbers_help"))
    st.segmented_control(
        t("options.decimals"),
        state.SCHEMA["decimals"].choices,
        key="decimals",
        required=True,
        disabled=not state.get("numbers"),
    )
    st.segmented_control(
        t("options.scale"),
        state.SCHEMA["scale"].choices,
        format_func=lambda scale: t(f"options.scale_{scale}"),
        key="scale",
        required=True,
        help=explain(t, "colour_scale"),
    )
    least = state.SCHEMA["least"]
    st.select_slider(
        t("options.least"),
        range(least.low, least.high + 1),
        format_func=lambda hundredths: f"{hundredths / 100:.2f}",
        key="least",
        help=explain(t, "least_weight"),
    )

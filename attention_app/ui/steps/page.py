"""The page around the steps: where its numbers come from, the way through them, previous and next."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from attention_app.components.keys import keys
from attention_app.figures.head_colors import css_color, css_ink
from attention_app.text import Text
from attention_app.ui import lesson_cards, packed, presenter, state
from attention_app.ui.lesson import Lesson
from attention_app.ui.steps import (
    edits,
    embedding,
    gathering,
    masking,
    projection,
    scaling,
    scores,
    values,
    weighting,
)
from attention_app.ui.steps.numbers import Numbers, is_original, restore

_STEPS: tuple[tuple[Callable[[Text, Numbers], None], ...], ...] = (
    (embedding.show,),
    (projection.show,),
    (scores.show,),
    (scaling.show,),
    (masking.show,),
    (weighting.show, gathering.show),
    (values.show,),
)
LAST = len(_STEPS)
ALL = 0  # the parameter `step` for all of them on one page
_CHIP = (
    "display:inline-block;min-width:1.75rem;margin-right:.6em;padding:0 5px;border-radius:7px;"
    "font-weight:650;font-size:.875rem;line-height:1.5rem;text-align:center"
)
CHANGEABLE = 4  # from this step on a mask, the scale or the temperature may have changed the numbers


def head(t: Text, lesson: Lesson) -> None:
    """Source, layer and head in one line that unfolds."""
    label = t(f"steps.from.{lesson.source}", layer=lesson.layer + 1, head=lesson.head + 1)
    if len(lesson.heads) > 1:
        label = t("steps.one_of", head=label, count=len(lesson.heads))
    with st.container(key="steps-source"):
        if lesson.attention.n_heads > 1:
            _chip(lesson.head)
        lesson_cards.source(t, lesson, label)


def _chip(head: int) -> None:
    """The head's number in its colour, in front of the line."""
    line = ".st-key-steps-source"
    where = f"{line} summary p::before,{line}>.stElementContainer p::before"
    colors = f"background:{css_color(head)};color:{css_ink(head)}"
    st.html(f'<style>{where}{{content:"{head + 1}";{colors};{_CHIP}}}</style>')


def stepper(t: Text) -> None:
    """Which step, how, and with how many decimals."""
    with st.container(border=True, key="card-stepper"):
        st.segmented_control(
            t("steps.step"),
            (*range(1, LAST + 1), ALL),
            format_func=lambda step: t(f"steps.short_{step}"),
            key="step",
            required=True,
            wrap=True,
            width="stretch",
            label_visibility="collapsed",
        )
        with st.container(horizontal=True, vertical_alignment="center", key="steps-options"):
            _turn(t, "previous", -1, ":material/arrow_back:")
            _turn(t, "next", 1, ":material/arrow_forward:")
            st.segmented_control(
                t("steps.way"),
                state.SCHEMA["way"].choices,
                format_func=lambda way: t(f"steps.way_{way}"),
                key="way",
                required=True,
                label_visibility="collapsed",
            )
            lesson_cards.numbers(t)
            if not presenter.on():
                with st.container(key="steps-keys", width="content"):
                    st.caption(t("steps.keys"))


def listen(lesson: Lesson) -> None:
    """← and → turn the steps; a presenter also has the words, the numbers and the way out."""
    actions: dict[str, Callable[[], None]] = {"ArrowLeft": lambda: _go(-1), "ArrowRight": lambda: _go(1)}
    if presenter.on():
        actions |= presenter.up_and_down(lesson) | presenter.common_actions()
    look = '[class*="st-key-card-step-"]' if presenter.on() else ""
    keys(actions, look=look, at=state.get("step"))


def steps(t: Text, now: Numbers) -> None:
    """The chosen step, or all of them."""
    step = int(str(state.get("step")))
    if edits.full():
        st.error(t("steps.full", limit=packed.MOST_BYTES), icon=":material/edit_off:")
    if edits.count() or (not is_original() and step in (ALL, *range(CHANGEABLE, LAST + 1))):
        with st.container(horizontal=True, vertical_alignment="center", key="steps-changed"):
            st.markdown(t("steps.changed"))
            st.button(t("steps.restore"), key="steps-restore", on_click=restore)
    for at, parts in enumerate(_STEPS, start=1):
        if step in (ALL, at):
            for show in parts:
                show(t, now)
    if step != ALL:
        with st.container(horizontal=True, horizontal_alignment="distribute", key="steps-foot"):
            _turn(t, "previous", -1, ":material/arrow_back:", foot=True)
            _turn(t, "next", 1, ":material/arrow_forward:", foot=True)


def _turn(t: Text, name: str, by: int, icon: str, *, foot: bool = False) -> None:
    step = int(str(state.get("step")))
    target = step + by
    label = t(f"steps.{name}")
    if foot and 1 <= target <= LAST:
        label = t(f"steps.{name}_named", name=t(f"steps.short_{target}"))
    st.button(
        label,
        key=f"steps-{name}{'-foot' if foot else ''}",
        icon=icon,
        icon_position="right" if by > 0 else "left",
        disabled=step == ALL or not 1 <= target <= LAST,
        on_click=lambda: _go(by),
    )


def _go(by: int) -> None:
    """The next step; nothing beyond the first and the last one, and nothing where all are shown."""
    step = int(str(state.get("step")))
    if step != ALL and 1 <= step + by <= LAST:
        state.put("step", step + by)

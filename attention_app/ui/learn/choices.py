"""Before the training: what it learns and under which conditions."""

from __future__ import annotations

import streamlit as st

from attention_app.text import Text
from attention_app.ui import lesson_cards, presenter, state
from attention_app.ui.terms import explain
from attention_core.learn.model import D_MODEL, NAMES
from attention_core.learn.settings import TASKS
from attention_core.learn.training import BATCH, N_STEPS, Run
from attention_core.learn.vocabulary import load_vocabulary


def show(t: Text) -> None:
    """The settings; any change trains anew. A presenter has one line that says what they are."""
    task = str(state.get("task"))
    with st.container(border=True, key="card-settings"):
        if presenter.on():
            st.markdown(
                t(
                    "learn.chosen",
                    task=t(f"setting.task_{task}"),
                    heads=state.get("learn_heads"),
                    rate=state.get("rate"),
                    seed=state.get("learn_seed"),
                )
            )
            return
        st.subheader(t("setting.title"), anchor=False)
        with st.container(horizontal=True, vertical_alignment="bottom", key="learn-settings"):
            st.segmented_control(
                t("setting.task"),
                TASKS,
                format_func=lambda name: t(f"setting.task_{name}"),
                key="task",
                required=True,
                wrap=True,
            )
            st.segmented_control(
                t("setting.heads"),
                state.SCHEMA["learn_heads"].choices,
                key="learn_heads",
                required=True,
                help=explain(t, "head", "multi_head"),
            )
            choices = state.SCHEMA["rate"].choices
            rates = {rate: t(f"setting.rate_{i}", rate=rate) for i, rate in enumerate(choices, start=1)}
            st.segmented_control(
                t("setting.rate"),
                tuple(rates),
                format_func=rates.__getitem__,
                key="rate",
                required=True,
                wrap=True,
                help=explain(t, "learning_rate"),
            )
        with st.container(horizontal=True, vertical_alignment="bottom", key="learn-more"):
            seed = state.SCHEMA["learn_seed"]
            st.number_input(
                t("setting.seed"), seed.low, seed.high, step=1, key="learn_seed", width=160, help=explain(t, "seed")
            )
            st.toggle(t("setting.positions"), key="learn_positions", help=explain(t, "positional_encoding"))
            st.toggle(t("setting.scaled"), key="learn_scaled", help=explain(t, "scaled_score"))
        st.markdown(t(f"about_task.{task}"))


def badge(t: Text, run: Run) -> None:
    """Where these weights come from: this page made them. And how their numbers are shown."""
    with st.container(horizontal=True, vertical_alignment="center", key="learn-badge"):
        st.badge(t("learn.badge"), color="green", help=explain(t, "trained", "untrained", "parameter"))
        lesson_cards.numbers(t)
    n_heads = run.settings.n_heads
    st.caption(
        t(
            "learn.size",
            heads=n_heads,
            d_head=D_MODEL // n_heads,
            parameters=sum(getattr(run.at(0), name).size for name in NAMES),
            steps=N_STEPS,
            batch=BATCH,
            words=len(load_vocabulary().words) - 1,
        )
    )

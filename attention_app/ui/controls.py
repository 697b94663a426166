"""The controls that every page shares: sentence, source with its settings, layer and head."""

from __future__ import annotations

import streamlit as st

from attention_app.text import Text
from attention_app.ui import examples, state
from attention_app.ui.lesson import Lesson
from attention_app.ui.terms import explain
from attention_core.sources import D_MODELS, EMBEDDINGS, PROJECTIONS, SOURCES, source_info, training
from attention_core.sources.word_vectors import unknown_words
from attention_core.words import MAX_CHARACTERS, MAX_WORDS

MOST_TYPED = 5000  # characters the box takes: far more than a sentence, so that a page pasted by mistake is explained
BADGES = {"trained": "green", "untrained": "orange", "plain": "gray"}  # what is said of weights -> colour


def sentence_box(t: Text) -> None:
    """The sentence, typed or picked from the examples, with the example's question for the class."""
    box, picker = st.columns([3, 1], vertical_alignment="bottom")
    box.text_input(
        t("explore.sentence_hint", limit=MAX_CHARACTERS, words=MAX_WORDS),
        key="text",
        placeholder=t("explore.placeholder"),
        autocomplete="off",
        max_chars=MOST_TYPED,
    )
    with picker:
        examples.picker(t)
    examples.about(t)


def problem(t: Text, lesson: Lesson) -> None:
    """Why the typed sentence is not the one in the picture, if so."""
    if lesson.problem:
        kept = "other" if lesson.problem.key == "empty" else "kept"
        st.error(
            t(f"error.{lesson.problem.key}", **lesson.problem.values) + "  \n" + t(f"error.{kept}"),
            icon=":material/edit:",
        )


def source(t: Text, lesson: Lesson) -> None:
    """Where X and the weights come from, with the badge that says whether they were trained."""
    settings = lesson.settings
    info = source_info(lesson.source, settings)
    with st.container(horizontal=True, vertical_alignment="bottom", key="source-row"):
        st.segmented_control(
            t("source.label"),
            list(SOURCES),
            format_func=lambda name: t(f"source.{name}"),
            key="source",
            required=True,
            wrap=True,
            help=explain(t, "real_model", "encoder", "word_vector", "parameter"),
        )
        badge = training(info.name, settings)
        st.badge(t(f"badge.{badge}"), color=BADGES[badge], help=explain(t, "trained", "untrained"))  # type: ignore[arg-type]
        if info.settings:
            with st.popover(t("explore.setting.title"), icon=":material/tune:"):
                _settings(t, info.settings)
        about = f"about.vectors_{settings.projection}" if info.name == "vectors" else f"about.{info.name}"
        st.caption(t(about, d_model=info.d_model, d_head=info.d_head, seed=settings.seed))
    if unknown := unknown_words(lesson.words, info.name, settings):
        with st.container(key="unknown-words"):  # st.text: what a person typed is no Markdown
            st.text(t("explore.setting.unknown_words", words=t("explore.setting.unknown_separator").join(unknown)))


def _settings(t: Text, names: tuple[str, ...]) -> None:
    """The settings that change what the source computes."""
    if "d_model" in names:
        st.segmented_control(
            t("explore.setting.d_model"), D_MODELS, key="d_model", required=True, help=explain(t, "d_model")
        )
    for param, options, terms in (
        ("embedding", EMBEDDINGS, explain(t, "embedding", "one_hot", "word_vector")),
        ("projection", PROJECTIONS, explain(t, "projection")),
    ):
        if param in names:
            prefix = f"explore.setting.{param}"
            named = {option: t(f"{prefix}_{option}") for option in options}
            st.radio(t(prefix), options, format_func=named.__getitem__, key=param, help=terms)
    if "positions" in names:
        st.toggle(t("explore.setting.positions"), key="positions", help=explain(t, "positional_encoding"))
    if "seed" in names:
        seed = state.SCHEMA["seed"]
        st.number_input(t("explore.setting.seed"), seed.low, seed.high, step=1, key="seed", help=explain(t, "seed"))

"""What is compared: two heads, two sentences or two cuts, ready pairs, and the other side's own controls."""

from __future__ import annotations

import streamlit as st

from attention_app.text import Text
from attention_app.ui import cache, lesson_cards, presenter, shown, state
from attention_app.ui.compare.sides import Both, read_other
from attention_app.ui.lesson import Lesson, cut_text
from attention_core.errors import InputError
from attention_core.words import (
    MAX_CHARACTERS,
    Contrast,
    format_words,
    join_words,
    load_contrasts,
    parse_words,
    segment,
)

_MOST_TYPED = 1000  # characters a box takes: more than a sentence, so that a text too long is explained


def source(t: Text, lesson: Lesson) -> None:
    """Source, layer and head in one line; a presenter's keys."""
    single = "one_head" if lesson.attention.n_layers * lesson.attention.n_heads == 1 else lesson.attention.source
    lesson_cards.source(t, lesson, t(f"compare.from.{single}", layer=lesson.layer + 1, head=lesson.head + 1))
    if presenter.on():
        presenter.listen(lesson)


def controls(t: Text, lesson: Lesson, both: Both) -> None:
    """What the sentence above is held against."""
    state.remember("compared", join_words(lesson.words))
    with st.container(border=True, key="card-versus"):
        if not presenter.on():
            with st.container(horizontal=True, vertical_alignment="bottom", key="versus-row"):
                st.segmented_control(
                    t("compare.versus"),
                    state.SCHEMA["versus"].choices,
                    format_func=lambda versus: t(f"compare.versus_{versus}"),
                    key="versus",
                    required=True,
                    wrap=True,
                )
                _ready(t)
            _other(t, lesson, both)
        with st.container(horizontal=True, vertical_alignment="center", key="compare-options"):
            lesson_cards.numbers(t)
        if question := _question(t, lesson, both):
            st.markdown(f":gray[{t('compare.question')}] {shown.plain(question)}")


def _ready(t: Text) -> None:
    """The ready pairs; what is in the popover is sent only while it is open."""
    popover = st.popover(t("compare.ready"), icon=":material/menu_book:", key="contrasts", on_change="rerun")
    if not popover.open:
        return
    with popover:
        for pair in load_contrasts():
            label = f"{shown.plain(pair.a)}  \n{shown.plain(pair.b)}"
            st.button(label, key=f"contrast-{pair.id}", width="stretch", on_click=_use, args=(pair,))
            st.caption(pair.question_zh if t.language == "zh" else pair.question_en)


def _use(pair: Contrast) -> None:
    """Put a ready pair on the page."""
    cuts = pair.kind == "cuts"
    words = parse_words(pair.a) if cuts else segment(pair.a)
    state.put("versus", pair.kind)
    state.put("text", join_words(words))
    state.put("cut", cut_text(words) if words != segment(join_words(words)) else "")
    state.put("other", "" if cuts else pair.b)
    state.put("other_cut", cut_text(parse_words(pair.b)) if cuts else "")
    state.put("pairs", "")
    state.put("source", "real")
    state.remember("typed", join_words(words))  # its cut belongs to it
    state.remember("words", words)
    state.put("word", [word.text for word in words].index(pair.word) + 1)
    if pair.layer:
        state.put("layer", pair.layer)
        state.put("head", pair.head)
        state.put("mean", "")
    _forget_typed()
    st.session_state["contrasts"] = False


def _other(t: Text, lesson: Lesson, both: Both) -> None:
    if both.versus == "heads":
        attention = lesson.attention
        for name, count, column in zip(
            ("other_layer", "other_head"), (attention.n_layers, attention.n_heads), st.columns(2), strict=True
        ):
            if count > 1:
                column.segmented_control(
                    t(f"compare.{name}"), range(1, count + 1), key=name, required=True, width="stretch"
                )
        return
    key, read = ("other-sentence", _read_sentence) if both.versus == "sentences" else ("other-words", _read_cut)
    said = join_words(both.lower.words) if both.versus == "sentences" else format_words(both.lower.words)
    # The box keeps what was typed and refused; else it holds what is shown.
    problem = state.recall("other_problem")
    if problem is None:
        st.session_state[key] = said
    st.text_input(
        t(f"compare.{key}", limit=MAX_CHARACTERS), key=key, autocomplete="off", max_chars=_MOST_TYPED, on_change=read
    )
    if problem is not None:
        why = t(f"error.{problem.key}", **problem.values) if isinstance(problem, InputError) else t("compare.not_same")
        st.error(f"{why}  \n{t('error.kept')}", icon=":material/edit:")


def _read_sentence() -> None:
    """The other sentence as it was typed. In a callback only."""
    text = str(st.session_state["other-sentence"])
    _forget_typed()
    try:
        words = read_other(text, str(state.get("source")))
    except InputError as error:
        state.remember("other_problem", error)
        return
    state.put("other", join_words(words))
    state.put("pairs", "")


def _read_cut() -> None:
    """The other cut as it was typed; it must be the same sentence. In a callback only."""
    _forget_typed()
    try:
        words = parse_words(str(st.session_state["other-words"]))
        cache.word_attention(words, str(state.get("source")), state.settings())
    except InputError as error:
        state.remember("other_problem", error)
        return
    if join_words(words) != state.recall("compared"):
        state.remember("other_problem", "not_same")
        return
    state.put("other_cut", cut_text(words))
    state.put("pairs", "")


def _forget_typed() -> None:
    state.remember("other_problem", None)


def _question(t: Text, lesson: Lesson, both: Both) -> str:
    """What to ask a class about a ready pair, if one is shown."""
    for pair in load_contrasts():
        cuts = pair.kind == "cuts"
        upper, lower = (format_words if cuts else join_words)(lesson.words), both.lower.words
        if pair.kind == both.versus and upper == pair.a and (format_words if cuts else join_words)(lower) == pair.b:
            return pair.question_zh if t.language == "zh" else pair.question_en
    return ""

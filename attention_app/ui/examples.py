"""The teaching sentences in a popover, grouped by what they show; and what to ask about the one that is shown."""

from __future__ import annotations

import streamlit as st

from attention_app.text import Text
from attention_app.ui import state
from attention_core.words import Example, example_groups, load_examples

_KEY = "examples"


def picker(t: Text) -> None:
    """The button that opens the examples. What is in the popover is sent only while it is open."""
    popover = st.popover(
        t("explore.examples"), icon=":material/menu_book:", width="stretch", key=_KEY, on_change="rerun"
    )
    if not popover.open:
        return
    shown = _shown()
    with popover:
        group = st.pills(
            t("words.groups"),
            example_groups(),
            default=shown.group if shown else example_groups()[0],
            format_func=lambda group: t(f"words.group.{group}"),
            required=True,
            key="example_group",
        )
        for example in load_examples():
            if example.group == group:
                _entry(t, example, shown=example == shown)


def about(t: Text) -> None:
    """The question of the example that is shown, and what the sentence means."""
    shown = _shown()
    if shown:
        gloss = _gloss(t, shown)
        meaning = f"  \n:small[:gray[{gloss}]]" if gloss else ""
        st.markdown(f":gray[{t('explore.example_question')}] {_question(t, shown)}{meaning}")


def _entry(t: Text, example: Example, *, shown: bool) -> None:
    with st.container(gap="xxsmall"):
        st.button(
            example.sentence,
            icon=":material/check:" if shown else None,
            key=f"example-{example.id}",
            width="stretch",
            on_click=_use,
            args=(example,),
        )
        st.caption("  \n".join(filter(None, (_question(t, example), _gloss(t, example)))))


def _use(example: Example) -> None:
    state.put("text", example.sentence)
    state.put("cut", "")
    st.session_state[_KEY] = False


def _shown() -> Example | None:
    return next((example for example in load_examples() if example.sentence == state.get("text")), None)


def _question(t: Text, example: Example) -> str:
    return example.question_zh if t.language == "zh" else example.question_en


def _gloss(t: Text, example: Example) -> str:
    """What a sentence in the other language means; "" for one in the reader's own."""
    return example.gloss_zh if t.language == "zh" else example.gloss_en

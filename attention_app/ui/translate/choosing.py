"""Card 8: sentences that this model translates well, and some at which it fails, each with what to notice."""

from __future__ import annotations

import streamlit as st

from attention_app.text import Text
from attention_app.ui import presenter, shown, state
from attention_core.translator.examples import TranslationExample, load_translation_examples


def show(t: Text) -> None:
    """Both kinds beside each other; a click takes the sentence."""
    if presenter.on():
        return
    with shown.card("translate-examples", t("card.examples.title"), t("card.examples.idea")):
        for kind, column in zip(("works", "fails"), st.columns(2, gap="medium"), strict=True):
            with column:
                st.markdown(f"**{t(f'examples.{kind}')}**")
                for number, example in enumerate(load_translation_examples()):
                    if example.kind == kind:
                        _entry(t, number, example)


def _entry(t: Text, number: int, example: TranslationExample) -> None:
    notice = example.notice_zh if t.language == "zh" else example.notice_en
    with st.container(gap="xxsmall"):
        st.button(example.sentence, key=f"translation-{number}", width="stretch", on_click=_use, args=(example,))
        st.caption(f"**{shown.plain(example.translation)}**  \n{shown.plain(notice)}")


def _use(example: TranslationExample) -> None:
    state.put("text", example.sentence)
    state.put("cut", "")

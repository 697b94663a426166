"""The page around the cards: the layer the numbers come from, how they are shown, the keys of presenter mode."""

from __future__ import annotations

import streamlit as st

from attention_app.components.jumps import jumps
from attention_app.text import Text
from attention_app.ui import lesson_cards, presenter, shown
from attention_app.ui.lesson import Lesson
from attention_app.ui.multihead.layer import Layer


def layer(t: Text, lesson: Lesson) -> None:
    """Source and layer in one line that unfolds; a presenter's keys."""
    attention = lesson.attention
    what = "one_head" if attention.n_heads == 1 else "layer_real" if attention.n_layers > 1 else "layer"
    lesson_cards.source(t, lesson, t(f"multihead.{what}", layer=lesson.layer + 1, heads=attention.n_heads))
    if presenter.on():
        presenter.listen(lesson)


def numbers(t: Text, now: Layer) -> None:
    """Show or hide the numbers, how many decimals; and which piece stands for a word of several."""
    with st.container(horizontal=True, vertical_alignment="center", key="multihead-options"):
        lesson_cards.numbers(t)
        start, stop = now.spans[now.word]
        if stop - start > 1:
            name = now.lesson.labels[now.word]
            st.caption(shown.plain(t("multihead.piece", word=name, count=stop - start, piece=now.names[now.at])))


def ways(t: Text, now: Layer) -> None:
    """A link to each card: the page is long."""
    cards = ["heads", "concat", "output"] + (["parts", "off", "alike"] if now.n_heads > 1 else [])
    links = {f"card-multihead-{card}": t(f"jump.{card}") for card in cards}
    if now.n_heads == 1:
        links["card-multihead-heads"] = t("jump.heads_single")
    if not presenter.on():
        links["card-take"] = t("jump.take")
    jumps(links, title=t("multihead.jump"))

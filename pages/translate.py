"""翻译与交叉注意力: a Chinese sentence becomes an English one, word by word, and every step shows where it looks."""

import streamlit as st

from attention_app.ui import frame, lesson, lesson_cards
from attention_app.ui.translate import (
    choosing,
    crossing,
    entering,
    forcing,
    heads,
    masking,
    page,
    path,
    playing,
    taking,
)

frame.ensure("pages/translate.py")

t = frame.text("translate")
now = lesson.current()
frame.title(t, "translate")

lesson_cards.sentence(t, now)
then = page.translated(t, now)
if then:
    playing.show(t, then)
    left, right = st.columns(2) if page.beside(then) else (st.container(), st.container())
    with left:
        crossing.show(t, then)
    with right:
        masking.show(t, then)
    heads.show(t, then)
    entering.show(t, then)
    path.show(t, then)
    forcing.show(t, then)
choosing.show(t)
if then:
    taking.show(t, then)

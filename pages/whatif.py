"""动手改: switch heads off, change the sentence, set a row by hand, and see what follows in the real model."""

import streamlit as st

from attention_app.ui import frame, lesson, lesson_cards, take
from attention_app.ui.whatif import beyond, doing, effect, finding, inside, page, results, taking

frame.ensure("pages/whatif.py")

t = frame.text("whatif")
now = lesson.current()
frame.title(t, "whatif")

lesson_cards.sentence(t, now)
page.source(t, now)
if page.readable(t, now):
    then = effect.current(now)
    doing.show(t, then)
    if page.beside(then):
        moved, rows = st.columns([1, 1.25])
        with moved:
            results.moved(t, then)
        with rows:
            results.row(t, then)
    else:
        results.moved(t, then)
        results.row(t, then)
    inside.show(t, then)
    results.ripple(t, then)
    finding.show(t, then)
    beyond.show(t, then)
    take.panel(taking.take(t, now, then))

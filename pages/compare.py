"""比一比: two heads, two sentences or two cuts side by side, and where they differ."""

import streamlit as st

from attention_app.ui import frame, lesson, lesson_cards, take
from attention_app.ui.compare import depth, maps, page, ranking, row, sides, taking

frame.ensure("pages/compare.py")

t = frame.text("compare")
now = lesson.current()
frame.title(t, "compare")

both = sides.current(now)
lesson_cards.sentence(t, now)
page.controls(t, now, both)
page.source(t, now)
row.show(t, both)
maps.sides(t, both)
if maps.fits_half(both):
    difference, most = st.columns(2)
    with difference:
        maps.difference(t, both)
    with most:
        ranking.show(t, both)
    depth.show(t, both)
else:
    maps.difference(t, both)
    most, layers = st.columns(2) if depth.applies(both) else (st.container(), st.container())
    with most:
        ranking.show(t, both)
    with layers:
        depth.show(t, both)
take.panel(taking.take(t, now, both))

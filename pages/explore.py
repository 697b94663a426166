"""看一句话: type a sentence, pick a word, see at whom it looks."""

import streamlit as st

from attention_app.ui import code, controls, exports, folding, frame, heads, lesson, options, pictures, presenter, words
from attention_app.ui.terms import explain

frame.ensure("pages/explore.py")

t = frame.text("explore")
frame.title(t, "explore")
now = lesson.current()

with st.container(border=True, key="card-sentence"):
    if not presenter.on():
        controls.sentence_box(t)
    controls.problem(t, now)
    words.word_chips(t, now)

with st.container(border=True, key="card-lines"):
    options.row(t, now, t("lines.title"))
    pictures.lines(t, now)

if presenter.on():
    presenter.listen(now)
else:
    with st.container(border=True, key="card-source"):
        controls.source(t, now)
        heads.layer_and_head(t, now)

beside = pictures.side_by_side(now)
left, right = st.columns([1.15, 1]) if beside else (st.container(), st.container())
picture, row = (left, right) if beside else (right, left)
with picture.container(border=True, key="card-picture"):
    st.subheader(t("explore.picture.title"), anchor=False, help=explain(t, "attention_weight", "query", "key"))
    pictures.heatmap(t, now)
with row.container(border=True, key="card-row"):
    st.subheader(pictures.row_title(t), anchor=False, help=explain(t, "softmax"))
    pictures.ranked_row(t, now)
pictures.table(t)
if now.unfolded:
    folding.panel(t, now)

heads.all_heads(now)

exports.panel(now)
code.panel(now)

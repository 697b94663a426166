"""The panel that shows how the weight between two words follows from the weights between their model tokens."""

from __future__ import annotations

import streamlit as st

from attention_app.components.fold import fold
from attention_app.text import Text
from attention_app.ui import cache, pictures, state
from attention_app.ui.lesson import Lesson
from attention_core.attention_map import attention_map
from attention_core.words.alignment import folding

_LEAST_DECIMALS = 4  # sums of rounded numbers should not seem wrong


def panel(t: Text, lesson: Lesson) -> None:
    """For the locked word and the word it looks at most; or in the other direction, who looks at it most."""
    with st.container(border=True, key="card-fold"):
        st.subheader(t("options.fold.title"), anchor=False)
        if lesson.word is None or not pictures.revealed():
            st.caption(t("options.fold.unlocked" if lesson.word is None else "options.fold.guess"))
            return
        by_words = attention_map(cache.word_attention(lesson.words, "real", state.settings()), lesson.heads).weights
        if pictures.direction() == "out":
            query, key = lesson.word, int(by_words[lesson.word].argmax())
        else:
            query, key = int(by_words[:, lesson.word].argmax()), lesson.word
        # Specials stay in: hidden or not, the model's own rows are what is added up.
        by_pieces = attention_map(lesson.attention, lesson.heads).weights
        ends = (*lesson.starts[1:], len(lesson.rows))
        rows, columns = (lesson.starts[query], ends[query]), (lesson.starts[key], ends[key])
        sum_of = folding(by_pieces, rows, columns)
        names = {"query": lesson.labels[query], "key": lesson.labels[key]}
        counts = {"rows": rows[1] - rows[0], "columns": columns[1] - columns[0]}
        fold(
            lesson.rows[slice(*rows)],
            lesson.rows[slice(*columns)],
            [[_number(weight) for weight in row] for row in sum_of.pieces],
            [_number(weight) for weight in sum_of.sums],
            _number(sum_of.weight),
            sum_name=t("options.fold.sum"),
            mean_name=t("options.fold.mean"),
            caption=t("options.fold.intro", **names, **counts),
        )
        st.caption(t("options.fold.result"))


def _number(weight: float) -> str:
    return pictures.number(float(weight), least=_LEAST_DECIMALS)

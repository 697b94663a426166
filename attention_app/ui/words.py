"""The words of the sentence: choose one, cut them differently, go back."""

from __future__ import annotations

import streamlit as st

from attention_app.components.words import Chip, words
from attention_app.text import Text
from attention_app.ui import cache, history, presenter, state
from attention_app.ui.controls import MOST_TYPED
from attention_app.ui.lesson import Lesson, cut_text
from attention_core.errors import InputError
from attention_core.words import cut_at, graphemes

_TEXTS = (
    "hint",
    "cut",
    "undo",
    "redo",
    "restore",
    "split",
    "join",
    "did_split",
    "joined",
    "space",
    "by_hand",
    "too_long",
)


def word_chips(t: Text, lesson: Lesson) -> None:
    """The words as chips, with what changes their cut; below them why a cut was refused, if the last one was."""

    def pick(index: int | None) -> None:
        """Lock a word, or unlock it."""
        state.put("word", 0 if index is None else index + 1)

    texts = {name: t.entries[f"words.{name}"] for name in _TEXTS}  # with fields that the view fills in
    count = "one" if len(lesson.words) == 1 else "many"
    title = f"words.{'yours' if lesson.by_hand else 'jieba'}_{count}"
    what = t("words.row" if state.get("direction") == "out" else "words.column")
    texts["title"] = t(title, count=len(lesson.words), what=what)
    words(
        _chips(t, lesson),
        lesson.word,
        edits={
            "cut": lesson.problem is None,  # else the box holds another sentence than the chips
            "undo": history.can_undo(),
            "redo": history.can_redo(),
            "restore": lesson.by_hand,
            "answered": _answered(),
        },
        presenting=presenter.on(),
        most_typed=MOST_TYPED,
        texts=texts,
        on_pick=pick,
        on_cut=_cut,
        on_step=_step,
    )
    refused = state.recall("refused")
    if isinstance(refused, InputError):
        state.remember("refused", None)
        st.error(
            t(f"error.{refused.key}", **refused.values) + "  \n" + t("words.refused"),
            icon=":material/content_cut:",
        )


def _chips(t: Text, lesson: Lesson) -> list[Chip]:
    chips: list[Chip] = []
    for word, label, row in zip(lesson.words, lesson.labels, lesson.starts, strict=True):
        nth = label.removeprefix(word.text)
        name = t("words.nth", word=word.text, nth=sum(chip["parts"] == graphemes(word.text) for chip in chips) + 1)
        chips.append(
            {
                "label": label,
                "parts": graphemes(word.text),
                "name": name if nth else "",
                "space": word.space_before,
                "row": row,
            }
        )
    return chips


def _cut(positions: list[int], edit: int) -> None:
    """Cut the shown sentence at `positions`, unless that is more than fits or another sentence was typed meanwhile."""
    state.remember("answered", edit)
    text = str(state.get("text"))
    if text != state.recall("shown_text"):
        return
    try:
        cut = cut_at(text, positions)
        cache.word_attention(cut, str(state.get("source")), state.settings())
    except InputError as error:
        state.remember("refused", error)
    else:
        state.put("cut", cut_text(cut))


def _step(which: str) -> None:
    if which == "restore":
        state.put("cut", "")
    elif which == "undo":
        history.undo()
    else:
        history.redo()


def _answered() -> int:
    return int(str(state.recall("answered") or 0))

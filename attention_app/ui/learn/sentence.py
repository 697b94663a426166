"""The sentence with its gap: typed, or put together from the vocabulary by clicking."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from attention_app.text import Text
from attention_app.ui import presenter, state
from attention_app.ui.learn.now import Now
from attention_core.learn.tasks import MOST_CHARACTERS, Typed
from attention_core.learn.vocabulary import DE, GAP, SLOT, load_vocabulary

MOST_ADJECTIVES = 2
_NOUNS = ("learn-noun", "learn-unseen")  # two groups of which one noun is chosen


def show(t: Text, now: Now) -> None:
    """The box, what is wrong with what stands in it, and the vocabulary to click."""
    if now.problem:
        st.error(t(f"error.{now.problem.key}", **now.problem.values) + "  \n" + t("error.kept"), icon=":material/edit:")
    if presenter.on():
        return
    st.text_input(
        t("learn.sentence"),
        key="gap",
        placeholder=t("learn.placeholder"),
        max_chars=MOST_CHARACTERS,
        autocomplete="off",
    )
    with st.expander(t("learn.vocabulary"), icon=":material/menu_book:"):
        _choices(t, now.typed)


def _choices(t: Text, typed: Typed) -> None:
    """The frame, the noun and the adjectives of the sentence that is shown; a click puts others in."""
    frame, adjectives, noun = parts(typed.words)
    glossed = t.language != "zh"

    def spoken(word: str) -> str:
        return f"{word} {load_vocabulary().english[word]}" if glossed else word

    for key, value in (
        ("learn-frame", frame),
        ("learn-adjectives", list(adjectives)),
        *((key, noun if noun in group else None) for key, group in zip(_NOUNS, _groups(), strict=True)),
    ):
        state.put(key, value)
    st.pills(
        t("learn.frame"),
        load_vocabulary().frames,
        format_func=lambda words: "".join("…" if word == SLOT else word for word in words),
        key="learn-frame",
        on_change=_put_together,
        args=("learn-frame",),
    )
    for key, group, label in zip(_NOUNS, _groups(), (t("learn.noun"), t("learn.unseen")), strict=True):
        st.pills(label, group, format_func=spoken, key=key, on_change=_put_together, args=(key,))
    st.pills(
        t("learn.adjectives"),
        load_vocabulary().adjectives,
        selection_mode="multi",
        format_func=spoken,
        key="learn-adjectives",
        on_change=_put_together,
        args=("learn-adjectives",),
    )


def _groups() -> tuple[tuple[str, ...], tuple[str, ...]]:
    return load_vocabulary().nouns, load_vocabulary().held_out


def _put_together(changed: str) -> None:
    """The sentence of what is chosen now. In a callback only."""
    frame = state.get("learn-frame") or load_vocabulary().frames[0]
    noun = state.get(changed) if changed in _NOUNS else None
    noun = noun or next(filter(None, (state.get(key) for key in _NOUNS)), load_vocabulary().nouns[0])
    chosen = state.get("learn-adjectives")
    adjectives = list(chosen)[-MOST_ADJECTIVES:] if isinstance(chosen, list) else []
    state.put("gap", "".join(put_together(tuple(frame), adjectives, str(noun))))  # type: ignore[arg-type]


def put_together(frame: Sequence[str], adjectives: Sequence[str], noun: str) -> tuple[str, ...]:
    """A frame with adjectives, each followed by 的, and a noun in its slot."""
    at = frame.index(SLOT)
    inside = [word for adjective in adjectives for word in (adjective, DE)]
    return (*frame[:at], *inside, noun, *frame[at + 1 :])


def parts(words: tuple[str, ...]) -> tuple[tuple[str, ...] | None, tuple[str, ...], str | None]:
    """The frame, adjectives and noun that make a sentence; None, () and None where it was written freely."""
    for frame in load_vocabulary().frames:
        before, behind = frame[: frame.index(SLOT)], frame[frame.index(SLOT) + 1 :]
        inside = words[len(before) : len(words) - len(behind)]
        if not inside or GAP in inside:
            continue
        adjectives, noun = inside[:-1:2], inside[-1]
        known = noun in load_vocabulary().measure_of and all(
            word in load_vocabulary().adjectives for word in adjectives
        )
        if known and put_together(frame, adjectives, noun) == words:
            return frame, adjectives, noun
    return None, (), None

"""What can be changed: heads, the sentence, a row; and the changes so far, each of which can be taken back."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np
import streamlit as st

from attention_app.components.dragrow import dragrow
from attention_app.components.headgrid import Head, headgrid
from attention_app.labels import labels
from attention_app.text import Text
from attention_app.ui import cache, lesson_cards, pictures, presenter, shown, state
from attention_app.ui.whatif import plan as plans
from attention_app.ui.whatif.effect import Effect
from attention_app.ui.whatif.plan import Change, Move, Off, Remove, Replace, Row
from attention_core.trace import FloatArray
from attention_core.words import MAX_CHARACTERS, clean

_TOOLS = ("heads", "words", "row")


def show(t: Text, now: Effect) -> None:
    """The tools, one at a time, and below them the changes so far."""
    with st.container(border=True, key="card-doing"):
        with st.container(horizontal=True, vertical_alignment="center", key="doing-row"):
            st.segmented_control(
                t("doing.what"),
                _TOOLS,
                format_func=lambda tool: t(f"doing.tool_{tool}"),
                key="tool",
                required=True,
                wrap=True,
                label_visibility="collapsed",
            )
            lesson_cards.numbers(t)
        {"heads": _heads, "words": _words, "row": _row}[str(state.get("tool"))](t, now)
        _changes(t, now)


def _heads(t: Text, now: Effect) -> None:
    """All heads as a grid; a click switches one off or on, the numbers at the edges a whole line."""
    st.caption(t("doing.heads_how"))
    off = {head for change in now.plan if isinstance(change, Off) for head in change.heads}
    left, right = st.columns([1.2, 1]) if not presenter.on() else (st.container(), st.container())
    with right:
        place = {"layer": now.layer + 1, "head": now.head + 1}
        for name, heads in (
            ("this", [(now.layer, now.head)]),
            ("layer", [(now.layer, head) for head in range(plans.N_HEADS)]),
            ("others", [(now.layer, head) for head in range(plans.N_HEADS) if head != now.head]),
            ("above", [(layer, head) for layer in range(now.layer, plans.N_LAYERS) for head in range(plans.N_HEADS)]),
        ):
            st.button(
                t(f"doing.off_{name}", **place),
                key=f"off-{name}",
                width="stretch",
                disabled=off.issuperset(heads),
                on_click=plans.add,
                args=(Off(tuple(head for head in heads if head not in off)),),
            )
        effects = _tried(t, now)
    with left:
        shades, values = _shown_effects(t, effects)
        headgrid(
            "whatif-heads",
            shades,
            values,
            chosen=(now.layer, now.head),
            off=off,
            texts={
                name: t.entries[f"grid.{name}"] for name in ("title", "corner", "cell", "cell_off", "line", "column")
            },
            on_heads=lambda heads: _switch(heads, off),
        )


def _tried(t: Text, now: Effect) -> FloatArray | None:
    """The effect of every head on this sentence, if somebody asked; the button that asks."""
    words = now.before.words
    effects = cache.head_effects(words)
    if effects is None:
        room = st.empty()  # the button makes way for the progress bar, and that for what was found
        if not room.button(t("doing.try"), key="try-heads", icon=":material/science:", width="stretch"):
            return None
        effects = cache.find_head_effects(
            words, lambda done, count: room.progress(done / count, t("doing.trying", done=done, count=count))
        )
        room.empty()
    st.caption(t("doing.tried"))
    return effects


def _shown_effects(t: Text, effects: FloatArray | None) -> tuple[FloatArray, list[list[str]]]:
    """How dark each cell is, and what is said of it."""
    shape = (plans.N_LAYERS, plans.N_HEADS)
    if effects is None or not pictures.revealed():
        return np.zeros(shape), [[""] * shape[1]] * shape[0]
    moved = 1 - effects
    said = [[t("grid.value", cosine=f"{cosine:.4f}") for cosine in row] for row in effects]
    return moved / max(float(moved.max()), 1e-12), said


def _switch(heads: Sequence[Head], off: set[Head]) -> None:
    """Off what is on; if all of them are off, on again. In a callback only."""
    left = tuple(head for head in heads if head not in off)
    if left:
        plans.add(Off(left))
    else:
        plans.restore(heads)


def _words(t: Text, now: Effect) -> None:
    """Take the chosen word away, replace it, move it."""
    st.caption(t("doing.words_how"))
    place = now.partner
    if place is None:
        shown.say(t, "gone", query=now.old[now.word])
        return
    word = shown.plain(now.new[place])
    with st.container(horizontal=True, vertical_alignment="bottom", key="words-tools"):
        last = len(now.new) - 1
        for name, icon, change, possible in (
            ("remove", "delete", Remove(place), last > 0),
            ("left", "arrow_back", Move(place, place - 1), place > 0),
            ("right", "arrow_forward", Move(place, place + 1), place < last),
        ):
            st.button(
                t(f"doing.{name}", word=word),
                key=f"word-{name}",
                icon=f":material/{icon}:",
                disabled=not possible,
                on_click=plans.add,
                args=(change,),
            )
        st.text_input(
            t("doing.replace", word=word),
            key="replacement",
            max_chars=MAX_CHARACTERS,
            autocomplete="off",
            on_change=_replace,
            args=(place,),
        )


def _replace(place: int) -> None:
    text = clean(str(st.session_state["replacement"]))
    if not text:
        return
    plans.add(Replace(place, text))
    st.session_state["replacement"] = ""


def _row(t: Text, now: Effect) -> None:
    """The chosen word's row in the chosen head, to be dragged; or all alike, or one word alone."""
    place = now.partner
    if place is None:
        shown.say(t, "gone", query=now.old[now.word])
        return
    values = {"word": now.new[place], "layer": now.layer + 1, "head": now.head + 1}
    st.caption(shown.plain(t("doing.row_how", **values)))
    picture = now.picture(after=True)
    row = [picture.special[place, 0], *picture.weights[place], picture.special[place, 1]]
    names = [picture.special_names[0], *now.new, picture.special_names[1]]
    if sum(row) < 0.5:  # the head is off: it has no row
        shown.say(t, "row_off", layer=now.layer + 1, head=now.head + 1)
        return
    if not pictures.revealed():
        st.markdown(t("lesson.guess"))
        return
    dragrow(
        names,
        row,
        [0, len(names) - 1],
        decimals=pictures.decimals(),
        texts={"title": t("doing.row_title", **values), "bar": t.entries["doing.bar"]},
        on_row=partial(_drag, now.layer, now.head, place),
    )
    with st.container(horizontal=True, vertical_alignment="bottom", key="row-tools"):
        st.button(
            t("doing.even"), key="row-even", on_click=plans.put_row, args=(Row(now.layer, now.head, place, "even"),)
        )
        st.selectbox(
            t("doing.only"),
            range(len(names)),
            index=None,
            format_func=lambda at: names[at],
            key="row-only",
            placeholder=t("doing.only_which"),
            width=240,
            on_change=_only,
            args=(now.layer, now.head, place),
        )


def _only(layer: int, head: int, word: int) -> None:
    key = st.session_state["row-only"]
    if key is not None:
        plans.put_row(Row(layer, head, word, "only", (int(key),)))
        st.session_state["row-only"] = None


def _drag(layer: int, head: int, word: int, weights: list[int]) -> None:
    plans.put_row(Row(layer, head, word, "hand", tuple(weights)))


def _changes(t: Text, now: Effect) -> None:
    """Every change as a button that takes it back; undo, redo, none at all."""
    if plans.was_full():
        st.error(t("doing.full"), icon=":material/edit_off:")
    if now.problem:
        why = t(f"error.{now.problem.key}", **now.problem.values)
        st.error(f"{why}  \n{t('doing.not_read')}", icon=":material/edit:")
    with st.container(horizontal=True, vertical_alignment="center", key="changes-row"):
        for at, change in enumerate(now.plan):
            label = shown.plain(describe(t, now, at, change))
            label = f":gray[~~{label}~~]" if at in now.idle else label
            st.button(
                label,
                key=f"change-{at}",
                icon=":material/close:",
                icon_position="right",
                on_click=plans.drop,
                args=(at,),
            )
        if not now.plan:
            st.caption(t("doing.none"))
        for name, icon, possible, act in (
            ("undo", "undo", plans.can_undo(), plans.undo),
            ("redo", "redo", plans.can_redo(), plans.redo),
            ("clear", "delete_sweep", bool(now.plan), plans.clear),
        ):
            st.button(
                t(f"doing.{name}"),
                key=f"plan-{name}",
                icon=f":material/{icon}:",
                type="tertiary",
                disabled=not possible,
                on_click=act,
            )


def describe(t: Text, now: Effect, at: int, change: Change) -> str:
    """A change in the reader's words. Places of words are those of the sentence as it was then."""
    match change:
        case Off(heads) if len(heads) == 1:
            return t("change.off_one", layer=heads[0][0] + 1, head=heads[0][1] + 1)
        case Off(heads):
            layers = sorted({layer for layer, _ in heads})
            where = f"{layers[0] + 1}" if len(layers) == 1 else f"{layers[0] + 1}–{layers[-1] + 1}"
            return t("change.off", layers=where, count=len(heads))
        case Row(layer, head, word, how, weights):
            values = {"layer": layer + 1, "head": head + 1, "word": _name(now.new, word)}
            if how == "only":
                names = ("<s>", *now.new, "</s>")
                return t("change.row_only", key=_name(names, weights[0]), **values)
            return t(f"change.row_{how}", **values)
    words = plans.rewrite(now.before.words, now.plan[:at]).words
    names = tuple(labels([word.text for word in words]))
    match change:
        case Remove(word):
            return t("change.remove", word=_name(names, word))
        case Replace(word, text):
            return t("change.replace", word=_name(names, word), text=text)
        case Move(word, to):
            return t("change.move", word=_name(names, word), place=to + 1)
    raise TypeError(change)


def _name(names: Sequence[str], place: int) -> str:
    return names[place] if place < len(names) else "?"

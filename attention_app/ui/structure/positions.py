"""Positions: the paper's waves, how alike places are, and what the order of the words does without them."""

from __future__ import annotations

import math

import numpy as np
import streamlit as st

from attention_app.components import matrix
from attention_app.components.blocks import bars
from attention_app.components.curves import curves
from attention_app.components.matrix import Matrix
from attention_app.text import Text
from attention_app.ui import pictures, shown, state
from attention_app.ui.structure import runs
from attention_app.ui.structure.lines import line, small
from attention_app.ui.structure.now import Now, framed
from attention_core.positional import positional_encoding
from attention_core.sources.e5 import load_model
from attention_core.sources.e5_order import OrderTrace, order_trace
from attention_core.words import Word

PLACES = 64  # positions of a wave that are drawn
TRY = "我打他"


def show(t: Text, now: Now) -> None:
    view = st.segmented_control(
        t("structure.position_view"),
        state.SCHEMA["position_view"].choices,
        format_func=lambda name: t(f"structure.position_{name}"),
        key="position_view",
        required=True,
        label_visibility="collapsed",
    )
    {"wave": _waves, "like": _likeness, "order": _order}[str(view)](t, now)


def _waves(t: Text, now: Now) -> None:
    """The encoding of this sentence's positions, and one pair of sine and cosine."""
    d = now.d_model
    angle = rf"\frac{{pos}}{{10000^{{2i/{d}}}}}"
    shown.formula(rf"PE_{{pos,\,2i}} = \sin{angle},\quad PE_{{pos,\,2i+1}} = \cos{angle}")
    rows = [str(place) for place in range(now.n)]
    encoding = Matrix("PE", positional_encoding(now.n, d), rows=rows, row_at=now.places)
    pair = int(str(st.slider(t("structure.pair"), 1, d // 2, key="wave_pair", help=t("structure.pair_help"))))
    matrix.single(encoding, rest=(now.at, 2 * pair - 2), **shown.matrix_options("structure-waves"))
    waves = positional_encoding(PLACES, d)[:, 2 * pair - 2 : 2 * pair]  # (PLACES, 2)
    length = 2 * math.pi * 10000 ** ((2 * pair - 2) / d)
    lines = [
        line(f"sin · {t('structure.dim', dim=2 * pair - 1)}", waves[:, 0]),
        line(f"cos · {t('structure.dim', dim=2 * pair)}", waves[:, 1], "dashed"),
    ]
    curves(
        "waves",
        lines,
        [str(place) for place in range(PLACES)],
        low=-1,
        high=1,
        marks={-1: "−1", 0: "0", 1: "1"},
        chosen=min(now.at, PLACES - 1),
        texts={"title": t("view.waves"), "steps": t.entries["view.place"]},
        hidden=not pictures.revealed(),
    )
    shown.say(t, "waves", length=f"{length:,.1f}" if length < 1000 else f"{length:,.0f}", pair=pair)
    shown.source(t, "structure-waves", positional_encoding)


def _likeness(t: Text, now: Now) -> None:
    """The cosine of any two positions: the paper's encoding beside what the real model has learned."""
    names = [str(place) for place in range(now.n)]
    drawn = positional_encoding(now.n, now.d_model)
    learned = load_model().weights.embedding.position[: now.n].astype(np.float64)
    for key, vectors in (("sinusoidal", drawn), ("learned", learned)):
        st.markdown(f"**{t(f'structure.{key}')}**")
        unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
        like = np.clip(unit @ unit.T, -1, 1)
        picture = Matrix(key, like, rows=names, columns=names, row_at=now.places, column_at=now.places)
        matrix.single(picture, **shown.matrix_options(f"structure-{key}"))
        near, far = float(np.diag(like, 1)[1:].mean()), float(like[1, now.n - 1])
        if now.n > 3:
            values = {"near": shown.number(near), "far": shown.number(far), "steps": now.n - 2}
            shown.notice(t, key, **values, **({"special": now.names[0]} if key == "learned" else {}))
    shown.source(t, "structure-like", positional_encoding)


def _order(t: Text, now: Now) -> None:
    """The words in another order, through all layers, with and without positions."""
    words = now.lesson.words
    with st.container(horizontal=True, vertical_alignment="center", key="structure-order"):
        st.segmented_control(
            t("structure.order"),
            state.SCHEMA["order"].choices,
            format_func=lambda name: t(f"structure.order_{name}"),
            key="order",
            required=True,
            label_visibility="collapsed",
        )
        st.toggle(t("structure.with_positions"), key="order_positions")
        if "".join(word.text for word in words) != TRY:
            st.button(t("structure.try", sentence=TRY), key="structure-try", on_click=_try)
    order = new_order(words, str(state.get("order")))
    if order == tuple(range(len(words))):
        st.info(t("structure.nothing_to_move"))
        return
    with_positions = bool(state.get("order_positions"))
    trace = runs.order(words, order, positions=with_positions)
    first, second = (" ".join(words[word].text for word in each) for each in (range(len(words)), order))
    st.markdown(f"{shown.plain(first)}  \n→ **{shown.plain(second)}**")
    what = "order_on" if with_positions else "order_off"
    shown.notice(t, what, largest=small(trace.largest) if not with_positions else shown.number(trace.largest))
    _same_words(t, now, trace)
    options = shown.matrix_options("structure-before")
    before = now.rows(t("structure.before"), trace.before)
    matrix.single(before, rest=framed(trace.before, now.at), **options)
    rows, row_at = [now.names[at] for at in trace.places], [now.places[at] for at in trace.places]
    after = Matrix(t("structure.after"), trace.after, rows=rows, row_at=row_at)
    moved = [int(at) for at in trace.places].index(now.at)
    matrix.single(after, rest=framed(trace.after, moved), **shown.matrix_options("structure-after"))
    shown.source(t, "structure-order", order_trace)


def _same_words(t: Text, now: Now, trace: OrderTrace) -> None:
    """How far each word's output in the new order points the same way as in the old one."""
    lengths = [
        shown.bar(
            now.names[at],
            max(0.0, float(cosine)),
            [shown.number(float(cosine))],
            at=now.places[at],
            strong=int(at) == now.at,
        )
        for at, cosine in zip(trace.places, trace.cosine, strict=True)
    ]
    bars("order", [], lengths, columns=[t("structure.cosine")], texts={"title": t("view.order")})


def new_order(words: tuple[Word, ...], how: str) -> tuple[int, ...]:
    """The words (from 0) in a new order; punctuation stays where it is."""
    spoken = [at for at, word in enumerate(words) if any(character.isalnum() for character in word.text)]
    moved = list(spoken)
    if how == "swap" and spoken:
        moved[0], moved[-1] = moved[-1], moved[0]
    elif how == "reverse":
        moved.reverse()
    else:  # every word one place on, the last one to the front
        moved = moved[-1:] + moved[:-1]
    order = list(range(len(words)))
    for place, word in zip(spoken, moved, strict=True):
        order[place] = word
    return tuple(order)


def _try() -> None:
    state.put("text", TRY)
    state.put("cut", "")

"""The chosen word's row on both sides, and which words belong together."""

from __future__ import annotations

import numpy as np
import streamlit as st

from attention_app.components.pairing import Line, pairing
from attention_app.figures.numbers import signed
from attention_app.text import Text
from attention_app.ui import pictures, shown, state
from attention_app.ui.compare.sides import Both, Side, pair_text
from attention_app.ui.line import line


def show(t: Text, both: Both) -> None:
    with shown.card("compare-row", t("card.row.title"), t(f"card.row.idea_{both.versus}")):
        _notice(t, both)
        free = both.versus != "heads"
        names = ("choose", "pair", "unpair")
        pairing(
            _line(t, both.upper, both.word, "upper"),
            _line(t, both.lower, both.partner, "lower"),
            both.pairs,
            texts={"title": t("card.row.title"), **{name: t.entries[f"row.{name}"] for name in names}},
            on_choose=lambda place: state.put("word", place + 1),
            on_pair=(lambda place: _pair(both, place)) if free else None,
        )
        if free:
            with st.container(horizontal=True, vertical_alignment="center", key="pairs-row"):
                st.caption(t("row.how"))
                if both.by_hand:
                    st.button(t("row.automatic"), key="pairs-automatic", on_click=lambda: state.put("pairs", ""))


def _line(t: Text, side: Side, word: int | None, which: str) -> Line:
    """One side's words, with the chosen word's row of this side as bars."""
    title = t(f"row.{which}_{'place' if side.source == 'real' else 'plain'}", **_place(side))
    return line(title, side.labels, side.map, word)


def _place(side: Side) -> dict[str, int]:
    return {"layer": side.layer + 1, "head": side.head + 1}


def _pair(both: Both, place: int) -> None:
    """Pair the chosen word with another one below, or part the two; nobody has two partners. In a callback only."""
    pairs = tuple(pair for pair in both.pairs if pair[0] != both.word and pair[1] != place)
    if both.partner != place:
        pairs = tuple(sorted((*pairs, (both.word, place))))
    state.put("pairs", pair_text(pairs))


def _notice(t: Text, both: Both) -> None:
    """What the word looks at most on either side, and what changed most."""
    query = both.upper.labels[both.word]
    if both.partner is None:
        shown.say(t, "row_alone", query=query)
        return
    if len(both.pairs) < 2:
        return
    if both.upper.words == both.lower.words and both.versus != "heads":
        shown.say(t, f"row_equal_{both.versus}")
        return
    upper, lower = both.upper.map.weights[both.word], both.lower.map.weights[both.partner]
    changes = np.array([lower[b] - upper[a] for a, b in both.pairs])
    most = int(np.abs(changes).argmax())
    above, below = both.pairs[most]
    values = {
        "query": query,
        "key": both.upper.labels[int(upper.argmax())],
        "weight": shown.number(float(upper.max())),
        "key2": both.lower.labels[int(lower.argmax())],
        "weight2": shown.number(float(lower.max())),
    }
    if not float(signed(float(changes[most]), pictures.decimals()).replace("−", "-")):
        shown.notice(t, "row_same", **values)
        return
    before, after = (shown.number(float(weight)) for weight in (upper[above], lower[below]))
    shown.notice(t, "row", most=both.upper.labels[above], before=before, after=after, **values)

"""Card 7: teacher forcing. A translation is given from outside, and the model says how probable it finds each word."""

from __future__ import annotations

import numpy as np
import streamlit as st

from attention_app.components.blocks import Bar, bars
from attention_app.labels import labels
from attention_app.text import Text
from attention_app.ui import pictures, shown, state
from attention_app.ui.packed import MOST_BYTES, pack, unpack
from attention_app.ui.terms import explain
from attention_app.ui.translate import cache
from attention_app.ui.translate.now import Now
from attention_core.errors import InputError
from attention_core.translator import TargetRun, Translator, load_translator, target_words
from attention_core.words import MAX_CHARACTERS, clean

_BOX = "reference_text"
_MOST_TYPED = 2000  # characters the box takes: a page pasted by mistake is explained, not cut


def show(t: Text, now: Now) -> None:
    with shown.card("translate-force", t("card.force.title"), t("card.force.idea"), explain(t, "teacher_forcing")):
        text = _text()
        st.text_input(
            t("force.hint", limit=MAX_CHARACTERS),
            key=_BOX,
            max_chars=_MOST_TYPED,
            autocomplete="off",
            placeholder=t("force.placeholder"),
            on_change=_keep,
        )
        st.button(t("force.own"), key="reference-own", on_click=_put, args=(now.run.text,), type="tertiary")
        try:
            pieces = load_translator().reference_pieces(clean(text)) if clean(text) else None
            if len(pack(text)) > MOST_BYTES:
                raise InputError("too_many_characters", limit=MAX_CHARACTERS, count=len(text))
        except InputError as error:
            st.error(t(f"force.{error.key}", **error.values), icon=":material/edit:")
            return
        if pieces is None:
            shown.say(t, "no_reference")
        else:
            _probabilities(t, now, cache.run(now.lesson.words, pieces))
        shown.source(t, "translate-force", Translator.reference_pieces, Translator.read)


def _probabilities(t: Text, now: Now, run: TargetRun) -> None:
    """A bar for every word: the product over its pieces; beside it the first piece that the model would rather say."""
    words = target_words(run)
    spans = [*words.spans, (len(run.pieces) - 1, len(run.pieces))]
    chances = [float(run.chosen[start:stop].prod()) for start, stop in spans]
    lines: list[Bar] = []
    for label, (start, stop), chance in zip([*labels(words.words), now.end], spans, chances, strict=True):
        tops = [(run.candidates(at, 1)[0].piece, run.pieces[at]) for at in range(start, stop)]
        other = next((top for top, given in tops if top != given), None)
        lines.append(
            {
                "head": None,
                "label": label,
                "at": None,
                "start": 0.0,
                "stop": min(1.0, chance) if pictures.revealed() else 0.0,
                "numbers": [shown.number(chance), "" if other is None or not pictures.revealed() else now.shown(other)],
                "strong": False,
            }
        )
    totals = {name: float(np.log(one.chosen).sum()) for name, one in (("given", run), ("own", now.run))}
    worst = int(np.argmin(chances))
    shown.notice(
        t,
        "force_own" if run.pieces == now.run.pieces else "force",
        query=lines[worst]["label"],
        number=pictures.number(chances[worst], least=4),
        **{name: shown.number(total) for name, total in totals.items()},
    )
    bars("reference", [], lines, columns=[t("force.chance"), t("force.rather")], texts={"title": t("card.force.title")})


def _text() -> str:
    """What is in the box; at first what the link holds."""
    if _BOX not in st.session_state:
        try:
            st.session_state[_BOX] = unpack(str(state.get("reference")))
        except ValueError:
            state.reject("reference", tell=True)
            st.session_state[_BOX] = ""
    return str(st.session_state[_BOX])


def _keep() -> None:
    """Into the link, if it fits."""
    packed = pack(str(st.session_state[_BOX]))
    state.put("reference", packed if len(packed) <= MOST_BYTES else "")


def _put(text: str) -> None:
    """The model's own translation into the box, to be changed. In a callback only."""
    st.session_state[_BOX] = text
    _keep()

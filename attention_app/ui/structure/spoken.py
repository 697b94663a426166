"""The decoder's side: the sentence it is to say, the position that is looked at, and all numbers on the way."""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st

from attention_app.labels import labels
from attention_app.text import Text
from attention_app.ui import presenter, shown, state
from attention_app.ui.structure import runs
from attention_app.ui.structure.now import Now
from attention_core.errors import InputError
from attention_core.sources.seeded_decoder import D_MODEL, N_HEADS, SEED, SeededDecoderTrace
from attention_core.words import Word, segment


@dataclass(frozen=True, eq=False)
class Spoken:
    """trace: of the decoder; names: of its positions, what each reads; at: the position looked at, from 0."""

    trace: SeededDecoderTrace
    names: tuple[str, ...]
    at: int

    @property
    def query(self) -> str:
        return self.names[self.at]


def current(now: Now) -> Spoken:
    """The decoder for the state of this run; a sentence that cannot be used leaves the default one."""
    trace = runs.decoder(now.lesson.words, words("target"))
    first = state.recall("structure") is None
    state.remember("structure", True)
    state.fit("target_place", len(trace.inputs), 2, tell=first)
    return Spoken(trace, tuple(labels(trace.inputs)), int(str(state.get("target_place"))) - 1)


def words(param: str) -> tuple[Word, ...]:
    """The words of a sentence typed on this page, or of the default one where it cannot be used."""
    try:
        return segment(str(state.get(param)))
    except InputError:
        return segment(str(state.SCHEMA[param].default))


def controls(t: Text, now: Spoken) -> None:
    """The badge, and unless somebody presents, the sentence and the position."""
    label = t("structure.decoder_from", d_model=D_MODEL, heads=N_HEADS)
    st.markdown(f"**{label}** :orange-badge[{t('badge.untrained')}]", help=t("say.untrained", seed=SEED))
    if presenter.on():
        return
    sentence(t, "target")
    st.select_slider(
        t("structure.target_place"),
        range(1, len(now.names) + 1),
        format_func=lambda place: f"{place} · {shown.plain(now.names[place - 1])}",
        key="target_place",
    )


def sentence(t: Text, param: str) -> None:
    """A box for a sentence of this page's own, and a word on one that cannot be used."""
    st.text_input(t(f"structure.{param}"), key=param, max_chars=state.MOST_SPOKEN, autocomplete="off")
    try:
        segment(str(state.get(param)))
    except InputError as error:
        st.error(t(f"error.{error.key}", **error.values) + "  \n" + t("structure.unused"), icon=":material/edit:")

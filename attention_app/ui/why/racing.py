"""Card 4: both layers measured on this machine, when somebody asks for it; one race at a time."""

from __future__ import annotations

import threading

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from attention_app.figures.race import race_chart
from attention_app.text import Text
from attention_app.ui import frame, presenter, shown, state
from attention_app.ui.charts import chart
from attention_app.ui.why.card import card
from attention_core.race import LENGTHS, WIDTH, Lap, growth, race, self_attention
from attention_core.rnn import hidden_states

LONG = 256  # from here on the product of n x n outweighs what is small and fixed
_TRACK = threading.Lock()  # for all sessions: two races at once would measure each other


@st.fragment
def show(t: Text) -> None:
    """A part of the page of its own: the rest stays as it is while a race runs."""
    with card(t, "race", width=WIDTH, first=LENGTHS[0], last=LENGTHS[-1]):
        shown.say(t, "race_what")
        asked = st.button(t("race.start"), icon=":material/timer:", key="why-race")
        room = st.empty()
        if asked:
            _run(t, room)
        laps = state.recall("race")
        if isinstance(laps, tuple):
            _result(t, laps)
        shown.source(t, "why-race", self_attention, hidden_states)


def _run(t: Text, room: DeltaGenerator) -> None:
    """Race and keep the laps, with a bar that says how far it is; or say that another session's race runs."""
    if not _TRACK.acquire(blocking=False):
        room.info(t("race.busy"), icon=":material/hourglass:")
        return
    try:
        laps: list[Lap] = []
        bar = room.progress(0.0, t("race.running", n=LENGTHS[0]))
        for lap in race():
            laps.append(lap)
            ahead = LENGTHS[min(len(laps), len(LENGTHS) - 1)]
            bar.progress(len(laps) / len(LENGTHS), t("race.running", n=ahead))
    finally:
        _TRACK.release()  # also when the visitor goes on to something else in the middle of it
    room.empty()
    state.remember("race", tuple(laps))


def _result(t: Text, laps: tuple[Lap, ...]) -> None:
    """The chart and what it says. A measurement of this machine gives no answer away, so it is never hidden."""
    ratios = [lap.attention / lap.rnn for lap in laps]
    best = ratios.index(min(ratios))
    last = laps[-1]
    values = {
        "best": laps[best].n,
        "best_ratio": _ratio(ratios[best]),
        "last": last.n,
        "last_ratio": _ratio(ratios[-1]),
    }
    shown.say(t, "race_result", **values)
    long = [lap for lap in laps if lap.n >= LONG]
    if len(long) > 1:
        n = [lap.n for lap in long]
        of_attention, of_rnn = growth(n, [lap.attention for lap in long]), growth(n, [lap.rnn for lap in long])
        slopes = {"attention": f"{of_attention:.2f}", "rnn": f"{of_rnn:.2f}"}
        factors = {"attention_times": f"{2**of_attention:.1f}", "rnn_times": f"{2**of_rnn:.1f}"}
        shown.say(t, "race_growth", start=n[0], end=n[-1], **slopes, **factors)
    figure = race_chart(
        laps,
        names=(t("race.rnn"), t("race.attention")),
        titles=(t("race.length"), t("race.milliseconds")),
        font=frame.font(),
        zoom=presenter.zoom(),
        palette=frame.palette(),
    )
    chart("why-race", figure)


def _ratio(value: float) -> str:
    return f"{value:.2f}" if value < 0.995 else f"{value:.1f}"

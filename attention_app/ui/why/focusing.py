"""Card 5: what content words and function words receive in the layers of the real model."""

from __future__ import annotations

import numpy as np
import streamlit as st

from attention_app.components.blocks import bars
from attention_app.figures.received import ReceivedTexts, received_chart
from attention_app.text import Text
from attention_app.ui import cache, frame, pictures, presenter, shown
from attention_app.ui.charts import chart
from attention_app.ui.lesson import Lesson
from attention_app.ui.terms import explain
from attention_app.ui.why.card import card, share, times
from attention_core.errors import InputError
from attention_core.focus import Kind, exceptions, kind, mean_of, received
from attention_core.sources import SOURCES, Settings
from attention_core.trace import FloatArray


def show(t: Text, lesson: Lesson) -> None:
    real = SOURCES["real"]
    terms = explain(t, "real_model", "special_token", "not_explanation")
    with card(t, "focus", terms, layers=real.n_layers, heads=real.n_heads):
        kinds = [kind(word) for word in lesson.words]
        if not {"content", "function"} <= set(kinds):
            shown.say(t, "focus_one_kind")
            return
        try:
            attention = cache.word_attention(lesson.words, "real", Settings())
        except InputError as error:  # more pieces than the real model takes, while another source shows the sentence
            st.info(t(f"error.{error.key}", **error.values))
            return
        each = received(attention.weights)  # (n_layers, n)
        _notice(t, lesson, each, kinds, float(attention.special.sum(axis=-1).mean()))
        if pictures.revealed():
            _chart(t, lesson, each, kinds)
            _words(t, lesson, each, kinds)
        shown.source(t, "why-focus", received, exceptions, kind)


def _notice(t: Text, lesson: Lesson, each: FloatArray, kinds: list[Kind], special: float) -> None:
    content, function = (mean_of(each, kinds, which) for which in ("content", "function"))  # (n_layers,)
    ratio = float(content.mean() / function.mean())
    shown.notice(
        t,
        "focus_content" if ratio >= 1 else "focus_function",
        layers=len(each),
        content=share(float(content.mean())),
        function=share(float(function.mean())),
        ratio=times(max(ratio, 1 / ratio)),
        last=times(float(content[-1] / function[-1])),
        special=share(special),
    )
    if not pictures.revealed():
        return
    comma = t("between.names")
    against = [str(layer + 1) for layer in np.flatnonzero(function > content)]
    if against:
        shown.say(t, "focus_layers", layers=comma.join(against))
    else:
        shown.say(t, "focus_every_layer")
    odd = exceptions(each, kinds)
    groups = [(which, [lesson.labels[at] for at in odd if kinds[at] == which]) for which in ("function", "content")]
    for which, names in groups:
        if names:
            shown.say(t, f"focus_odd_{which}", words=comma.join(names))


def _chart(t: Text, lesson: Lesson, each: FloatArray, kinds: list[Kind]) -> None:
    texts = ReceivedTexts(
        content=t("focus.content"),
        function=t("focus.function"),
        layer=t("focus.layer"),
        weight=t("focus.weight"),
        hover=t.entries["focus.hover"],
        font=frame.font(),
    )
    figure = received_chart(
        each,
        lesson.labels,
        kinds,
        decimals=max(3, pictures.decimals()),
        zoom=presenter.zoom(),
        texts=texts,
        palette=frame.palette(),
    )
    chart("why-focus", figure)


def _words(t: Text, lesson: Lesson, each: FloatArray, kinds: list[Kind]) -> None:
    """Every word by what it receives over all layers; the exceptions stand out."""
    mean = each.mean(axis=0)  # (n,)
    odd, top = exceptions(each, kinds), float(mean.max())
    lines = [
        shown.bar(
            lesson.labels[at],
            float(mean[at]) / top,
            [t(f"focus.kind_{kinds[at]}"), share(float(mean[at]))],
            at=at,
            strong=at in odd,
        )
        for at in np.argsort(-mean, kind="stable").tolist()
    ]
    title = t("focus.words", layers=len(each))
    st.markdown(f"**{title}**")
    bars("received", [], lines, columns=[t("focus.kind"), t("focus.share")], texts={"title": title})

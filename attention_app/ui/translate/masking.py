"""Card 3: the decoder looks at what it has said, and what would leak without the mask."""

from __future__ import annotations

import numpy as np
import streamlit as st

from attention_app.components.grid import grid
from attention_app.figures.numbers import whole
from attention_app.labels import labels
from attention_app.text import Text
from attention_app.ui import pictures, shown, state
from attention_app.ui.terms import explain
from attention_app.ui.translate import cache
from attention_app.ui.translate.now import Now
from attention_core.masks import causal_mask
from attention_core.translator import Translator, target_words

_VIEW = ("title", "rows", "columns", "point", "cell", "later", "masked")


def show(t: Text, now: Now) -> None:
    with shown.card("translate-mask", t("card.mask.title"), t("card.mask.idea"), explain(t, "mask", "self_attention")):
        st.toggle(t("translate.unmasked"), key="unmasked")
        unmasked = bool(state.get("unmasked"))
        run = cache.run(now.lesson.words, now.run.pieces, masked=not unmasked)
        _notice(t, now, unmasked)
        words = target_words(run) if unmasked else now.words
        weights = now.of_head(words.self_attention)  # (n_inputs, n_inputs)
        names = labels(words.inputs)
        grid(
            "translate-mask",
            names,
            names,
            whole(weights) if pictures.revealed() else [0] * weights.size,
            taken=[stop for _, stop in words.input_spans],
            future="open" if unmasked else "hidden",
            decimals=pictures.decimals(),
            hidden=not pictures.revealed(),
            texts={name: t.entries[f"mask.{name}"] for name in _VIEW},
        )
        shown.source(t, "translate-mask", causal_mask, Translator.read)


def _notice(t: Text, now: Now, unmasked: bool) -> None:
    if unmasked:
        run = cache.run(now.lesson.words, now.run.pieces, masked=False)
        weights = now.of_head(run.self_attention)  # (n, n)
        ahead = float(np.triu(weights, 1).sum(axis=1)[:-1].mean()) if now.n > 1 else 0.0
        sure, before = (float(np.exp(np.log(one.chosen).mean())) for one in (run, now.run))
        shown.notice(
            t, "leak", ahead=shown.number(ahead), sure=shown.number(sure), before=shown.number(before), count=now.n
        )
        return
    weights = now.of_head(now.run.self_attention)
    row = weights[now.step, : now.step + 1]
    best = int(row.argmax())
    shown.notice(
        t,
        "mask_first" if now.step == 0 else "mask" if now.step < now.n - 1 else "mask_last",
        query=now.inputs[now.step],
        produced=now.outputs[now.step],
        key=now.inputs[best],
        number=shown.number(float(row[best])),
        count=now.step + 1,
        later=now.n - now.step - 1,
    )

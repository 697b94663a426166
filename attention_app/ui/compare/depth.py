"""Layer by layer, how alike the chosen word's vectors on both sides are."""

from __future__ import annotations

import numpy as np

from attention_app.figures.depth import DepthTexts, Series, depth_chart
from attention_app.figures.finished import Finished
from attention_app.text import Text
from attention_app.ui import cache, frame, pictures, presenter, shown
from attention_app.ui.charts import chart
from attention_app.ui.compare.sides import Both, Side
from attention_core.comparison import cosine_per_layer, word_vectors
from attention_core.trace import FloatArray


def applies(both: Both) -> bool:
    """Whether two inputs of the real model are compared and the word has a partner."""
    return both.upper.source == "real" and both.versus != "heads" and both.partner is not None


def show(t: Text, both: Both) -> None:
    """The card; nothing where it does not apply."""
    if not applies(both) or both.partner is None:
        return
    with shown.card("compare-depth", t("card.depth.title"), t("card.depth.idea")):
        own = _likeness(both, (both.word, both.partner))
        others = [
            _likeness(both, pair)
            for pair in both.pairs
            if pair[0] != both.word and both.upper.words[pair[0]].text == both.lower.words[pair[1]].text
        ]
        _notice(t, both, own)
        palette = frame.palette()
        series = [Series(both.upper.labels[both.word], own, palette.query, solid=True)]
        if others:
            series.append(Series(t("depth.others"), np.mean(others, axis=0), palette.soft, solid=False))
        if pictures.revealed():
            texts = DepthTexts(t("depth.layer"), t("depth.cosine"), t("depth.input"), frame.font())
            figure = depth_chart(
                series, decimals=pictures.decimals(), zoom=presenter.zoom(), texts=texts, palette=palette
            )
            chart("compare-depth", Finished(*figure))
        shown.source(t, "compare-depth", word_vectors, cosine_per_layer)


def _likeness(both: Both, pair: tuple[int, int]) -> FloatArray:
    return cosine_per_layer(_vectors(both.upper, pair[0]), _vectors(both.lower, pair[1]))


def _vectors(side: Side, word: int) -> FloatArray:
    run = cache.encoder_run(side.words)
    return word_vectors(run.hidden, run.alignment.spans[word])


def _notice(t: Text, both: Both, own: FloatArray) -> None:
    query = both.upper.labels[both.word]
    other = both.lower.labels[both.partner or 0]
    least, drops = int(own.argmin()), np.diff(own)
    steepest = int(drops.argmin())
    values: dict[str, object] = {
        "query": query,
        "key": other,
        "start": shown.number(float(own[0])),
        "end": shown.number(float(own[-1])),
    }
    if drops[steepest] >= 0:
        shown.notice(t, "depth_steady", **values)
        return
    values |= {"layer": steepest + 1, "fall": shown.number(float(-drops[steepest]))}
    if least == 0:
        shown.notice(t, "depth_grow", **values)
        return
    shown.notice(
        t,
        "depth",
        lowest=shown.number(float(own[least])),
        place=least,
        **values,
    )

"""Both heatmaps, and the difference between them."""

from __future__ import annotations

import streamlit as st

from attention_app.figures.difference import DifferenceTexts, difference_heatmap
from attention_app.figures.finished import Finished
from attention_app.figures.heatmap import (
    NUMBERS_UP_TO,
    HeatmapTexts,
    HeatmapView,
    attention_heatmap,
    heatmap_width,
)
from attention_app.text import Text
from attention_app.ui import frame, pictures, presenter, shown
from attention_app.ui.charts import chart
from attention_app.ui.compare.sides import Both, Side

Figure = tuple[list[dict[str, object]], dict[str, object]]


def difference(t: Text, both: Both) -> None:
    with shown.card("compare-difference", t("card.difference.title"), t("card.difference.idea")):
        if both.pairs:
            _difference(t, both)
        else:
            shown.say(t, "no_pairs")


def sides(t: Text, both: Both) -> None:
    """Both heatmaps, beside each other where they fit."""
    with st.container(border=True, key="card-compare-maps"):
        st.subheader(t("card.maps.title"), anchor=False)
        st.caption(t("card.maps.idea"))
        columns = st.columns(2) if fits_half(both) else (st.container(), st.container())
        for which, side, word, column in zip(
            ("upper", "lower"), (both.upper, both.lower), (both.word, both.partner), columns, strict=True
        ):
            with column:
                _heatmap(t, which, side, word)


def fits_half(both: Both) -> bool:
    """Whether a heatmap of these sentences fits half of the page."""
    longest = max(len(both.upper.words), len(both.lower.words))
    return longest <= NUMBERS_UP_TO - 3 and not presenter.on()


def _heatmap(t: Text, which: str, side: Side, word: int | None) -> None:
    explore = frame.text("explore")
    place = {"layer": side.layer + 1, "head": side.head + 1}
    shown.heading(t(f"row.{which}_{'place' if side.source == 'real' else 'plain'}", **place))
    figure = attention_heatmap(
        side.map.weights,
        side.map.special,
        side.labels,
        side.map.special_names,
        view=HeatmapView(
            word, pictures.decimals(), numbers=pictures.revealed(), zoom=presenter.zoom(), asked=_asked(word)
        ),
        texts=HeatmapTexts(
            row_title=t("term.query_axis"),
            column_title=t("term.key_axis"),
            hover=explore.entries["explore.picture.hover"],
            hover_special=explore.entries["explore.picture.hover_special"],
            hover_removed="",
            removed="",
            hidden=pictures.HIDDEN,
            font=frame.font(),
        ),
        palette=frame.palette(),
    )
    _chart(f"compare-{which}", figure, heatmap_width(side.labels, len(side.map.special_names)))


def _difference(t: Text, both: Both) -> None:
    labels = [
        upper if upper == lower else f"{upper}→{lower}"
        for upper, lower in ((both.upper.labels[a], both.lower.labels[b]) for a, b in both.pairs)
    ]
    figure = difference_heatmap(
        both.difference,
        labels,
        chosen=both.row,
        decimals=pictures.decimals(),
        numbers=pictures.revealed(),
        zoom=presenter.zoom(),
        texts=DifferenceTexts(
            row_title=t("term.query_axis"),
            column_title=t("term.key_axis"),
            hover=t.entries["difference.hover"],
            font=frame.font(),
        ),
        palette=frame.palette(),
    )
    _chart("compare-difference", figure, heatmap_width(labels, 0, decimals=pictures.decimals() + 1))


def _chart(key: str, figure: Figure, widths: tuple[int, int]) -> None:
    least, most = (round(width * presenter.zoom()) for width in widths)
    chart(key, Finished(*figure), least=least, most=most)


def _asked(word: int | None) -> int | None:
    return None if pictures.revealed() else word

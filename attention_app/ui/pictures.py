"""From a lesson to what is drawn: puts numbers, labels and texts together for the figures and components."""

from __future__ import annotations

import streamlit as st

from attention_app.components.row import Bar, Said, row
from attention_app.figures.heatmap import NUMBERS_UP_TO, HeatmapTexts, attention_heatmap, heatmap_width
from attention_app.readings import row_reading
from attention_app.text import Text
from attention_app.ui import frame, state
from attention_app.ui.lesson import Lesson
from attention_core.measures import ranked, sharpest_row

_ROLES = {"query": "query", "key": "key", "key2": "key"}


def side_by_side(lesson: Lesson) -> bool:
    """Whether heatmap and row fit beside each other."""
    return len(lesson.rows) <= NUMBERS_UP_TO


def heatmap(t: Text, lesson: Lesson) -> None:
    """The heatmap of the chosen head, with what a row and a column are."""
    names = lesson.map.special_names
    st.caption(t("explore.picture.how_special" if names else "explore.picture.how"))
    texts = HeatmapTexts(
        row_title=t("term.query_axis"),
        column_title=t("term.key_axis"),
        hover=t.entries["explore.picture.hover"],
        hover_special=t.entries["explore.picture.hover_special"],
        font=frame.font(),
    )
    figure = attention_heatmap(
        lesson.map.weights,
        lesson.map.special,
        lesson.rows,
        names,
        chosen=lesson.row,
        decimals=decimals(),
        texts=texts,
        palette=frame.palette(),
    )
    least, most = heatmap_width(len(lesson.rows), len(names))
    st.html(f"<style>.st-key-heatmap > * {{ min-width: {least}px; max-width: {most}px; }}</style>")
    with st.container(key="heatmap"):
        st.plotly_chart(figure, theme=None, key="heatmap-chart", config={"displayModeBar": False, "scrollZoom": False})


def ranked_row(t: Text, lesson: Lesson) -> None:
    """The chosen word's row: one sentence computed from its numbers, and every key ranked by weight."""
    picture, index = lesson.map, shown_row(lesson)
    weights, special = picture.weights[index], picture.special[index]
    bars: list[Bar] = []
    for entry in ranked(weights, special):
        names = picture.special_names if entry.special else lesson.rows
        kind = t("explore.row.special") if entry.special else t("explore.row.position", position=entry.place + 1)
        bars.append(
            {
                "label": names[entry.place],
                "note": kind,
                "weight": round(entry.weight, 4),
                "number": number(entry.weight),
                "special": entry.special,
            }
        )
    total = weights.sum() + special.sum()
    if special.size:
        shown = {"words": number(weights.sum()), "special": number(special.sum())}
        sums = t("explore.row.total", total=number(total), **shown)
    else:
        sums = t("explore.row.total_plain", total=number(total))
    row(_said(t, lesson), bars, title=t("explore.row.title"), total=sums)


def shown_row(lesson: Lesson) -> int:
    """The row that is read out: the locked word's, else the sharpest one."""
    return int(sharpest_row(lesson.map.weights)) if lesson.row is None else lesson.row


def decimals() -> int:
    return int(str(state.get("decimals")))


def number(weight: float) -> str:
    return f"{weight:.{decimals()}f}"


def place(t: Text, lesson: Lesson) -> str:
    """Where the numbers come from, as the beginning of a sentence: layer and head, or the heads that are averaged."""
    key = "mean" if len(lesson.heads) > 1 else lesson.attention.source
    return t(f"explore.place.{key}", layer=lesson.layer + 1, head=lesson.head + 1, count=len(lesson.heads))


def _said(t: Text, lesson: Lesson) -> list[Said]:
    picture, index = lesson.map, shown_row(lesson)
    reading = row_reading(picture, index)
    values = {name: number(value) for name, value in reading.numbers.items()}
    for name, place_of in reading.indices.items():
        if name == "token":
            values[name] = picture.special_names[place_of]
        elif name != "query" and place_of == index:
            values[name] = t("explore.row.self")
        else:
            values[name] = lesson.rows[place_of]
    values["place"] = place(t, lesson)
    return [
        {"text": part.text, "role": _ROLES.get(part.name, "number" if part.name in reading.numbers else "")}
        for part in t.parts(f"explore.say.{reading.key}", **values)
    ]

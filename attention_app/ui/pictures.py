"""From a lesson to what is drawn: puts numbers, labels and texts together for the figures and components."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from attention_app.components.bridge import bridge
from attention_app.components.lines import Numbers, Said, View
from attention_app.components.lines import lines as show_lines
from attention_app.components.row import Bar, row
from attention_app.components.table import table as show_table
from attention_app.figures import numbers
from attention_app.figures.finished import Finished
from attention_app.figures.heatmap import (
    NUMBERS_UP_TO,
    HeatmapTexts,
    HeatmapView,
    attention_heatmap,
    heatmap_width,
    special_places,
)
from attention_app.readings import MOST, RowReading, column_reading, row_reading, special_note
from attention_app.text import Part, Text
from attention_app.ui import frame, presenter, state
from attention_app.ui.charts import chart
from attention_app.ui.lesson import Lesson
from attention_core.measures import Ranked, ranked, sharpest_row

HIDDEN = numbers.HIDDEN
SPACE = "▁"  # in a piece of the real model
HALF = 570  # px: the width of a picture that has the row card beside it, on a page of full width
_ROLES = {"query": "query", "query2": "query", "key": "key", "key2": "key"}


def side_by_side(lesson: Lesson) -> bool:
    """Whether heatmap and row fit beside each other."""
    return len(lesson.rows) <= NUMBERS_UP_TO and _widths(lesson)[0] <= HALF


def lines(t: Text, lesson: Lesson) -> None:
    """All words in a line with arcs from who looks to who is looked at, and the sentence in plain words."""
    given: Numbers = {
        "labels": list(lesson.rows),
        "specials": list(lesson.map.special_names),
        "weights": numbers.whole(lesson.map.weights),
        "special": numbers.whole(lesson.map.special),
    }
    view: View = {
        "chosen": lesson.row,
        "direction": direction(),
        "decimals": decimals(),
        "least": int(str(state.get("least"))),
        "numbers": revealed(),
    }
    texts = {key: t.entries[f"lines.{key}"] for key in ("item", "separator", "capped", "nothing")}
    texts["group"] = t(f"lines.group_{direction()}")
    texts["option"] = t.entries[f"lines.option_{direction()}"]
    aid = "guess" if not revealed() else "free" if lesson.word is None else direction()
    touch = "aid" if aid == "guess" else "touch"  # nothing to point at
    texts |= {"aid": t(f"lines.aid_{aid}"), "touch": t(f"lines.{touch}_{aid}"), "scrolls": t("lines.scrolls")}
    show_lines(given, view, said(t, lesson), texts, on_pick=lambda index: _pick(lesson, index))


def heatmap(t: Text, lesson: Lesson) -> None:
    """The heatmap of the chosen head, with what a row and a column are."""
    names = lesson.map.special_names
    hidden = hides_special(lesson)
    how = "options.how_hidden" if hidden else "explore.picture.how_special" if names else "explore.picture.how"
    mark = lesson.unfolded and any(SPACE in piece for piece in lesson.rows)
    st.caption(t(how))
    if mark:
        st.caption(t("options.unfolded.mark"))
    hover = "options.unfolded" if lesson.unfolded else "explore.picture"
    texts = HeatmapTexts(
        row_title=t("term.query_axis"),
        column_title=t("term.key_axis"),
        hover=t.entries[f"{hover}.hover"],
        hover_special=t.entries[f"{hover}.hover_special"],
        hover_removed=t.entries["options.hover_removed"],
        removed=t("options.removed"),
        hidden=HIDDEN,
        font=frame.font(),
    )
    by_column = direction() == "in"
    by_row_scale = state.get("scale") == "row"
    traces, layout = attention_heatmap(
        lesson.map.weights,
        lesson.map.special,
        lesson.rows,
        names,
        removed=lesson.map.removed if hidden else None,
        view=HeatmapView(lesson.row, decimals(), by_column, by_row_scale, revealed(), presenter.zoom(), asked(lesson)),
        texts=texts,
        palette=frame.palette(),
    )
    least, most = _widths(lesson)
    chart("heatmap", Finished(traces, layout), least=least, most=most)
    bridge(
        "heatmap",
        special_places(len(lesson.rows), len(names)),
        len(lesson.rows),
        lesson.row,
        by_column=by_column,
        texts={
            "label": t("lines.grid"),
            "hint": t("lines.grid_hint"),
            "touch": t("lines.grid_touch"),
            "reading": t.entries["lines.reading"],
            "hidden": HIDDEN,
            "low": "0",
            "high": t("options.scale_top") if by_row_scale else "1",
        },
        on_pick=lambda index: _pick(lesson, index),
    )


def row_title(t: Text) -> str:
    return t("explore.row.title" if direction() == "out" else "lines.column_title")


def ranked_row(t: Text, lesson: Lesson) -> None:
    """The chosen word's row, or its column: every word ranked by weight, and what they add up to.

    While the numbers are hidden, the words stand as they were read, all bars empty.
    """
    index, by_column = shown_row(lesson), direction() == "in"
    position = "options.unfolded.position" if lesson.unfolded else "explore.row.position"
    bars: list[Bar] = []
    entries, shown, number_of = _ranked(lesson), revealed(), numbers_now()
    if not shown:
        entries = tuple(sorted(entries, key=_reading_order))
    for entry in entries:
        names = lesson.map.special_names if entry.special else lesson.rows
        kind = t("explore.row.special") if entry.special else t(position, position=entry.place + 1)
        bars.append(
            {
                "at": -1 - entry.place if entry.special else entry.place,
                "label": names[entry.place],
                "note": kind,
                "weight": round(entry.weight, 4) if shown else 0,
                "number": number_of(entry.weight),
                "special": entry.special,
            }
        )
    arrow = f"{place(t, lesson)} {'→ ' if by_column else ''}{lesson.rows[index]}{'' if by_column else ' →'}"
    removed = float(lesson.map.removed[index])
    row(
        bars,
        of=index,
        by_column=by_column,
        total=_total(t, lesson),
        warning=t("options.small_part", removed=number(removed)) if removed > MOST and not by_column else "",
        heading=arrow if revealed() else "",
        texts={
            "title": row_title(t),
            "copy": t("lines.copy"),
            "copied": t("lines.copied"),
            "rest": t.entries["lines.rest"],
            "fewer": t.entries["lines.fewer"],
        },
    )
    st.page_link("pages/steps.py", label=t("how.row"), icon=":material/calculate:")
    if len(lesson.heads) > 1:
        st.caption(t("how.one_of", layer=lesson.layer + 1, head=lesson.head + 1))


def table(t: Text) -> None:
    """The whole matrix as a table, folded."""
    with st.expander(t("lines.table"), icon=":material/table:"):
        corner = t("lines.table_corner")
        show_table({"caption": t("lines.table_caption"), "corner": corner, "hidden": HIDDEN})


def said(t: Text, lesson: Lesson) -> list[Said]:
    """The sentence in plain words about the shown row or column; while the numbers are hidden, the question instead."""
    index, by_column = shown_row(lesson), direction() == "in"
    if not revealed():
        role = "key" if by_column else "query"
        asked = t.parts(f"lines.guess_{direction()}", place=place(t, lesson), word=lesson.rows[index])
        return [{"text": part.text, "role": role if part.name == "word" else ""} for part in asked]
    read = column_reading if by_column else row_reading
    reading = read(lesson.map, index, decimals())
    parts: list[Part] = []
    numeric = {"removed", "mass", *reading.numbers}
    if lesson.word is None:
        parts += t.parts(f"lines.say.unlocked_{direction()}")
    parts += _sentence(t, lesson, reading, index)
    note = None if by_column else special_note(lesson.map, index)
    if note and reading.key != "nothing":
        parts += t.parts(f"lines.say.{note[0]}", mass=number(note[1]))
    return [
        {"text": part.text, "role": _ROLES.get(part.name, "number" if part.name in numeric else "")} for part in parts
    ]


def shown_row(lesson: Lesson) -> int:
    """The row that is read out, or the column: the locked word's, else the one that holds the largest weight."""
    if lesson.row is not None:
        return lesson.row
    weights = lesson.map.weights
    return int(sharpest_row(weights if direction() == "out" else weights.T))


def direction() -> str:
    """ "out": a word's row, at whom it looks; "in": its column, who looks at it."""
    return str(state.get("direction"))


def decimals() -> int:
    return int(str(state.get("decimals")))


def revealed() -> bool:
    """Whether numbers are shown; a class that guesses first hides them."""
    return bool(state.get("numbers"))


def asked(lesson: Lesson) -> int | None:
    """The row (or in the other direction the column) that a class still guesses: no picture may show it."""
    return None if revealed() else shown_row(lesson)


def hides_special(lesson: Lesson) -> bool:
    """Whether the source has special tokens that are not shown."""
    return bool(lesson.attention.special_names) and not lesson.map.special_names


def number(weight: float, *, least: int = 0) -> str:
    """A weight as it is shown now, with at least so many decimals."""
    return numbers.number(weight, max(least, decimals())) if revealed() else HIDDEN


def numbers_now() -> Callable[[float], str]:
    """`number` for hundreds of weights: how they are shown is asked once."""
    shown = decimals()
    return (lambda weight: numbers.number(weight, shown)) if revealed() else (lambda _: HIDDEN)


def place(t: Text, lesson: Lesson) -> str:
    """Where the numbers come from, as the beginning of a sentence: layer and head, or the heads that are averaged."""
    return t(f"explore.place.{lesson.place}", layer=lesson.layer + 1, head=lesson.head + 1, count=len(lesson.heads))


def _widths(lesson: Lesson) -> tuple[int, int]:
    other = len(lesson.map.special_names) + hides_special(lesson)
    least, most = heatmap_width(lesson.rows, other, decimals=decimals())
    return round(least * presenter.zoom()), round(most * presenter.zoom())


def _ranked(lesson: Lesson) -> tuple[Ranked, ...]:
    picture, index = lesson.map, shown_row(lesson)
    if direction() == "in":
        return ranked(picture.weights[:, index])
    return ranked(picture.weights[index], picture.special[index])


def _reading_order(entry: Ranked) -> tuple[int, int]:
    """The first special token, the words, the other special tokens."""
    return (0 if entry.special and entry.place == 0 else 2 if entry.special else 1), entry.place


def _total(t: Text, lesson: Lesson) -> str:
    picture, index = lesson.map, shown_row(lesson)
    if direction() == "in":
        return t("lines.column_total", total=number(picture.weights[:, index].sum()))
    weights, special = picture.weights[index], picture.special[index]
    total = number(weights.sum() + special.sum())
    if special.size:
        return t("explore.row.total", total=total, words=number(weights.sum()), special=number(special.sum()))
    if picture.removed[index] > 0:
        return t("options.total_hidden", total=total, removed=number(picture.removed[index]))
    return t("explore.row.total_plain", total=total)


def _sentence(t: Text, lesson: Lesson, reading: RowReading, index: int) -> list[Part]:
    values = {name: number(value) for name, value in reading.numbers.items()}
    looked = "query" if direction() == "out" else "key"
    for name, place_of in reading.indices.items():
        if name == "token":
            values[name] = lesson.map.special_names[place_of]
        elif name != looked and place_of == index:
            values[name] = t("explore.row.self")
        else:
            values[name] = lesson.rows[place_of]
    values["place"] = place(t, lesson)
    if reading.key.startswith("special_tied"):
        values["tokens"] = t("explore.say.tokens", first=lesson.map.special_names[0], last=lesson.map.special_names[-1])
    prefix = "explore.say" if f"explore.say.{reading.key}" in t.entries else "lines.say"
    return t.parts(f"{prefix}.{reading.key}", **values)


def _pick(lesson: Lesson, index: int) -> None:
    """Lock the word a row belongs to; the row that is already locked lets go."""
    state.put("word", 0 if index == lesson.row else lesson.word_of_row(index) + 1)

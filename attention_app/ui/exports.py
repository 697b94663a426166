"""带走: what is on the screen as pictures, data, a page of its own and a link. A file is made when somebody clicks."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from attention_app.components.copy import copy_link
from attention_app.components.png import BUTTON_WIDTH, png
from attention_app.text import Text
from attention_app.ui import classroom, frame, pictures, presenter, state
from attention_app.ui.lesson import Lesson
from attention_app.ui.taken import Taken


def panel(lesson: Lesson) -> None:
    """The card with everything that can be taken along; a projector shows none."""
    if presenter.on():
        return
    t = frame.text("exports")
    taken = take(lesson)
    with st.container(border=True, key="card-take"):
        st.subheader(t("take.title"), anchor=False)
        st.caption(t("take.lead"))
        left, files, link = st.columns([1.25, 0.9, 1], gap="medium")
        with left:
            _heading(t, "pictures")
            _pictures(t, taken)
        with files:
            _heading(t, "data")
            with st.container(horizontal=True):
                _file(t, "csv", "CSV", taken.file_name("data", ".csv"), "text/csv", taken.csv)
                _file(t, "json", "JSON", taken.file_name("data", ".json"), "application/json", taken.json)
            _heading(t, "page")
            _file(t, "page", t("take.page_name"), taken.file_name("data", ".html"), "text/html", taken.html)
        with link:
            _heading(t, "link")
            st.caption(t("take.link_help"))
            words = {name: t(f"take.copy.{name}") for name in ("field", "button", "done", "failed")}
            # A teacher's own 127.0.0.1 means nothing on a pupil's phone.
            copy_link(words, origin=classroom.address() if classroom.is_open() else "")  # type: ignore[arg-type]


def take(lesson: Lesson) -> Taken:
    """This run's screen with all that its files need."""
    return Taken(
        lesson=lesson,
        t=frame.text("exports"),
        palettes=(frame.palette(), frame.palette_of("light"), frame.palette_of("dark")),
        font=frame.font(),
        special=bool(state.get("special")),
        direction=pictures.direction(),
        decimals=pictures.decimals(),
        least=int(str(state.get("least"))) / 100,
        by_row=state.get("scale") == "row",
        numbers=pictures.revealed(),
        said="".join(part["text"] for part in pictures.said(frame.text("explore"), lesson)),
    )


def _pictures(t: Text, taken: Taken) -> None:
    attention = taken.lesson.attention
    count = attention.n_layers * attention.n_heads
    made: dict[str, Callable[[], str]] = {"arcs": taken.arcs, "heatmap": taken.heatmap}
    if count > 1:
        made["heads"] = taken.heads
    for kind, make in made.items():
        title = t(f"take.picture.{kind}", count=count)
        words = {key: t(f"take.png.{key}", picture=title) for key in ("button", "name", "busy", "failed")}
        # Not columns: a phone keeps the three beside each other.
        with st.container(horizontal=True, wrap=False, vertical_alignment="center", gap="small"):
            st.markdown(title, width="stretch")
            png(f"png-{kind}", words, file_name=taken.file_name(kind, ".png"), make_svg=make)  # type: ignore[arg-type]
            _file(t, f"svg-{kind}", "SVG", taken.file_name(kind, ".svg"), "image/svg+xml", make, width=BUTTON_WIDTH)


def _file(
    t: Text,
    name: str,
    label: str,
    file_name: str,
    mime: str,
    make: Callable[[], str | bytes],
    width: int | str = "content",
) -> None:
    tip = f"take.{name}_help"
    st.download_button(
        label,
        make,
        file_name=file_name,
        mime=mime,
        key=f"take-{name}",
        on_click="ignore",
        help=t(tip) if tip in t.entries else None,
        width=width,  # type: ignore[arg-type]
    )


def _heading(t: Text, name: str) -> None:
    st.markdown(f"**{t(f'take.{name}')}**")

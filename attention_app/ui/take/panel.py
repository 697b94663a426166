"""The card at the end of a lesson that offers its files."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from attention_app.ui import presenter
from attention_app.ui.take import bundle, page, program
from attention_app.ui.take.kept import Take


def panel(take: Take) -> None:
    """What the page has of program, matrices and page; a projector shows none."""
    if presenter.on():
        return
    t, make_program = take.t, take.program
    with st.container(border=True, key="card-take"):
        st.subheader(t("take.title"), anchor=False)
        st.caption(t("take.lead"))
        run, numbers, screen = st.columns(3, gap="medium")
        if make_program:
            with run:
                _file(take, "program", ".zip", "application/zip", lambda: program.zipped(make_program()))
        with numbers if make_program else run:
            _file(take, "matrices", ".zip", "application/zip", lambda: bundle.zipped(take))
        if take.sections:
            with screen:
                what = "page" if take.whole else "part"
                _file(take, "page", ".html", "text/html", lambda: page.html(take), said=what)


def _file(
    take: Take, kind: str, suffix: str, mime: str, make: Callable[[], str | bytes], *, said: str | None = None
) -> None:
    t = take.t
    name, label = take.file_name(kind, suffix), t(f"take.get.{kind}")
    with st.container(height="stretch", vertical_alignment="distribute"):  # the buttons of all files stand in a line
        with st.container():
            st.markdown(f"**{t(f'take.{kind}')}**")
            st.caption(t(f"take.says.{said or kind}"))
        st.download_button(label, make, name, mime, key=f"take-{kind}", icon=":material/download:", on_click="ignore")

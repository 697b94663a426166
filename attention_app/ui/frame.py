"""What stands around every page: the guard, language, look, notes, and the net under unexpected errors."""

from __future__ import annotations

import logging
from dataclasses import asdict
from pathlib import Path
from typing import Any, Literal

import streamlit as st
from streamlit.navigation.page import StreamlitPage

from attention_app.components import send_code
from attention_app.components.address import follow_address
from attention_app.components.intro import intro
from attention_app.components.reconnect import follow_connection
from attention_app.components.theme import follow_theme
from attention_app.components.wording import follow_wording
from attention_app.figures.palette import Palette
from attention_app.text import LANGUAGES, Text, load
from attention_app.ui import classroom, presenter, state

_LANGUAGE_NAMES = {"zh": "中文", "en": "English"}
_HERE = Path(__file__).parent
_OPTIONS = {  # role in our palette -> slot of Streamlit's theme
    "ink": "textColor",
    "soft": "grayColor",
    "line": "borderColor",
    "paper": "secondaryBackgroundColor",
    "query": "orangeColor",
    "key": "blueColor",
    "minus": "violetColor",
    "plus": "yellowColor",
}
_LOG = logging.getLogger(__name__)


def ensure(path: str) -> None:
    """First line of a page: send a visitor whose link opened the page file alone through app.py.

    Until some session has run st.navigation, Streamlit executes a deep-linked file of pages/ without app.py.
    """
    if not st.session_state.get("_framed"):
        st.session_state["_want"] = path
        st.switch_page("app.py", query_params=st.query_params.to_dict())


def run(sections: dict[str, list[str]]) -> None:
    """Draw the frame and the page asked for. sections: name -> stems of files in pages/; the first one is the start."""
    st.session_state["_framed"] = True
    state.begin()
    t = load("common", language())
    st.set_page_config(page_title=t("app.title"), page_icon=str(_HERE / "icon.svg"), layout="wide")
    stems = [stem for stems in sections.values() for stem in stems]
    pages = {stem: st.Page(f"pages/{stem}.py", title=t(f"page.{stem}"), default=stem == stems[0]) for stem in stems}
    page = st.navigation(
        {t(f"section.{section}"): [pages[stem] for stem in stems] for section, stems in sections.items()},
        position="top",
    )
    want = st.session_state.pop("_want", None)
    if want and pages[Path(want).stem] is not page:
        st.switch_page(want, query_params=st.query_params.to_dict())
    _dress()
    _run_safely(page, t)
    _show_notes(t)
    state.publish()
    # A page that is run without app.py next time must notice it.
    st.session_state["_framed"] = False


def language() -> str:
    return str(state.get("lang"))


def text(page: str) -> Text:
    return load(page, language())


def title(t: Text, page: str) -> None:
    """The page's name, one quiet line below it, what can be done anywhere beside it; then room for the notes.

    While presenting the keys stand beside the name instead: the screen belongs to the lesson.
    """
    words, presenting = text("frame"), presenter.on()
    with st.container(horizontal=True, vertical_alignment="center" if presenting else "bottom", key="title"):
        with st.container(horizontal=presenting, vertical_alignment="center"):
            width: Literal["content", "stretch"] = "content" if presenting else "stretch"
            st.title(t(f"{page}.title"), anchor=False, width=width)
            st.markdown(t(f"{page}.present") if presenting else t(f"{page}.lead"), width=width)
        with st.container(horizontal=True, vertical_alignment="center", width="content", gap="xsmall", key="actions"):
            _actions(words)
            st.segmented_control(
                words("app.language"),
                LANGUAGES,
                format_func=_LANGUAGE_NAMES.__getitem__,
                key="lang",
                required=True,
                label_visibility="collapsed",
            )
    st.session_state["_room_for_notes"] = st.container()


def _show_notes(t: Text) -> None:
    """What was wrong in the link. Some of it is known only when the page has used it, below its title."""
    room = st.session_state.pop("_room_for_notes", None)  # none if the page ended before its title
    if room and (notes := state.take_notes()):
        room.warning("  \n".join(_note_text(t, note) for note in notes), icon=":material/link:")


def _actions(t: Text) -> None:
    def button(name: str, icon: str, **options: Any) -> bool:
        help_text = t(f"action.{name}_help") if f"action.{name}_help" in t.entries else None
        return st.button(
            t(f"action.{name}"),
            key=f"action-{name}",
            icon=f":material/{icon}:",
            help=help_text,
            type="tertiary",
            **options,
        )

    asked = state.recall("intro_asked") or 0
    if classroom.is_open() and button("classroom", "qr_code_2"):
        classroom.show(t)
    if presenter.on():
        button("leave", "close_fullscreen", on_click=presenter.toggle)
    else:
        button("present", "present_to_all", on_click=presenter.toggle)
        button("reset", "restart_alt", on_click=state.reset)
        if button("intro", "help"):
            asked = int(str(asked)) + 1
            state.remember("intro_asked", asked)
    steps = [{"title": t(f"intro.step{i}.title"), "text": t(f"intro.step{i}.text")} for i in (1, 2, 3)]
    intro(steps, t.table("intro.buttons"), asked=int(str(asked)), shared=bool(state.recall("shared")))


def _note_text(t: Text, note: state.Note) -> str:
    param = note.param
    limits = {"low": param.low, "high": param.high, "default": param.default}
    key = "only_value" if note.key == "out_of_range" and param.low == param.high else note.key
    return t(f"note.{key}", name=t(f"param.{param.name}"), **limits)


def palette() -> Palette:
    """The colours of the theme the visitor sees."""
    return palette_of(_theme())


def font() -> str:
    return str(st.get_option("theme.font"))


def _theme() -> str:
    return st.context.theme.type or "light"


def palette_of(theme: str) -> Palette:
    """The colours of "light" or "dark", from .streamlit/config.toml."""
    return Palette(**{role: st.get_option(f"theme.{theme}.{option}") for role, option in _OPTIONS.items()})


def _dress() -> None:
    """The page's own style sheet; its variables take the theme's colours and follow a switch at once."""
    light, dark = asdict(palette_of("light")), asdict(palette_of("dark"))
    colors = "".join(f"--{role}:light-dark({light[role]},{dark[role]});" for role in _OPTIONS)
    sheets = ["look.css", "present.css"] if presenter.on() else ["look.css"]
    rules = "".join((_HERE / sheet).read_text("utf-8") for sheet in sheets)
    st.html(f"<style>:root{{{colors}}}{rules}</style>")
    send_code()
    follow_address()
    follow_theme(_theme(), language())
    words = text("frame")
    follow_connection(words.table("frame.connection"))
    _translate(words)


def _translate(t: Text) -> None:
    """Streamlit's own words: the English texts are what it says itself."""
    table = "frame.streamlit"
    ours = t.table(table)
    known = [load("frame", language) for language in LANGUAGES]
    words = {said.table(table)[name]: ours[name] for said in known for name in ours}
    follow_wording(words, t.entries["frame.helped"], [said.entries["frame.helped"] for said in known])


def _run_safely(page: StreamlitPage, t: Text) -> None:
    """A learner never sees a traceback: it is logged here, and what was typed stays in the session."""
    try:
        page.run()
    except Exception:
        _LOG.exception("The page %s failed", page.title)
        st.error(t("app.oops"), icon=":material/error:")

"""给我代码: the lines that compute this picture, the command that prints the same, and the source of the functions."""

from __future__ import annotations

import inspect
import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Any

import streamlit as st

import attention_core
from attention_app.ui import frame, presenter, state
from attention_app.ui.lesson import Lesson
from attention_core.attention import multi_head_attention, scaled_dot_product_attention
from attention_core.attention_map import attention_map
from attention_core.ops import softmax
from attention_core.sources import Settings, e5, source_info
from attention_core.sources.e5_forward import forward
from attention_core.sources.source_trace import embed
from attention_core.words import format_words
from attention_core.words.alignment import word_level

_ROOT = Path(attention_core.__file__).parents[1]
_ALWAYS = (softmax, scaled_dot_product_attention, multi_head_attention)


def panel(lesson: Lesson) -> None:
    """The folded card; its content is made only while it is open."""
    if presenter.on():
        return
    t = frame.text("exports")
    card = st.container(border=True, key="card-code")
    folded = card.expander(
        f"**{t('code.title')}**", icon=":material/code:", type="compact", key="code", on_change="rerun"
    )
    if not folded.open:
        return
    with folded:
        st.markdown(t("code.lead"))
        special, direction = bool(state.get("special")), str(state.get("direction"))
        st.code(snippet(lesson, state.settings(), special=special, direction=direction), wrap_lines=True)
        st.markdown(t("code.command"))
        st.code(command(lesson, state.settings()), language="bash", wrap_lines=True)
        if len(lesson.heads) > 1 or lesson.unfolded or (not special and lesson.attention.special_names):
            st.caption(t("code.command_raw", layer=lesson.layer + 1, head=lesson.head + 1))
        st.markdown(t("code.sources"))
        if lesson.attention.source == "real":
            st.caption(t("code.fast"))
        _sources(lesson)


def snippet(lesson: Lesson, settings: Settings, *, special: bool, direction: str) -> str:
    """A short program that prints the row (or column) of the picture; Python quotes what a person typed."""
    heads = ", ".join(f"({layer}, {head})" for layer, head in lesson.heads)
    spoken = ", ".join(f"layer {layer + 1} head {head + 1}" for layer, head in lesson.heads[:3])
    spoken += f" and {len(lesson.heads) - 3} more" if len(lesson.heads) > 3 else ""
    source = lesson.attention.source
    core = ["attend", "parse_words"] + (["Settings"] if source != "real" else [])
    core = [name for name in core if not (name == "attend" and lesson.unfolded)]
    lines = [f"from attention_core import {', '.join(sorted(core, key=str.swapcase))}"]
    lines += ["from attention_core.attention_map import attention_map"]
    if lesson.unfolded:
        lines += ["from attention_core.sources import e5"]
    lines += ["", f"words = parse_words({format_words(lesson.words)!r})"]
    if lesson.unfolded:
        lines += ["attention = e5.piece_attention(e5.load_model().run(words))  # between the model's pieces"]
    elif source == "real":
        lines += ["attention = attend(words)"]
    else:
        used = ", ".join(f"{name}={getattr(settings, name)!r}" for name in source_info(source).settings)
        lines += [f"attention = attend(words, {source!r}, Settings({used}))"]
    lines += [
        f"# Counted from 0 here: {spoken}.",
        f"picture = attention_map(attention, [{heads}], show_special={special})",
        "",
    ]
    return "\n".join([*lines, *_printing(lesson, direction)]) + "\n"


def _printing(lesson: Lesson, direction: str) -> list[str]:
    names = "names = [word.text for word in attention.words]"
    if lesson.row is None:
        return [
            names,
            "for name, weights, special in zip(names, picture.weights, picture.special):",
            '    print(name, *(f"{weight:.6f}" for weight in [*weights, *special]))',
        ]
    if direction == "in":
        return [
            names,
            f"column = {lesson.row}",
            "for name, weight in zip(names, picture.weights[:, column]):",
            '    print(f"{name} looks at {names[column]}: {weight:.6f}")',
        ]
    return [
        "names = [word.text for word in attention.words] + list(picture.special_names)",
        f"row = {lesson.row}",
        "for name, weight in zip(names, [*picture.weights[row], *picture.special[row]]):",
        '    print(f"{names[row]} looks at {name}: {weight:.6f}")',
    ]


def command(lesson: Lesson, settings: Settings) -> str:
    """The command line that prints the raw weights of the chosen head."""
    source = lesson.attention.source
    parts = ["python", "-m", "attention_core", "attend", f"--words={format_words(lesson.words)}"]
    if source != "real":
        parts += ["--source", source]
        for name in source_info(source).settings:
            value, option = getattr(settings, name), name.replace("_", "-")
            if isinstance(value, bool):
                parts += [f"--{option}"] if value else []
            else:
                parts += [f"--{option}", str(value)]
    parts += ["--layer", str(lesson.layer + 1), "--head", str(lesson.head + 1)]
    return shlex.join(parts)


def functions(lesson: Lesson) -> tuple[Callable[..., Any], ...]:
    """The functions that made the picture, in the order of the computation."""
    if lesson.attention.source != "real":
        return (embed, *_ALWAYS, attention_map)
    last = e5.piece_attention if lesson.unfolded else word_level
    return (*_ALWAYS, forward, last, attention_map)


def _sources(lesson: Lesson) -> None:
    for function in functions(lesson):
        name = inspect.unwrap(function).__name__
        path = Path(inspect.getsourcefile(function) or "").relative_to(_ROOT).as_posix()
        with st.expander(f"**{name}** · {path}", type="compact", key=f"source-{name}"):
            st.code(inspect.getsource(function), wrap_lines=False)

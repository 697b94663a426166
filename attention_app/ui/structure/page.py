"""The page around the panels: the sentence, the drawing, and the panel of the open box beside it."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from attention_app.boxes import BOXES
from attention_app.components.diagram import Box, Ends, diagram, neighbours
from attention_app.components.keys import keys
from attention_app.text import Text
from attention_app.ui import lesson_cards, presenter, shown, state
from attention_app.ui.lesson import Lesson
from attention_app.ui.structure import (
    attention,
    decoder,
    embedding,
    encoder,
    feed_forward,
    masks,
    norm,
    positions,
    spoken,
)
from attention_app.ui.structure.now import Now
from attention_app.ui.terms import explain
from attention_core.sources import SOURCES
from attention_core.words.pieces import END, START

PANEL = "structure-panel"
DRAWING = "card-structure-drawing"
_PANELS: dict[str, Callable[[Text, Now], None]] = {
    "embedding": embedding.show,
    "positions": positions.show,
    "attention": attention.show,
    "norm_attn": norm.after_attention,
    "ffn": feed_forward.show,
    "norm_ffn": norm.after_ffn,
    "encoder": encoder.show,
    "target": decoder.embedding,
    "target_positions": decoder.positions,
    "masked": masks.show,
    "norm_masked": decoder.norm_masked,
    "cross": decoder.cross,
    "norm_cross": decoder.norm_cross,
    "target_ffn": decoder.feed_forward,
    "norm_target": decoder.norm_ffn,
    "decoder": decoder.whole,
    "linear": decoder.scores,
    "softmax": decoder.chances,
}
_DEEPER = {  # box -> the pages that go deeper
    "embedding": ("steps",),
    "positions": ("steps",),
    "attention": ("qkv", "multihead", "steps"),
    "norm_attn": ("multihead",),
    "masked": ("steps",),
    "cross": ("translate", "qkv"),
    "decoder": ("translate",),
    "softmax": ("steps", "translate"),
}


def source(t: Text, lesson: Lesson, now: Now) -> None:
    """Which block of the real model is shown; another source has no whole encoder, and the page says so."""
    if lesson.source == "real":
        lesson_cards.source(t, lesson, t("structure.source", layer=now.layer + 1, head=now.head + 1))
        return
    with st.container(horizontal=True, vertical_alignment="center", key="structure-other-source"):
        st.markdown(t("structure.other_source", source=t(f"source.{lesson.source}")))
        st.button(t("structure.to_real"), key="structure-real", on_click=lambda: state.put("source", "real"))


def parts(t: Text, now: Now) -> None:
    """The drawing, and beside it (on a phone below) what is behind the open box."""
    with st.container(horizontal=True, vertical_alignment="center", key="structure-options"):
        lesson_cards.numbers(t)
    left, right = st.columns([1, 1.25], gap="medium")
    with left.container(border=True, key=DRAWING):
        _drawing(t, now)
    with right:
        _panel(t, now)


def listen(lesson: Lesson) -> None:
    """A presenter's keys: boxes, words, numbers, the way out."""
    if not presenter.on():
        return
    keys(
        {
            "ArrowLeft": lambda: _go(-1),
            "ArrowRight": lambda: _go(1),
            **presenter.up_and_down(lesson),
            **presenter.common_actions(),
        }
    )


def _drawing(t: Text, now: Now) -> None:
    n, d, d_ff = now.n, now.d_model, now.block.ffn_act.shape[1]
    words = spoken.words("target")
    n_q, size = len(words) + 1, len({word.text for word in words}) + 1
    shapes = {name: f"{n if at <= BOXES.index('encoder') else n_q} × {d}" for at, name in enumerate(BOXES)}
    shapes |= {"linear": f"{n_q} × {size}", "softmax": f"{n_q} × {size}", "encoder": "", "decoder": ""}
    shapes |= {"ffn": f"{n} × {d} → {d_ff} → {d}", "target_ffn": f"{n_q} × {d} → {d_ff} → {d}"}
    boxes: dict[str, Box] = {
        name: {"label": _label(t, name), "shape": shapes[name], "step": t(f"box.{name}.step")} for name in BOXES
    }
    said = [word.text for word in words]
    ends: Ends = {
        "source": " ".join([START, *(word.text for word in now.lesson.words), END]),
        "target": " ".join([START, *said]),
        "out": " ".join([*said, END]),
        "note": t("structure.example") if _unrelated(now) else "",
    }
    diagram(
        boxes,
        _open(),
        ends,
        panel=f"card-{PANEL}",
        card=DRAWING,
        present=presenter.on(),
        texts={**t.table("structure.player"), "untrained": t("badge.untrained")},
        on_box=lambda name: state.put("box", name),
    )


def _unrelated(now: Now) -> bool:
    """Whether the decoder still has the sentence that goes with the first one, while another is read."""
    same = "".join(word.text for word in now.lesson.words) == state.DEFAULT_SENTENCE
    return not same and state.get("target") == state.SCHEMA["target"].default


def _panel(t: Text, now: Now) -> None:
    name = _open()
    with shown.card(PANEL, _label(t, name), t(f"box.{name}.why"), _terms(t, name)):
        if name in BOXES[: BOXES.index("encoder") + 1]:
            _pieces(t, now)
        _PANELS[name](t, now)
        for page in _DEEPER.get(name, ()):
            st.page_link(f"pages/{page}.py", label=t(f"page.{page}"), icon=":material/arrow_forward:")
        with st.container(horizontal=True, horizontal_alignment="distribute", key="structure-foot"):
            for side, other in zip(("previous", "next"), neighbours(name), strict=True):
                _turn(t, side, other)


def _pieces(t: Text, now: Now) -> None:
    """Where the model cut the chosen word: which of its pieces the numbers are about."""
    start, stop = now.run.alignment.spans[now.word]
    if stop - start > 1:
        word, pieces = now.lesson.labels[now.word], " · ".join(now.names[start:stop])
        shown.say(t, "pieces", word=word, count=stop - start, pieces=pieces, piece=now.query)


def _turn(t: Text, side: str, other: str | None) -> None:
    if other:
        st.button(
            t(f"structure.{side}", name=_label(t, other)),
            key=f"structure-{side}",
            icon=":material/arrow_back:" if side == "previous" else ":material/arrow_forward:",
            icon_position="left" if side == "previous" else "right",
            on_click=lambda: state.put("box", other),
        )


def _label(t: Text, name: str) -> str:
    return t(f"box.{name}.label", count=SOURCES["real"].n_layers)


def _open() -> str:
    return str(state.get("box"))


def _go(by: int) -> None:
    """The next box on the data's way; nothing beyond the first and the last one."""
    at = BOXES.index(_open()) + by
    if 0 <= at < len(BOXES):
        state.put("box", BOXES[at])


def _terms(t: Text, name: str) -> str:
    """The terms of the field that a box is about."""
    match name:
        case "embedding" | "target":
            return explain(t, "embedding", "token", "d_model")
        case "positions" | "target_positions":
            return explain(t, "positional_encoding")
        case "attention":
            return explain(t, "self_attention", "multi_head", "head")
        case "masked":
            return explain(t, "mask", "self_attention")
        case "cross":
            return explain(t, "cross_attention", "query", "key", "value")
        case "ffn" | "target_ffn":
            return explain(t, "feed_forward")
        case "encoder":
            return explain(t, "encoder", "real_model", "layer")
        case "decoder":
            return explain(t, "decoder", "untrained", "seed")
        case "linear" | "softmax":
            return explain(t, "softmax", "projection")
        case _:
            return explain(t, "residual", "layer_norm")

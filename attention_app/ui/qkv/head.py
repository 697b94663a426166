"""Card 5, the way back: the same three roles inside one head, for the chosen word of the learner's own sentence."""

from __future__ import annotations

import numpy as np
import streamlit as st

from attention_app.components.scene import SceneRow, scene
from attention_app.text import Text
from attention_app.ui import lesson_cards, pictures, presenter, shown
from attention_app.ui.lesson import Lesson
from attention_app.ui.positions import Positions, positions
from attention_app.ui.terms import explain
from attention_core.attention import scaled_dot_product_attention
from attention_core.sources import training
from attention_core.trace import AttentionTrace, FloatArray

IN_FRONT = 10  # rows that stand there before somebody asks for all


def show(t: Text, lesson: Lesson) -> None:
    lesson_cards.sentence(t, lesson)
    lesson_cards.source(t, lesson, t(f"head.from.{lesson.source}", layer=lesson.layer + 1, head=lesson.head + 1))
    trace, now = lesson.layer_trace.attention, positions(lesson)
    terms = explain(t, "query", "key", "value", "head")
    idea = "plain_idea" if training(lesson.source, lesson.settings) == "plain" else "idea"
    with shown.card("qkv-head", t("card.head.title", word=now.names[now.at]), t(f"card.head.{idea}"), terms):
        _picture(t, trace, now)
        weights = trace.attn_weights[lesson.head, now.at]  # (n,)
        best = int(weights.argmax())
        shown.notice(
            t,
            "head",
            query=now.names[now.at],
            key=now.names[best],
            score=shown.number(float(trace.scaled_scores[lesson.head, now.at, best])),
            weight=pictures.number(float(weights[best])),
        )
        d_head = trace.q.shape[-1]
        shown.say(t, "same", d_head=d_head, root=f"{np.sqrt(d_head):.2f}")
        if not presenter.on():
            st.page_link("pages/steps.py", label=t("head.steps"), icon=":material/calculate:")
        shown.source(t, "qkv-head", scaled_dot_product_attention)


def _picture(t: Text, trace: AttentionTrace, now: Positions) -> None:
    head = now.lesson.head
    q, k, v = trace.q[head, now.at], trace.k[head], trace.v[head]  # (d_head,), (n, d_head), (n, d_head)
    weights, scores = trace.attn_weights[head, now.at], trace.scaled_scores[head, now.at]  # each (n,)
    revealed = pictures.revealed()
    texts = {name: t(f"head.{name}") for name in ("query", "key", "score", "weight", "value", "fewer")}
    lengths = (scores - scores.min()) / max(float(np.ptp(scores)), 1e-12) if len(scores) > 1 else np.ones(1)
    rows: list[SceneRow] = []
    for at, name in enumerate(now.names):
        numbers = {"score": shown.number(float(scores[at])), "weight": pictures.number(float(weights[at]))}
        rows.append(
            {
                "key": name,
                "value": "",
                "reach": float(lengths[at]) if revealed else 0.0,
                "share": float(weights[at]) if revealed else 0.0,
                "spoken": t("head.spoken", key=name, **numbers),
                "at": now.places[at],
                "k": _hundredths(k[at], k),
                "v": _hundredths(v[at], v),
                **numbers,  # type: ignore[typeddict-item]
            }
        )
    rest = 1 - float(np.sort(weights)[-IN_FRONT:].sum())
    scene(
        "qkv-head",
        "head",
        {"text": now.names[now.at], "vector": _hundredths(q, q)},
        rows,
        texts={**texts, "more": t("head.more", count=len(rows) - IN_FRONT, rest=pictures.number(max(rest, 0.0)))},
        hidden=not revealed,
        first=IN_FRONT if len(rows) > IN_FRONT and revealed else None,
    )


def _hundredths(vector: FloatArray, among: FloatArray) -> list[int]:
    """A vector for small bars, the largest number among all being 100."""
    numbers: list[int] = np.rint(vector / max(float(np.abs(among).max()), 1e-12) * 100).astype(int).tolist()
    return numbers

"""Card 2: the values mixed by weight, how far the mixture lies from each, and the answer somebody would give."""

from __future__ import annotations

from attention_app.components.shares import Part, shares
from attention_app.text import Text
from attention_app.ui import pictures, shown
from attention_app.ui.qkv.search import Search
from attention_core.retrieve import retrieve


def show(t: Text, now: Search) -> None:
    trace = now.trace
    with shown.card("qkv-mixture", t("card.mixture.title"), t("card.mixture.idea", d_model=trace.k.shape[1])):
        revealed = pictures.revealed()
        weights = [float(weight) for weight in trace.attn_weights]
        farthest = max(float(trace.distances.max()), 1e-12)
        parts: list[Part] = [
            {
                "name": value,
                "weights": [pictures.number(weight)],
                "numbers": [shown.number(float(distance)), shown.number(float(cosine))],
                "reach": float(distance) / farthest if revealed else 0.0,
            }
            for value, weight, distance, cosine in zip(
                trace.values, weights, trace.distances, trace.cosines, strict=True
            )
        ]
        equal = [1 / len(weights)] * len(weights)
        shares(
            "qkv-mixture",
            "value",
            [{"label": "", "chosen": True, "parts": weights if revealed else equal}],
            parts,
            columns=[t(f"mixture.{name}") for name in ("value", "weight", "distance", "cosine")],
            texts={**part_texts(t, "mixture.title"), "answer": t("mixture.answer")},
            hidden=not revealed,
            answer=trace.values[now.best] if revealed else pictures.HIDDEN,
        )
        near = int(trace.distances.argmin())
        shown.notice(
            t,
            "mixture",
            value=trace.values[near],
            distance=shown.number(float(trace.distances[near])),
            cosine=shown.number(float(trace.cosines[near])),
        )
        shown.say(t, "honest")
        shown.source(t, "qkv-mixture", retrieve)


def part_texts(t: Text, title: str) -> dict[str, str]:
    """What the bars of weights need beside their numbers."""
    comma, colon = t("between.parts"), t("between.name_and_text")
    return {"title": t(title), "part": t.entries["mixture.part"], "comma": comma, "colon": colon}

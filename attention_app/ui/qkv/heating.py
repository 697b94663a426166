"""Card 4: the same scores at several temperatures, each as one bar of 100 %."""

from __future__ import annotations

from attention_app.components.shares import Part, Whole, shares
from attention_app.text import Text
from attention_app.ui import pictures, shown, state
from attention_app.ui.qkv.mixing import part_texts
from attention_app.ui.qkv.search import Search
from attention_core.ops import softmax
from attention_core.retrieve import TEMPERATURE

COMPARED = ("0.005", "0.01", "0.05", "1")


def show(t: Text, now: Search) -> None:
    with shown.card("qkv-heat", t("card.heat.title"), t("card.heat.idea")):
        chosen = str(state.get("tau"))
        temperatures = sorted({*COMPARED, chosen}, key=float)
        scores = now.trace.scores
        each = [softmax(scores / float(one)) for one in temperatures]  # (n,) for each temperature
        revealed = pictures.revealed()
        wholes: list[Whole] = [
            {
                "label": t("heat.label", temperature=one),
                "chosen": one == chosen,
                "parts": weights.tolist() if revealed else [1 / len(scores)] * len(scores),
            }
            for one, weights in zip(temperatures, each, strict=True)
        ]
        parts: list[Part] = [
            {
                "name": name,
                "weights": [pictures.number(float(weights[at])) for weights in each],
                "numbers": [],
                "reach": 0,
            }
            for at, name in enumerate(now.names)
        ]
        shares(
            "qkv-heat",
            "key",
            wholes,
            parts,
            texts=part_texts(t, "heat.title"),
            hidden=not revealed,
            on_choose=lambda place: state.put("tau", temperatures[place]),
        )
        flat = softmax(scores)  # (n,): no temperature
        shown.notice(
            t,
            "heat",
            low=shown.number(float(flat.min())),
            high=shown.number(float(flat.max())),
            own=f"{TEMPERATURE:g}",
        )
        shown.source(t, "qkv-heat", softmax)

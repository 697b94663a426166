"""In which head the two rows lie furthest apart."""

from __future__ import annotations

import numpy as np

from attention_app.components.headgrid import Head, headgrid
from attention_app.text import Text
from attention_app.ui import pictures, shown, state
from attention_app.ui.compare.sides import Both
from attention_core.comparison import row_change
from attention_core.trace import FloatArray

_FIRST = 5  # heads that are named


def show(t: Text, both: Both) -> None:
    """Nothing for a source with one head, and none where the word has no partner."""
    changes = both.changes()
    if changes is None or changes.size == 1:
        return
    key = "heads" if both.versus == "heads" else "sides"
    with shown.card("compare-ranking", t(f"card.ranking.title_{key}"), t(f"card.ranking.idea_{key}")):
        _notice(t, both, changes, key)
        top = max(float(changes.max()), 1e-12)
        revealed = pictures.revealed()
        chosen = both.lower if both.versus == "heads" else both.upper
        headgrid(
            "headgrid",
            changes / top if revealed else np.zeros_like(changes),
            [[shown.number(float(change)) for change in row] for row in changes],
            chosen=(chosen.layer, chosen.head),
            off=(),
            texts={
                "title": t(f"card.ranking.title_{key}"),
                "corner": t("ranking.corner"),
                "cell": t.entries["ranking.cell"],
                "cell_off": "",
                "line": "",
                "column": "",
            },
            on_heads=lambda heads: _choose(both.versus, heads[0]),
        )
        shown.source(t, "compare-ranking", row_change)


def _choose(versus: str, head: Head) -> None:
    """The other head where two heads are compared, else the head of both sides. In a callback only."""
    names = ("other_layer", "other_head") if versus == "heads" else ("layer", "head")
    for name, number in zip(names, head, strict=True):
        state.put(name, number + 1)
    if versus != "heads":
        state.put("mean", "")


def _notice(t: Text, both: Both, changes: FloatArray, key: str) -> None:
    order = np.argsort(-changes, axis=None, kind="stable")[:_FIRST]
    listed = []
    for place in order:
        layer, head = divmod(int(place), changes.shape[1])
        change = shown.number(float(changes[layer, head]))
        listed.append(t("ranking.item", layer=layer + 1, head=head + 1, change=change))
    query = both.upper.labels[both.word]
    mean = shown.number(float(changes.mean()))
    shown.notice(t, f"ranking_{key}", query=query, list=t("between.names").join(listed), mean=mean)

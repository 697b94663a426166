"""Card 4: the cross-attention of every head at once, to choose one from."""

from __future__ import annotations

import numpy as np

from attention_app.components.tiles import tiles
from attention_app.text import Text
from attention_app.ui import pictures, shown, state
from attention_app.ui.terms import explain
from attention_app.ui.translate.now import Now
from attention_core.translator import fold


def show(t: Text, now: Now) -> None:
    """A map for every head of every layer, the mean of the layer in front; while numbers are hidden they are empty."""
    with shown.card(
        "translate-heads", t("card.heads.title"), t("card.heads.idea"), explain(t, "head", "mean_of_heads")
    ):
        weights = fold(now.run.cross_attention, now.spans, now.run.source.spans)  # (n_layers, n_heads, n, n_source)
        maps = np.concatenate([weights.mean(axis=1, keepdims=True), weights], axis=1)
        tiles(
            maps if pictures.revealed() else np.zeros_like(maps),
            (now.layer, 0 if now.head is None else now.head + 1),
            texts={name: t.entries[f"tiles.{name}"] for name in ("title", "mean", "head")},
            on_tile=_choose,
        )


def _choose(layer: int, tile: int) -> None:
    state.put("decoder_layer", layer + 1)
    state.put("decoder_head", tile)

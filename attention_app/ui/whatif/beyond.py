"""Beside the raw weights: what two other readings of attention say about the same word."""

from __future__ import annotations

import numpy as np

from attention_app.components import matrix
from attention_app.components.matrix import Matrix
from attention_app.text import Text
from attention_app.ui import cache, shown
from attention_app.ui.terms import explain
from attention_app.ui.whatif.effect import Effect
from attention_core.attribution import rollout, value_weighted, value_weighted_together
from attention_core.words.alignment import word_level


def show(t: Text, now: Effect) -> None:
    """The chosen word of the sentence as it was: four rows over the same keys, each with the sum 1."""
    values = {"layer": now.layer + 1, "head": now.head + 1}
    with shown.card(
        "whatif-beyond", t("card.beyond.title"), t("card.beyond.idea", **values), explain(t, "not_explanation")
    ):
        run = now.before
        trace = cache.layer_trace(run.words, now.layer)
        n = len(run.pieces)
        spans = [(0, 1), *run.alignment.spans, (n - 1, n)]
        picture = now.picture(after=False)
        raw = np.concatenate([picture.special[now.word, :1], picture.weights[now.word], picture.special[now.word, 1:]])
        own = value_weighted(trace, spans)[now.head, now.word + 1]
        together = value_weighted_together(trace, spans)[now.word + 1]
        words, special = word_level(rollout(run.attn_weights)[now.layer], run.alignment)
        reached = np.concatenate([special[now.word, :1], words[now.word], special[now.word, 1:]])
        rows = np.array([raw, own / own.sum(), together / together.sum(), reached])
        names = ("raw", "value", "together", "rollout")
        columns = [picture.special_names[0], *now.old, picture.special_names[1]]
        most = [columns[1:-1][int(row[1:-1].argmax())] for row in rows]
        rolled = rows[-1]
        held, left = float(raw[0] + raw[-1]), float(rows[1, 0] + rows[1, -1])
        shown.notice(
            t,
            "beyond_less" if left < held else "beyond",
            query=now.old[now.word],
            key=most[0],
            special=shown.number(held),
            key2=most[1],
            special2=shown.number(left),
            rolled=shown.number(float(rolled[0] + rolled[-1])),
            top=shown.number(float(rolled[1:-1].max())),
        )
        if not now.same:
            shown.say(t, "beyond_before")
        matrix.single(
            Matrix(
                t("beyond.matrix", word=now.old[now.word]),
                rows,
                rows=[t(f"beyond.{name}") for name in names],
                columns=columns,
                kind="weights",
            ),
            **shown.matrix_options("whatif-beyond"),
        )
        shown.source(t, "whatif-beyond", value_weighted, value_weighted_together, rollout)

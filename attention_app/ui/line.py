"""One sentence as a line of `components/pairing`: its words, and what one of them looks at."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from attention_app.components.pairing import Line, Look
from attention_app.ui import pictures, shown
from attention_core.attention_map import AttentionMap
from attention_core.trace import FloatArray


def line(title: str, names: Sequence[str], picture: AttentionMap, word: int | None) -> Line:
    """The words under their names, the row of `word` (from 0) as bars; None: nobody looks, all bars are empty."""

    def looks(labels: Sequence[str], rows: FloatArray) -> list[Look]:
        row = np.zeros(len(labels)) if word is None else rows[word]
        return [
            {
                "label": label,
                "weight": min(1.0, round(float(weight), 4)) if pictures.revealed() else 0.0,
                "number": "" if word is None else shown.number(float(weight)),
            }
            for label, weight in zip(labels, row, strict=True)
        ]

    ends = looks(picture.special_names, picture.special)
    words = looks(names, picture.weights)
    return {"title": title, "words": words, "before": ends[:1], "after": ends[1:], "chosen": word}

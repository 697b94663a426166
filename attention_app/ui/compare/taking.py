"""What can be taken along from 比一比: both maps and their difference."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from attention_app.components.matrix import Matrix
from attention_app.text import Text
from attention_app.ui import frame
from attention_app.ui.compare.sides import Both, Side
from attention_app.ui.lesson import Lesson
from attention_app.ui.take import Take


def take(t: Text, lesson: Lesson, both: Both) -> Take:
    """The page as it is in this run."""
    upper, lower = both.upper, both.lower
    at = f"{upper.layer + 1}-{upper.head + 1}"
    return Take(
        name="compare",
        t=frame.text("take"),
        lesson=lesson,
        place=t(f"compare.versus_{both.versus}"),
        at=f"{at}_{lower.layer + 1}-{lower.head + 1}" if both.versus == "heads" else at,
        sections=(),
        whole=False,
        matrices=lambda: list(matrices(t, both)),
    )


def matrices(t: Text, both: Both) -> Iterator[Matrix]:
    """Both maps with their special tokens, then lower minus upper between the pairs, then how far each head moved."""
    for name, side in (("upper", both.upper), ("lower", both.lower)):
        yield _map(t(f"take.{name}"), side)
    if both.pairs:
        rows = [both.upper.labels[a] for a, _ in both.pairs]
        yield Matrix(t("take.difference"), both.difference, rows=rows, columns=rows)
    changes = both.changes()
    if changes is not None:
        yield Matrix(t("take.heads", word=both.upper.labels[both.word]), changes)


def _map(name: str, side: Side) -> Matrix:
    whole = np.concatenate([side.map.special[:, :1], side.map.weights, side.map.special[:, 1:]], axis=1)
    special = side.map.special_names
    return Matrix(name, whole, rows=side.labels, columns=[*special[:1], *side.labels, *special[1:]], kind="weights")

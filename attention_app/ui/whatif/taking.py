"""What can be taken along from 动手改: the chosen head before and after, and how far everything moved."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from attention_app.components.matrix import Matrix
from attention_app.text import Text
from attention_app.ui import frame
from attention_app.ui.lesson import Lesson
from attention_app.ui.take import Take
from attention_app.ui.whatif import effect
from attention_app.ui.whatif.effect import Effect


def take(t: Text, lesson: Lesson, now: Effect) -> Take:
    """The page as it is in this run; both runs of the model are found again in the cache, or made again."""
    plan = now.plan
    return Take(
        name="whatif",
        t=frame.text("take"),
        lesson=lesson,
        place=t("whatif.from", layer=now.layer + 1, head=now.head + 1),
        at=f"{now.layer + 1}-{now.head + 1}",
        sections=(),
        whole=False,
        matrices=lambda: list(matrices(t, effect.of(lesson, plan))),
    )


def matrices(t: Text, now: Effect) -> Iterator[Matrix]:
    """The chosen head's map before and after, then 1 - cosine of each word's vector at every depth."""
    for name, after, labels in (("before", False, now.old), ("after", True, now.new)):
        picture = now.picture(after)
        first, last = picture.special_names
        whole = np.concatenate([picture.special[:, :1], picture.weights, picture.special[:, 1:]], axis=1)
        yield Matrix(t(f"rows.{name}"), whole, rows=labels, columns=[first, *labels, last], kind="weights")
    if now.pairs and not now.same:
        rows = [now.old[a] for a, _ in now.pairs]
        depths = [t("ripple.input"), *map(str, range(1, now.ripples.shape[1]))]
        yield Matrix(t("moved.distance"), now.ripples, rows=rows, columns=depths)

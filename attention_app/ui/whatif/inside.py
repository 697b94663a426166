"""From the chosen head upwards: its Z, what it adds, what the block hands on, before and after the changes."""

from __future__ import annotations

import numpy as np

from attention_app.components.blocks import Bar, bars
from attention_app.text import Text
from attention_app.ui import pictures, shown
from attention_app.ui.whatif.effect import Effect
from attention_app.ui.whatif.results import FINE
from attention_core.changes import head_output
from attention_core.contributions import cosines, sizes
from attention_core.sources.e5 import EncoderRun, load_model
from attention_core.trace import FloatArray


def show(t: Text, now: Effect) -> None:
    """Nothing while nothing is changed, and none for a word that is gone."""
    if now.same or now.partner is None:
        return
    values = {"word": now.old[now.word], "layer": now.layer + 1, "head": now.head + 1}
    with shown.card("whatif-inside", t("card.inside.title", **values), t("card.inside.idea", **values)):
        before, after = _vectors(now, now.before, now.word), _vectors(now, now.after, now.partner)
        listed = [_bar(t(f"inside.{name}", **values), before[name], after[name]) for name in before]
        columns = [t("inside.length"), t("moved.cosine")]
        bars("inside", [], listed, columns=columns, texts={"title": t("card.inside.title", **values)})
        shown.source(t, "whatif-inside", head_output)


def _vectors(now: Effect, run: EncoderRun, word: int) -> dict[str, FloatArray]:
    """The word's vectors on the way, each the mean over its pieces."""
    made = head_output(load_model(), run, now.layer, now.head)
    start, stop = run.alignment.spans[word]
    stages = {"z": made.z, "part": made.part, "out": made.out}
    if now.layer + 2 < len(run.hidden):
        stages["next"] = run.hidden[now.layer + 2]
    return {name: vectors[start:stop].astype(np.float64).mean(axis=0) for name, vectors in stages.items()}


def _bar(label: str, before: FloatArray, after: FloatArray) -> Bar:
    cosine = float(cosines(before[None], after[None])[0])
    known = not np.isnan(cosine)  # a head that is off adds nothing, which points nowhere
    lengths = " → ".join(shown.number(float(sizes(vector))) for vector in (before, after))
    number = pictures.number(cosine, least=FINE) if known and cosine >= 0 else shown.number(cosine) if known else "—"
    return shown.bar(label, min(1.0, 1 - cosine) if known else 1.0, [lengths, number])

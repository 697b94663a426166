"""Card 2: cross-attention, the words that are produced against the words of the source."""

from __future__ import annotations

from attention_app.components.grid import grid
from attention_app.figures.numbers import whole
from attention_app.text import Text
from attention_app.ui import pictures, shown
from attention_app.ui.terms import explain
from attention_app.ui.translate.now import Now, facts
from attention_core.translator import fold, target_words

_VIEW = ("title", "rows", "columns", "point", "cell", "later")


def show(t: Text, now: Now) -> None:
    with shown.card(
        "translate-cross", t("card.cross.title"), t("card.cross.idea"), explain(t, "cross_attention", "mean_of_heads")
    ):
        shown.say(t, "row_is")
        weights = now.cross(now.spans)  # (n_targets, n_source_words)
        _notice(t, now)
        grid(
            "translate-cross",
            now.targets,
            now.lesson.labels,
            whole(weights) if pictures.revealed() else [0] * weights.size,
            taken=[stop for _, stop in now.spans],
            chosen=now.lesson.word,
            decimals=pictures.decimals(),
            hidden=not pictures.revealed(),
            texts={name: t.entries[f"cross.{name}"] for name in _VIEW},
        )
        alignment = facts()["alignment"]
        shown.say(
            t, "aligned", layer=alignment["best layer"], pairs=alignment["pairs"], share=f"{alignment['share']:.0%}"
        )
        shown.source(t, "translate-cross", target_words, fold)


def _notice(t: Text, now: Now) -> None:
    """The chosen word of the source, and what became of it; else the surest pair."""
    if not now.words.spans:
        shown.say(t, "no_word")
        return
    weights = now.cross(now.words.spans)  # (n_words, n_source_words)
    chosen = now.lesson.word
    column = int(weights.max(axis=0).argmax()) if chosen is None else chosen
    row = int(weights[:, column].argmax())
    best = int(weights[row].argmax())
    values = {
        "place": _place(t, now),
        "query": now.targets[row],
        "key": now.lesson.labels[column],
        "number": shown.number(float(weights[row, column])),
    }
    if best == column:
        shown.notice(t, "cross", **values)
    else:
        own = {"key2": now.lesson.labels[best], "own": shown.number(float(weights[row, best]))}
        shown.notice(t, "cross_lost", **values, **own)


def _place(t: Text, now: Now) -> str:
    """Layer and head, or the mean, as the beginning of a sentence."""
    if now.head is None:
        return t("translate.of_mean", layer=now.layer + 1)
    return t("translate.of_head", layer=now.layer + 1, head=now.head + 1)

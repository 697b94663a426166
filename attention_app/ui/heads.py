"""Which head: layer and head in one row, shortcuts to heads that do one thing, and all of them as small maps."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import streamlit as st

from attention_app.components.maps import maps
from attention_app.figures.thumbnails import MOST_CELLS, STEPS
from attention_app.readings import MOST
from attention_app.text import Text
from attention_app.ui import cache as runs
from attention_app.ui import frame, pictures, state
from attention_app.ui.lesson import Lesson
from attention_app.ui.terms import explain
from attention_core.head_facts import SHOWN, HeadFacts, Question, head_facts

PARTICLES = "了/着/过"
_TEXTS = (
    "name",
    "short",
    "stop",
    "row",
    "column",
    "one",
    "several",
    "only",
    "many",
    "many_hint",
    "many_help",
    "peak",
    "corner",
)


def layer_and_head(t: Text, lesson: Lesson) -> None:
    """Layer and head, counted from 1; a source with one of them shows none. Then the shortcuts of the real model."""
    attention = lesson.attention
    counts = {"layer": attention.n_layers, "head": attention.n_heads}
    shown = {name: count for name, count in counts.items() if count > 1}
    if not shown:
        return
    for (name, count), column in zip(shown.items(), st.columns(2), strict=False):
        column.segmented_control(
            t(f"explore.{name}"),
            range(1, count + 1),
            key=name,
            required=True,
            width="stretch",
            help=explain(t, name),
            on_change=_only,
        )
    words = frame.text("heads")
    if len(lesson.heads) > 1:
        with st.container(horizontal=True, vertical_alignment="center", key="averaged"):
            numbers = {"layer": lesson.layer + 1, "head": lesson.head + 1}
            st.markdown(words("heads.averaged", count=len(lesson.heads), **numbers))
            st.button(words("heads.only", **numbers), key="only-head", on_click=_only)
    if lesson.source == "real":
        _shortcuts(words, lesson)


def all_heads(lesson: Lesson) -> None:
    """The card with a small map of every head; nothing for a source with one head."""
    attention = lesson.attention
    count = attention.n_layers * attention.n_heads
    if count == 1:
        return
    t = frame.text("heads")
    show_special = bool(state.get("special"))
    real = lesson.source == "real"
    small = runs.small_maps(
        lesson.words, lesson.source, lesson.settings, pieces=lesson.unfolded, show_special=show_special
    )
    revealed, asked = pictures.revealed(), pictures.asked(lesson)
    facts = head_facts() if real else None
    number = pictures.numbers_now()
    held = [(number(weight), weight > MOST) for weight in small.special]
    shape = {
        "layers": attention.n_layers,
        "heads": attention.n_heads,
        "rows": small.thumbnails.rows,
        "columns": small.thumbnails.columns,
        "special": small.thumbnails.special,
        "steps": STEPS,
    }
    with st.container(border=True, key="card-heads"):
        help_ = [t("heads.how_keys"), explain(t, "multi_head", "head", "layer", "mean_of_heads", "not_explanation")]
        st.subheader(t("heads.title", count=count), anchor=False, help="\n\n".join(help_))
        how = ["how" if small.thumbnails.special else "how_plain", f"how_scale_{state.get('scale')}"]
        how += ["how_pooled"] if len(lesson.rows) > MOST_CELLS else []
        st.caption(t.join(t(f"heads.{key}") for key in [*how, "how_click"]))
        maps(
            small.thumbnails.data,
            shape=shape,
            labels=lesson.rows,
            special_names=attention.special_names,
            chosen=lesson.heads,
            peaks=[(peak.row, peak.column, number(peak.weight)) for peak in small.peaks] if revealed else (),
            held=held if revealed and attention.special_names else (),
            asked=(asked, None) if pictures.direction() == "out" else (None, asked),
            questions=[_measured(t, question) for question in facts.questions] if facts else (),
            known=_known() if facts else {},
            texts={
                **{name: t.entries[f"heads.{name}"] for name in _TEXTS},
                "title": t("heads.grid"),
                "held": t.entries["heads.special" if show_special else "heads.removed"],
                "held_most": t.entries["heads.special_most" if show_special else "heads.removed_most"],
                "nothing": t("heads.nothing", count=len(SHOWN)) if real else t("heads.no_facts"),
            },
            on_choose=_choose,
        )


@cache
def _known() -> dict[int, list[tuple[int, str]]]:
    """What some heads do well, by their place in reading order: questions, counted from 0, and how often."""
    facts = head_facts()
    return {
        layer * len(row) + head: [
            (facts.questions.index(question), _percent(question.share[layer][head])) for question in found
        ]
        for layer, row in enumerate(facts.questions[0].share)
        for head in range(len(row))
        if (found := facts.notable(layer, head))
    }


def _measured(t: Text, question: Question) -> str:
    """The line about a head, its field {share} left for the browser to fill in."""
    key = "heads.measured_position" if question.by_position else "heads.measured"
    return t(key, task=_task(t, question.name), offset_share=_percent(question.offset_share), share="{share}")


def _shortcuts(t: Text, lesson: Lesson) -> None:
    """Pills that open a head which does one thing, and how well it does it."""

    def go() -> None:
        head = SHOWN.get(str(st.session_state["shortcut"]))
        if head:
            _choose([head])

    here = next((name for name, head in SHOWN.items() if lesson.heads == (head,)), None)
    st.session_state["shortcut"] = here
    st.pills(
        t("heads.task.label"),
        list(SHOWN),
        format_func=lambda name: f"{_task(t, name)} {_short(t, SHOWN[name])}",
        key="shortcut",
        on_change=go,
        help=explain(t, "head", "treebank", "baseline", "antecedent"),
    )
    if here:
        _fact(t, head_facts(), here)


def _fact(t: Text, facts: HeadFacts, name: str) -> None:
    """What was counted, beside the best rule that reads nothing; below, how, and who really held the weight."""
    question = facts[name]
    layer, head = SHOWN[name]
    special = question.special[layer][head]
    found = t(f"heads.found.{name}", share=_percent(question.share[layer][head]), **_particles(name))
    sentences = {"sentences": facts.own_sentences if question.own else facts.sentences, "cases": question.cases}
    corpus = {} if question.own else {"treebank": facts.treebank, "part": facts.part}
    where = t("heads.where.own" if question.own else "heads.where.treebank", **sentences, **corpus)
    raw = {"weight": f"{question.weight[layer][head]:.2f}", "special": f"{special:.2f}"}
    held = t("heads.held.most" if special > MOST else "heads.held.some", **raw)
    with st.container(key="fact", gap="xxsmall"):
        st.markdown(t("heads.fact.line", found=found, against=_against(t, facts, question, layer, head)))
        st.caption(t("heads.fact.how", where=where, held=held))


def _against(t: Text, facts: HeadFacts, question: Question, layer: int, head: int) -> str:
    if question.by_position:
        return t("heads.against.position")
    values = {"distance": abs(question.offset), "offset_share": _percent(question.offset_share)}
    if question.name == "particle":
        return t("heads.against.particle", previous=_percent(facts["previous"].share[layer][head]), **values)
    return t("heads.against.before" if question.offset < 0 else "heads.against.after", **values)


def _choose(heads: Sequence[tuple[int, int]]) -> None:
    """Show these heads; the first one sets layer and head, the others are averaged with it."""
    (layer, head), *others = heads
    state.put("layer", layer + 1)
    state.put("head", head + 1)
    state.put("mean", ".".join(f"{layer + 1}-{head + 1}" for layer, head in others))


def _only() -> None:
    """One head alone again."""
    state.put("mean", "")


def _task(t: Text, name: str) -> str:
    return t(f"heads.task.{name}", **_particles(name))


def _particles(name: str) -> dict[str, str]:
    return {"particles": PARTICLES} if name == "particle" else {}


def _short(t: Text, head: tuple[int, int]) -> str:
    return t("heads.short", layer=head[0] + 1, head=head[1] + 1)


def _percent(share: float) -> str:
    return f"{share:.0%}"

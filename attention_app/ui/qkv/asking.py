"""Card 1: the request before the shelf, a score and a weight for every key; below it the shelf to be changed."""

from __future__ import annotations

import streamlit as st

from attention_app.components.scene import SceneRow, scene
from attention_app.components.shelf import shelf
from attention_app.text import Text
from attention_app.ui import pictures, presenter, shown, state
from attention_app.ui.qkv import editing, page, search
from attention_app.ui.qkv.editing import Scene
from attention_app.ui.qkv.search import Search
from attention_app.ui.qkv.shelf import LEAST_ROWS, MOST_ROWS, Problem, Row
from attention_app.ui.terms import explain
from attention_core.retrieve import retrieve
from attention_core.sources.e5_sentences import sentence_vectors

_TEXTS = ("query", "key", "score", "weight", "value", "enter")


def show(t: Text, now: Search) -> None:
    name = now.scene.name
    terms = explain(t, "query", "key", "value", "score", "attention_weight")
    with shown.card("qkv-scene", t(f"card.{name}.title"), t(f"card.{name}.idea", d_model=now.trace.k.shape[1]), terms):
        page.numbers(t)
        _picture(t, now)
        n, d = now.trace.k.shape
        best = now.best
        shown.notice(
            t,
            "scene",
            query=now.trace.query,
            key=now.names[best],
            score=search.score(float(now.trace.scores[best])),
            weight=pictures.number(float(now.trace.attn_weights[best])),
            temperature=f"{now.trace.temperature:g}",
        )
        st.select_slider(t("qkv.temperature"), state.TAUS, key="tau", help=t("qkv.temperature_help"))
        q, k, v = shown.shaped("q", 1, d), shown.shaped(r"K^\top", d, n), shown.shaped("V", n, d)
        weights = rf"\mathrm{{softmax}}\!\left(\frac{{{q}\,{k}}}{{{now.trace.temperature:g}}}\right)"
        shown.formula(rf"{shown.shaped('z', 1, d)} = {weights}\,{v}")
        if not presenter.on():
            _change(t, now.scene)
        shown.source(t, "qkv-scene", retrieve, sentence_vectors)


def _picture(t: Text, now: Search) -> None:
    trace, typed = now.trace, now.scene.typed
    texts = {name: t(f"scene.{name}") for name in _TEXTS}
    revealed = pictures.revealed()
    rows: list[SceneRow] = []
    for at, (key, value) in enumerate(now.scene.shelf.rows):
        score, weight = float(trace.scores[at]), float(trace.attn_weights[at])
        numbers = {"score": search.score(score), "weight": pictures.number(weight)}
        rows.append(
            {
                "key": key,
                "value": value,
                "reach": max(score, 0.0) if revealed else 0.0,
                "share": weight if revealed else 0.0,
                "spoken": t("scene.spoken", row=at + 1, key=key, value=value, **numbers),
                "at": None,
                **numbers,  # type: ignore[typeddict-item]
            }
        )
    scene(
        "qkv-scene",
        now.scene.name,
        {
            "text": typed.query,
            "version": now.scene.version,
            "problem": " ".join(problem_text(t, one) for one in now.scene.problems if _of_query(one)),
        },
        rows,
        texts=texts,
        hidden=not revealed,
        on_ask=editing.ask,
    )


def _change(t: Text, now: Scene) -> None:
    """The rows as fields, folded; what is wrong in them stands above, folded or not."""
    found: dict[int, str] = {}
    for one in now.problems:
        if not _of_query(one):
            row = -1 if one.row is None else one.row
            found[row] = f"{found.get(row, '')} {problem_text(t, one)}".strip()
    if found:
        said = [*(text for _, text in sorted(found.items())), t("shelf.kept")]
        st.error("  \n".join(map(shown.plain, said)), icon=":material/edit:")
    title = t("shelf.title", low=LEAST_ROWS, high=MOST_ROWS)
    with st.expander(title, icon=":material/edit:", key="qkv-shelf"):
        shelf(
            now.typed.rows,
            version=now.version,
            limits=(LEAST_ROWS, MOST_ROWS),
            problems=found,
            texts={name: t.entries[f"shelf.{name}"] for name in ("key", "value", "field", "add", "delete")},
            on_change=lambda rows: editing.change([Row(*row) for row in rows]),
        )
        with st.container(horizontal=True):
            undo, reset = t("shelf.undo"), t("shelf.reset")
            st.button(undo, icon=":material/undo:", on_click=editing.undo, disabled=not editing.can_undo())
            can_reset = editing.can_reset(t, now)
            st.button(reset, icon=":material/restart_alt:", on_click=editing.reset, disabled=not can_reset)


def _of_query(problem: Problem) -> bool:
    return problem.key.startswith("query")


def problem_text(t: Text, problem: Problem) -> str:
    """What is wrong; a row is named by its number."""
    text = t(f"problem.{problem.key}", **problem.values)
    return text if problem.row is None else t("problem.in_row", row=problem.row + 1, text=text)

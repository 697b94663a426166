"""Step 1: from words to X, the vectors that go into the layer."""

from __future__ import annotations

import numpy as np
import streamlit as st

from attention_app.components import matrix
from attention_app.components.matrix import Matrix, Norm
from attention_app.text import Text
from attention_app.ui import cache, shown, state
from attention_app.ui.steps import edits, step
from attention_app.ui.steps.numbers import Numbers
from attention_app.ui.terms import explain
from attention_core.ops import layer_norm
from attention_core.positional import positional_encoding
from attention_core.sources.e5 import Model, load_model
from attention_core.sources.e5_forward import forward
from attention_core.sources.source_trace import EmbeddingTrace, embed

STEP = "1"


def show(t: Text, now: Numbers) -> None:
    with step.card(t, "x", STEP, explain(t, "vector", "embedding", "d_model")):
        if now.source:
            _of_words(t, now, now.source.embedding)
        elif now.lesson.layer == 0:
            _first_layer(t, now)
        else:
            _later_layer(t, now)


def _of_words(t: Text, now: Numbers, parts: EmbeddingTrace) -> None:
    """One-hot rows times a table, and the positions."""
    n, n_vocabulary = parts.one_hot.shape
    width = parts.table.shape[1]
    with_positions = bool(parts.positions.any())
    root = rf"\cdot\sqrt{{{width}}}" if parts.scale != 1 else ""
    added = " + " + shown.shaped("PE", n, width) if with_positions else ""
    left, right = shown.named("one-hot", n, n_vocabulary), shown.shaped("E", n_vocabulary, width)
    shown.formula(rf"{shown.shaped('X', n, width)} = {left}\;{right}{root}{added}")
    kind = now.lesson.source
    embedding = "word_vectors" if kind == "vectors" else str(state.get("embedding"))
    shown.say(t, f"x_{embedding}_{kind}" if embedding == "word_vectors" else f"x_{embedding}")
    _notice(t, now)
    table = Matrix(f"E · √{width}" if parts.scale != 1 else "E", parts.table * parts.scale, rows=parts.vocabulary)
    one_hot = now.rows("one-hot", parts.one_hot, columns=parts.vocabulary, kind="mask")
    embedded = now.rows("one-hot · E" if with_positions or now.editable else "X", parts.embedded)
    kept = step.dim_cell(now, parts.x)
    matrix.product(one_hot, table, embedded, **shown.matrix_options("steps-x"), **({} if with_positions else kept))
    if with_positions:
        x = now.rows("one-hot · E + PE" if now.editable else "X", parts.x)
        matrix.addition([embedded, now.rows("PE", parts.positions)], x, **shown.matrix_options("steps-x-sum"), **kept)
    if now.editable:
        shown.heading(t("steps.edit"))
        st.caption(t("steps.edit_how"))
        keep = edits.options(now.lesson.source, now.lesson.head, now.only.start or 0)
        cell = step.dim_cell(now, now.layer.x_q)["cell"]
        x = now.rows("X", now.layer.x_q, editable=True)
        matrix.single(x, cell=cell, **shown.matrix_options("steps-x-edit"), **keep)
    shown.source(t, "steps-x", embed, positional_encoding)


def _first_layer(t: Text, now: Numbers) -> None:
    """Word + position + type, then layer norm."""
    parts = load_model().embedding(cache.encoder_run(now.lesson.words).ids)
    shape = parts.word.shape
    added = " + ".join(shown.shaped(f"E_{{\\text{{{name}}}}}", *shape) for name in ("word", "position", "type"))
    shown.formula(rf"{shown.shaped('X', *shape)} = \mathrm{{LayerNorm}}\Bigl({added}\Bigr)")
    shown.say(t, "x_first")
    _notice(t, now)
    terms = [
        now.rows(name, values)
        for name, values in (("word", parts.word), ("position", parts.position), ("type", parts.type))
    ]
    summed = now.rows("sum", parts.summed)
    kept = step.dim_cell(now, parts.normed)
    matrix.addition(terms, summed, **shown.matrix_options("steps-x-sum"), **kept)
    weights = load_model().weights.embedding
    norm = Norm(weights.norm_gain, weights.norm_bias, weights.eps)
    matrix.transform(summed, now.rows("X", parts.normed), how=norm, **shown.matrix_options("steps-x"), **kept)
    shown.source(t, "steps-x", Model.embedding, layer_norm)


def _later_layer(t: Text, now: Numbers) -> None:
    """What the layers below have made of the words."""
    layer = now.lesson.layer
    shown.formula(f"{shown.shaped('X', *now.layer.x_q.shape)} = H^{{({layer})}}")
    shown.say(t, "x_later", layer=layer + 1, before=layer)
    _notice(t, now)
    kept = step.dim_cell(now, now.layer.x_q)
    matrix.single(now.rows("X", now.layer.x_q), **shown.matrix_options("steps-x"), **kept)
    shown.source(t, "steps-x", forward)


def _notice(t: Text, now: Numbers) -> None:
    """Whose vector is most like the chosen word's."""
    x = now.layer.x_q.astype(np.float64)
    lengths = np.linalg.norm(x, axis=1)
    like = x @ x[now.row] / np.maximum(lengths * lengths[now.row], 1e-12)
    others = [start for word, (start, _) in enumerate(now.spans) if word != now.word]
    if not others:
        shown.notice(t, "x_only", query=now.names[now.row], width=x.shape[1])
        return
    best = max(others, key=lambda at: float(like[at]))
    shown.notice(t, "x", query=now.names[now.row], key=now.names[best], cosine=shown.number(float(like[best])))

"""Masks: which cells are closed, and each of them says why."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from attention_app.components import matrix
from attention_app.components.matrix import Matrix
from attention_app.text import Text
from attention_app.ui import cache, presenter, shown, state
from attention_app.ui.positions import piece_names
from attention_app.ui.structure import runs, spoken
from attention_app.ui.structure.lines import small
from attention_app.ui.structure.now import Now, framed
from attention_core.masks import causal_mask, closed_by, padding_mask
from attention_core.sources.e5_batch import PAD, PaddedTrace, padded_batch
from attention_core.trace import BoolArray, FloatArray


def show(t: Text, now: Now) -> None:
    kind = str(
        st.segmented_control(
            t("structure.mask_kind"),
            state.SCHEMA["mask_kind"].choices,
            format_func=lambda name: t(f"structure.mask_{name}"),
            key="mask_kind",
            required=True,
            label_visibility="collapsed",
        )
    )
    if kind in ("causal", "cross"):
        spoken.controls(t, spoken.current(now))
    if kind != "causal" and not presenter.on():
        spoken.sentence(t, "second")
    if kind == "causal":
        _causal(t, now)
    elif kind == "cross":
        _cross(t, now)
    else:
        _padded(t, now, causal=kind == "both")


def _causal(t: Text, now: Now) -> None:
    """The decoder's words among themselves."""
    said = spoken.current(now)
    n = len(said.names)
    weights = said.trace.block.self_attention.attention.attn_weights[now.head]
    shown.notice(t, "causal", place=said.at + 1, query=said.query, open=said.at + 1, closed=n - said.at - 1)
    masks = {"causal": causal_mask(n)}
    name = t("structure.weights", head=now.head + 1)
    _masked(t, "structure-causal", name, weights, masks, rows=said.names, columns=said.names, row=said.at)
    shown.source(t, "structure-causal", causal_mask)


def _cross(t: Text, now: Now) -> None:
    """The decoder looks at a source sentence that was filled up."""
    second = spoken.words("second")
    trace, mask = runs.cross(now.lesson.words, second, spoken.words("target"))
    source = min((now.run.pieces, cache.encoder_run(second).pieces), key=len)
    fill = mask.shape[1] - len(source)
    if fill:
        shown.notice(t, "cross_masked", fill=fill)
    else:
        shown.say(t, "no_fill")
    weights = trace.block.cross_attention.attention.attn_weights[now.head]
    columns = piece_names((*source, *[PAD] * fill))
    name = t("structure.weights", head=now.head + 1)
    said = spoken.current(now)
    key, masks = "structure-cross-mask", {"padding": mask}
    _masked(t, key, name, weights, masks, rows=said.names, columns=columns, row=said.at)
    shown.source(t, "structure-cross-mask", padding_mask)


def _padded(t: Text, now: Now, *, causal: bool) -> None:
    """Two sentences of different length in one batch of the real model's first block."""
    second = spoken.words("second")
    traces = runs.batch(now.lesson.words, second, causal=causal)
    n = len(traces[0].pieces)
    fill = [n - trace.n_real for trace in traces]
    shown.notice(
        t,
        "padded",
        n=n,
        first=traces[0].n_real,
        second=traces[1].n_real,
        fill=sum(fill),
        difference=small(max(trace.difference for trace in traces)),
    )
    if causal:
        shown.say(t, "causal_encoder")
    for i, trace in enumerate(traces):
        row = 1 if i else now.at  # of the second sentence no word is chosen
        _one(t, now, trace, f"structure-padded-{i}", t(f"structure.sentence_{i + 1}"), row)
    shown.source(t, "structure-padding", padding_mask, padded_batch)


def _one(t: Text, now: Now, trace: PaddedTrace, key: str, title: str, row: int) -> None:
    names = piece_names(trace.pieces)
    masks = {"padding": trace.padding, "causal": trace.causal}
    head = trace.attn_weights[now.head]
    st.markdown(f"**{title}**")
    _masked(t, key, t("structure.weights", head=now.head + 1), head, masks, rows=names, columns=names, row=row)


def _masked(
    t: Text,
    key: str,
    name: str,
    weights: FloatArray,
    masks: Mapping[str, BoolArray],
    *,
    rows: tuple[str, ...],
    columns: tuple[str, ...],
    row: int,
) -> None:
    """Weights (n_q, n_k) under joined masks; a closed cell gives the reason of every mask that closes it.

    row: the one that is framed at first.
    """
    both = t("between.reasons")
    reasons = {
        cell: both.join(t(f"structure.why_{mask}") for mask in names) for cell, names in closed_by(masks).items()
    }
    picture = Matrix(name, weights, rows=rows, columns=columns, kind="weights", mask_reasons=reasons)
    matrix.single(picture, rest=framed(weights, row), **shown.matrix_options(key))

"""Card 4: what each head adds to the output, its size, and the sum head by head."""

from __future__ import annotations

import numpy as np
import streamlit as st

from attention_app.components import matrix
from attention_app.components.blocks import Bar, bars
from attention_app.components.matrix import Matrix
from attention_app.text import Text
from attention_app.ui import frame, pictures, presenter, shown
from attention_app.ui.files import file_name
from attention_app.ui.multihead import layer_card
from attention_app.ui.multihead.layer import Layer, of
from attention_app.ui.multihead.mixing import keep, window
from attention_app.ui.take.bundle import as_csv
from attention_core.contributions import contributions, output_slices, running_sum, sizes
from attention_core.trace import FloatArray


def show(t: Text, now: Layer) -> None:
    if now.n_heads == 1:
        return
    with layer_card.card(t, "parts"):
        n, d_head, d_model = now.n, now.d_head, now.d_model
        one = rf"{shown.shaped('Z_i', n, d_head)}\;{shown.shaped(r'W_O^{(i)}', d_head, d_model)}"
        bias = " + b_O" if now.biased else ""
        shown.formula(rf"{shown.shaped(layer_card.OUT, n, d_model)} = \sum_{{i=1}}^{{{now.n_heads}}} {one}{bias}")
        parts = now.parts[:, now.at]  # (n_heads, d_model)
        _notice(t, now, sizes(parts))
        left, right = st.columns(2, gap="medium")
        with left:
            _lengths(t, now, parts)
        with right:
            _sum(t, now, parts)
        _own(t, now)
        if not presenter.on():
            label = t("multihead.download", word=shown.plain(now.names[now.at]))
            lesson, dim, off, dims = now.lesson, now.dim, now.off, frame.text("matrix")
            st.download_button(
                label,
                lambda: as_csv(table(t, dims, of(lesson, dim, off))),
                file_name(t("page.multihead"), str(now.lesson.layer + 1), t("multihead.file"), suffix=".csv"),
                "text/csv",
                icon=":material/download:",
                on_click="ignore",
            )
        shown.source(t, "multihead-parts", contributions, running_sum)


def table(t: Text, dims: Text, now: Layer) -> Matrix:
    """What every head adds to the chosen word's output, all dimensions; the last row is the sum of the others."""
    rows = [t("multihead.row_z", head=head + 1) for head in range(now.n_heads)]
    rows += [t("multihead.bias"), t("multihead.output")]
    columns = [dims("matrix.dim", n=dim + 1) for dim in range(now.d_model)]
    return Matrix(
        now.names[now.at], np.vstack([now.parts[:, now.at], now.trace.b_O, now.out[now.at]]), rows=rows, columns=columns
    )


def _notice(t: Text, now: Layer, lengths: FloatArray) -> None:
    most, least = int(lengths.argmax()), int(lengths.argmin())
    size, other = shown.number(float(lengths[most])), shown.number(float(lengths[least]))
    shown.notice(t, "parts", query=now.names[now.at], head=most + 1, size=size, head2=least + 1, size2=other)


def _lengths(t: Text, now: Layer, parts: FloatArray) -> None:
    """The length of each part, and how far it goes along the output."""
    out = now.out[now.at]  # (d_model,)
    shown.heading(t("multihead.sizes"))
    added = np.vstack([parts, now.trace.b_O]) if now.biased else parts
    lengths, shares = sizes(added), added @ out / max(float(out @ out), 1e-12)
    longest = max(float(lengths.max()), float(sizes(out)), 1e-12)
    ends = [_bar(now, i, t("multihead.bias"), 0, float(length) / longest) for i, length in enumerate(lengths)]
    for bar, length, share in zip(ends, lengths, shares, strict=True):
        bar["numbers"] = [shown.number(float(length)), _percent(float(share))]
    total = _bar(now, -1, t("multihead.output"), 0, float(sizes(out)) / longest)
    total["numbers"] = [shown.number(float(sizes(out))), _percent(float(shares.sum()))]
    columns = [t("multihead.size"), t("multihead.share")]
    bars("sizes", layer_card.heads(now), [*ends, total], columns=columns, texts={"title": t("view.sizes")})
    st.caption(t("say.share"))


def _sum(t: Text, now: Layer, parts: FloatArray) -> None:
    """The chosen dimension: where each head starts, what it adds, where it arrives."""
    shown.heading(t("multihead.running", dim=now.dim + 1))
    reached = running_sum(parts[:, now.dim], now.trace.b_O[now.dim])  # (n_heads + 1,)
    steps = np.append(parts[:, now.dim], now.trace.b_O[now.dim])  # (n_heads + 1,)
    if not now.biased:
        reached, steps = reached[:-1], steps[:-1]
    ways = np.concatenate([[0.0], reached])
    low, high = float(ways.min()), float(ways.max())
    scale = max(high - low, 1e-12)
    shown_bars = []
    for i, step in enumerate(steps):
        bar = _bar(now, i, t("multihead.bias"), (ways[i] - low) / scale, (ways[i + 1] - low) / scale)
        bar["numbers"] = [shown.number(float(step)), shown.number(float(ways[i + 1]))]
        shown_bars.append(bar)
    end = _bar(now, -1, t("multihead.output"), -low / scale, (ways[-1] - low) / scale)
    end["numbers"] = ["", shown.number(float(ways[-1]))]
    columns = [t("multihead.part"), t("multihead.sum")]
    texts, zero = {"title": t("view.running")}, -low / scale if pictures.revealed() else 0.0
    bars("running", layer_card.heads(now), [*shown_bars, end], zero=zero, columns=columns, texts=texts)
    what = "running" if now.biased else "running_plain"
    shown.notice(t, what, heads=now.n_heads, total=shown.number(float(ways[-1])), dim=now.dim + 1)


def _own(t: Text, now: Layer) -> None:
    """The part of the chosen head, number by number."""
    head, dims = now.lesson.head, window(now)
    part, seen = slice(dims.start, dims.stop), (dims.start, now.d_model)
    shown.heading(t("multihead.own", head=head + 1, d_head=now.d_head))
    matrix.product(
        now.rows(f"Z_{head + 1}", now.trace.attention.z[head], [now.at]),
        Matrix(f"W_O[{head + 1}]", output_slices(now.trace)[head][:, part], of_columns=seen),
        now.rows(f"Z_{head + 1} W_O[{head + 1}]", now.parts[head][:, part], [now.at], of_columns=seen),
        cell=(0, now.dim - dims.start),
        on_cell=keep(now.spans, [now.at], dims),
        **shown.matrix_options("multihead-own"),
    )


def _bar(now: Layer, i: int, name: str, start: float, stop: float) -> Bar:
    """A head's bar; what is no head (the bias, the output) has a name instead."""
    head = i if 0 <= i < now.n_heads else None
    label = "" if head is not None else name
    return shown.bar(label, stop, [], start=start, head=head, strong=head == now.lesson.head)


def _percent(share: float) -> str:
    if not pictures.revealed():
        return pictures.HIDDEN
    return f"{round(share, 2) + 0:.0%}".replace("-", shown.MINUS)  # + 0: no -0%

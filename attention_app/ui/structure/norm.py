"""Add & Norm: x and what the sublayer made of it are added, then the sum is brought to mean 0 and variance 1."""

from __future__ import annotations

import numpy as np

from attention_app.components import matrix
from attention_app.components.curves import curves
from attention_app.components.matrix import Matrix
from attention_app.text import Text
from attention_app.ui import pictures, shown
from attention_app.ui.structure import runs
from attention_app.ui.structure.lines import line
from attention_app.ui.structure.now import Now
from attention_core.depth import mean_cosine, without_residual
from attention_core.norm_trace import LayerNormTrace, layer_norm_trace
from attention_core.sources.e5 import load_model
from attention_core.trace import FloatArray


def after_attention(t: Text, now: Now) -> None:
    w, block = load_model().block_weights(now.layer), now.block
    trace = layer_norm_trace(block.resid_attn[[now.at]], w.norm_attn_gain, w.norm_attn_bias, w.eps)
    parts = {"x": block.multi_head.x_q, "attn_out": block.multi_head.attn_out}
    add_and_norm(t, "norm_attn", now.query, parts={name: part[now.at] for name, part in parts.items()}, trace=trace)
    _without(t, now)
    shown.source(t, "structure-norm_attn", layer_norm_trace, without_residual, mean_cosine)


def after_ffn(t: Text, now: Now) -> None:
    w, block = load_model().block_weights(now.layer), now.block
    trace = layer_norm_trace(block.resid_ffn[[now.at]], w.norm_ffn_gain, w.norm_ffn_bias, w.eps)
    parts = {"norm_attn": block.norm_attn[now.at], "ffn_out": block.ffn_out[now.at]}
    add_and_norm(t, "norm_ffn", now.query, parts=parts, trace=trace)
    shown.source(t, "structure-norm_ffn", layer_norm_trace)


def add_and_norm(t: Text, key: str, query: str, *, parts: dict[str, FloatArray], trace: LayerNormTrace) -> None:
    """One position: the two vectors, their sum, and the sum's layer norm step by step.

    parts: name in the trace -> (d_model,), what goes around the sublayer and what comes out of it; trace: of one row.
    """
    x, sublayer = parts
    shown.formula(rf"\mathrm{{LayerNorm}}\bigl({shown.upright(x)} + {shown.upright(sublayer)}\bigr)")
    terms = [Matrix(name, part[None], rows=[query]) for name, part in parts.items()]
    total = Matrix(f"{x} + {sublayer}", trace.x, rows=[query])
    matrix.addition(terms, total, **shown.matrix_options(f"structure-{key}-sum"))
    mean, variance = float(trace.mean[0]), float(trace.variance[0])
    shown.formula(r"\frac{x-\mu}{\sqrt{\sigma^2+\epsilon}}\odot\gamma+\beta")
    shown.notice(
        t,
        "norm",
        query=query,
        mean=shown.number(mean),
        variance=shown.number(variance),
        mean2=shown.number(float(trace.normalised.mean())),
        variance2=shown.number(float(trace.normalised.var())),
    )
    steps = {
        "sum": trace.x[0],
        "centred": trace.centred[0],
        "normalised": trace.normalised[0],
        "gain": trace.gain,
        "bias": trace.bias,
        "out": trace.out[0],
    }
    rows = [t(f"structure.norm_{step}") for step in steps]
    matrix.single(
        Matrix("LayerNorm", np.array(list(steps.values())), rows=rows), **shown.matrix_options(f"structure-{key}")
    )


def _without(t: Text, now: Now) -> None:
    """How alike the words become over all blocks, with the residuals and without."""
    alike, cut = runs.alike(now.lesson.words)
    last = len(alike) - 1
    same = next((layer for layer, value in enumerate(cut) if value > 0.995), last)
    lines = [line(t("structure.with"), alike), line(t("structure.without"), cut, "dashed")]
    curves(
        "residual",
        lines,
        [str(layer) for layer in range(last + 1)],
        low=min(0.0, float(alike.min()), float(cut.min())),
        high=1,
        marks={0: "0", 0.5: "0.5", 1: "1"},
        chosen=same,
        texts={"title": t("view.residual"), "steps": t.entries["view.after"]},
        hidden=not pictures.revealed(),
    )
    shown.notice(
        t,
        "without",
        layers=last,
        same=same,
        cut=shown.number(float(cut[same])),
        alike=shown.number(float(alike[same])),
        end=shown.number(float(alike[last])),
    )

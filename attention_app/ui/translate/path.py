"""Card 6: one step on its way through a decoder block, from the input to the probabilities."""

from __future__ import annotations

import math

import numpy as np
import streamlit as st

from attention_app.components import matrix
from attention_app.components.matrix import Matrix, Norm, Softmax
from attention_app.text import Text
from attention_app.ui import shown, state
from attention_app.ui.terms import explain
from attention_app.ui.translate.now import Now
from attention_core.block import decoder_block
from attention_core.ops import layer_norm
from attention_core.trace import DecoderBlockTrace, FloatArray
from attention_core.translator import Translator, load_translator

_KEY = "translate-path"
_TERMS = {
    "self": ("self_attention", "mask"),
    "norm_self": ("residual", "layer_norm"),
    "cross": ("cross_attention",),
    "norm_cross": ("residual", "layer_norm"),
    "ffn": ("feed_forward",),
    "norm_ffn": ("residual", "layer_norm"),
    "out": ("softmax",),
}


def show(t: Text, now: Now) -> None:
    """The whole path as one matrix, a row for each stage; below it the chosen stage with its arithmetic."""
    with shown.card(_KEY, t("card.path.title"), t("card.path.idea"), explain(t, "decoder", "residual", "layer_norm")):
        trace, step = now.trace, now.step
        values = {"number": step + 1, "layer": now.layer + 1, "width": trace.norm_ffn.shape[1]}
        shown.notice(t, "path", input=now.inputs[step], query=now.outputs[step], **values)
        stages = {
            "x": trace.self_attention.x_q,
            "self": trace.self_attention.attn_out,
            "norm_self": trace.norm_attn,
            "cross": trace.cross_attention.attn_out,
            "norm_cross": trace.norm_cross,
            "ffn": trace.ffn_out,
            "norm_ffn": trace.norm_ffn,
        }
        matrix.single(
            Matrix(
                t("path.whole", step=step + 1),
                np.stack([values[step] for values in stages.values()]),
                rows=[t(f"station.{name}") for name in stages],
            ),
            **shown.matrix_options(_KEY),
        )
        st.segmented_control(
            t("path.stage"),
            state.STAGES,
            format_func=lambda name: t(f"path.{name}"),
            key="stage",
            required=True,
            wrap=True,
            width="stretch",
            help=explain(t, *_TERMS[str(state.get("stage"))]),
        )
        _stage(t, now, trace, str(state.get("stage")))
        shown.source(t, _KEY, decoder_block, layer_norm, Translator.logits)


def _stage(t: Text, now: Now, trace: DecoderBlockTrace, stage: str) -> None:
    step = now.step
    n, d_model = trace.norm_ffn.shape
    w = load_translator().weights.decoder[now.layer]
    match stage:
        case "self" | "cross":
            attention = trace.self_attention if stage == "self" else trace.cross_attention
            concat, W_O = attention.concat, attention.W_O
            shown.formula(
                rf"{shown.named('attn_out', n, d_model)} = {shown.named('concat', *concat.shape)}\;"
                rf"{shown.shaped('W_O', *W_O.shape)} + b_O"
            )
            shown.say(t, f"stage_{stage}")
            matrix.single(_row(now, "concat", concat), **shown.matrix_options(f"{_KEY}-concat"))
            matrix.single(_row(now, "attn_out", attention.attn_out), **shown.matrix_options(f"{_KEY}-attn"))
        case "norm_self":
            _add_and_norm(
                t,
                now,
                ("x", trace.self_attention.x_q),
                ("attn_out", trace.self_attention.attn_out),
                ("resid_attn", trace.resid_attn),
                ("norm_attn", trace.norm_attn),
                Norm(w.norm_attn_gain, w.norm_attn_bias, w.eps),
            )
        case "norm_cross":
            _add_and_norm(
                t,
                now,
                ("norm_attn", trace.norm_attn),
                ("attn_out", trace.cross_attention.attn_out),
                ("resid_cross", trace.resid_cross),
                ("norm_cross", trace.norm_cross),
                Norm(w.norm_cross_gain, w.norm_cross_bias, w.eps),
            )
        case "ffn":
            d_ff = trace.ffn_act.shape[1]
            shown.formula(
                rf"{shown.named('ffn_out', n, d_model)} = \max\bigl(0,\; {shown.named('norm_cross', n, d_model)}\;"
                rf"{shown.shaped('W_1', d_model, d_ff)} + b_1\bigr)\; {shown.shaped('W_2', d_ff, d_model)} + b_2"
            )
            alive = int((trace.ffn_act[step] > 0).sum())
            shown.notice(t, "stage_ffn", alive=alive, width=d_ff, share=f"{alive / d_ff:.0%}")
            matrix.single(_row(now, "ffn_act", trace.ffn_act), **shown.matrix_options(f"{_KEY}-act"))
            matrix.single(_row(now, "ffn_out", trace.ffn_out), **shown.matrix_options(f"{_KEY}-ffn"))
        case "norm_ffn":
            _add_and_norm(
                t,
                now,
                ("norm_cross", trace.norm_cross),
                ("ffn_out", trace.ffn_out),
                ("resid_ffn", trace.resid_ffn),
                ("norm_ffn", trace.norm_ffn),
                Norm(w.norm_ffn_gain, w.norm_ffn_bias, w.eps),
            )
        case _:
            _out(t, now)


def _add_and_norm(
    t: Text,
    now: Now,
    x: tuple[str, FloatArray],
    sublayer: tuple[str, FloatArray],
    resid: tuple[str, FloatArray],
    norm: tuple[str, FloatArray],
    how: Norm,
) -> None:
    shape = x[1].shape
    shown.formula(
        rf"{shown.named(norm[0], *shape)} = \mathrm{{LayerNorm}}\bigl("
        rf"{shown.named(x[0], *shape)} + {shown.named(sublayer[0], *shape)}\bigr)"
    )
    shown.say(t, "stage_norm")
    summed = _row(now, *resid)
    matrix.addition([_row(now, *x), _row(now, *sublayer)], summed, **shown.matrix_options(f"{_KEY}-add"))
    matrix.transform(summed, _row(now, *norm), how=how, **shown.matrix_options(f"{_KEY}-norm"))


def _out(t: Text, now: Now) -> None:
    """Linear and softmax after the last layer, the likeliest piece first."""
    logits = now.run.logits  # (n, n_target)
    n, n_target = logits.shape
    d_model = now.run.hidden.shape[-1]
    transposed = shown.shaped(r"E^{\top}", d_model, n_target)
    shown.formula(rf"{shown.named('logits', n, n_target)} = {shown.named('norm_ffn', n, d_model)}\; {transposed} + b")
    order = np.argsort(-logits[now.step], kind="stable")
    names = [now.shown(now.run.vocabulary[piece]) for piece in order]
    best = float(now.run.probabilities[now.step, order[0]])
    last = math.exp(float(logits[now.step, order[0]] - logits[now.step, order[1]]))
    shown.notice(
        t,
        "stage_out",
        query=names[0],
        number=shown.number(best),
        other=names[1],
        times=f"{last:,.1f}",
        count=f"{n_target:,}",
        layer=now.run.hidden.shape[0] - 1,
    )
    step, rows = now.step, [now.outputs[now.step]]
    matrix.transform(
        Matrix("logits", logits[step, order][None], rows=rows, columns=names),
        Matrix("softmax", now.run.probabilities[step, order][None], rows=rows, columns=names, kind="weights"),
        how=Softmax(),
        **shown.matrix_options(f"{_KEY}-out"),
    )


def _row(now: Now, name: str, values: FloatArray) -> Matrix:
    """The row of the step that is talked about."""
    return Matrix(name, values[now.step : now.step + 1], rows=[now.inputs[now.step]])

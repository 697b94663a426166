"""The decoder's boxes: from the words said so far to the probabilities of the next one."""

from __future__ import annotations

from attention_app.components import matrix
from attention_app.components.matrix import Matrix, Softmax
from attention_app.text import Text
from attention_app.ui import pictures, shown
from attention_app.ui.structure import encoder, norm, spoken
from attention_app.ui.structure.now import Now, framed
from attention_app.ui.structure.spoken import Spoken
from attention_core.block import decoder_block
from attention_core.measures import ranked
from attention_core.norm_trace import layer_norm_trace
from attention_core.ops import linear, softmax
from attention_core.positional import positional_encoding
from attention_core.sources.seeded_decoder import D_FF, D_MODEL, decode, weights
from attention_core.trace import FloatArray

UNITS = 8  # the most active ones that are shown


def embedding(t: Text, now: Now) -> None:
    said = _said(t, now)
    shown.formula(shown.shaped(rf"\sqrt{{{D_MODEL}}}\,E", *said.trace.embedded.shape))
    _notice_shift(t, said)
    rest = framed(said.trace.embedded, said.at)
    embedded = Matrix("E", said.trace.embedded, rows=said.names)
    matrix.single(embedded, rest=rest, **shown.matrix_options("structure-target"))
    shown.source(t, "structure-target", decode)


def positions(t: Text, now: Now) -> None:
    said = _said(t, now)
    _notice_shift(t, said)
    terms = [Matrix("E", said.trace.embedded, rows=said.names), Matrix("PE", said.trace.positions, rows=said.names)]
    total = Matrix("x", said.trace.x, rows=said.names)
    rest = framed(said.trace.x, said.at)
    matrix.addition(terms, total, rest=rest, **shown.matrix_options("structure-target-positions"))
    shown.source(t, "structure-target-positions", positional_encoding)


def cross(t: Text, now: Now) -> None:
    said = _said(t, now)
    attention = said.trace.block.cross_attention.attention
    h, n_q, n_k = attention.attn_weights.shape
    q, k = shown.shaped("Q", h, n_q, attention.q.shape[2]), shown.shaped("K,V", h, n_k, attention.k.shape[2])
    shown.formula(rf"{q}\ \text{{←}}\ {shown.upright('norm_masked')}\qquad {k}\ \text{{←}}\ {shown.upright('encoder')}")
    row = attention.attn_weights[now.head, said.at]
    best = int(row.argmax())
    values = {"weight": shown.number(float(row[best])), "even": shown.number(1 / n_k)}
    shown.notice(t, "cross", query=said.query, key=now.names[best], **values)
    picture = Matrix(
        t("structure.weights", head=now.head + 1),
        attention.attn_weights[now.head],
        rows=said.names,
        columns=now.names,
        column_at=now.places,
        kind="weights",
    )
    matrix.single(picture, rest=(said.at, best), **shown.matrix_options("structure-cross"))
    shown.source(t, "structure-cross", decoder_block)


def norm_masked(t: Text, now: Now) -> None:
    said = _said(t, now)
    block = said.trace.block
    parts = {"x": block.self_attention.x_q, "attn_out": block.self_attention.attn_out}
    _norm(t, said, "norm_masked", parts, block.resid_attn, "norm_attn")


def norm_cross(t: Text, now: Now) -> None:
    said = _said(t, now)
    block = said.trace.block
    parts = {"norm_attn": block.norm_attn, "cross_out": block.cross_attention.attn_out}
    _norm(t, said, "norm_cross", parts, block.resid_cross, "norm_cross")


def norm_ffn(t: Text, now: Now) -> None:
    said = _said(t, now)
    block = said.trace.block
    _norm(
        t, said, "norm_target", {"norm_cross": block.norm_cross, "ffn_out": block.ffn_out}, block.resid_ffn, "norm_ffn"
    )


def _norm(t: Text, said: Spoken, key: str, parts: dict[str, FloatArray], resid: FloatArray, name: str) -> None:
    w = weights()
    gain, bias = getattr(w, f"{name}_gain"), getattr(w, f"{name}_bias")
    trace = layer_norm_trace(resid[[said.at]], gain, bias, w.eps)
    rows = {part: values[said.at] for part, values in parts.items()}
    norm.add_and_norm(t, key, said.query, parts=rows, trace=trace)
    shown.source(t, f"structure-{key}", layer_norm_trace)


def feed_forward(t: Text, now: Now) -> None:
    said = _said(t, now)
    block = said.trace.block
    n = len(said.names)
    first = rf"{shown.shaped('x', n, D_MODEL)}\,{shown.shaped('W_1', D_MODEL, D_FF)} + b_1"
    shown.formula(rf"\max\bigl(0,\ {first}\bigr)\,{shown.shaped('W_2', D_FF, D_MODEL)} + b_2")
    own = block.ffn_act[said.at]
    units = [one.place for one in ranked(own)[:UNITS]]
    names = [f"#{unit + 1}" for unit in units]
    shown.notice(
        t,
        "target_ffn",
        query=said.query,
        unit=units[0] + 1,
        number=shown.number(float(own[units[0]])),
        active=int((own > 0).sum()),
        d_ff=D_FF,
    )
    act = Matrix("ffn_act", block.ffn_act[:, units], rows=said.names, columns=names)
    matrix.single(act, rest=(said.at, 0), **shown.matrix_options("structure-target-ffn"))
    shown.source(t, "structure-target-ffn", decoder_block)


def whole(t: Text, now: Now) -> None:
    said = _said(t, now)
    block = said.trace.block
    parts = {"x": block.self_attention.x_q, "attn_out": block.self_attention.attn_out, "norm_attn": block.norm_attn}
    parts |= {"cross_out": block.cross_attention.attn_out}
    parts |= {name: getattr(block, name) for name in ("norm_cross", "ffn_out", "norm_ffn")}
    encoder.stages(t, "decoder", {name: values[said.at] for name, values in parts.items()})
    shown.source(t, "structure-decoder", decoder_block)


def scores(t: Text, now: Now) -> None:
    said = _said(t, now)
    trace = said.trace
    n, size = trace.logits.shape
    left, right = shown.shaped("x", n, D_MODEL), shown.shaped(r"E^\top", D_MODEL, size)
    shown.formula(rf"{shown.shaped(shown.upright('logits'), n, size)} = {left}\,{right}")
    best = int(trace.logits[said.at].argmax())
    score = shown.number(float(trace.logits[said.at, best]))
    shown.notice(t, "linear", words=size, query=said.query, key=trace.vocabulary[best], score=score)
    matrix.product(
        Matrix("norm_ffn", trace.block.norm_ffn, rows=said.names, role="query"),
        Matrix("E", trace.table, rows=trace.vocabulary, role="key"),
        Matrix("logits", trace.logits, rows=said.names, columns=trace.vocabulary),
        transposed=True,
        rest=(said.at, best),
        **shown.matrix_options("structure-linear"),
    )
    shown.source(t, "structure-linear", linear, decode)


def chances(t: Text, now: Now) -> None:
    said = _said(t, now)
    trace = said.trace
    row = trace.probabilities[said.at]
    best, wanted = int(row.argmax()), trace.expected[said.at]
    shown.notice(
        t,
        "softmax",
        query=said.query,
        key=trace.vocabulary[best],
        weight=shown.number(float(row[best])),
        value=wanted,
        chance=shown.number(float(row[trace.vocabulary.index(wanted)])),
        even=shown.number(1 / len(row)),
    )
    if pictures.revealed() and trace.vocabulary[best] == trace.inputs[said.at]:
        shown.say(t, "repeats")
    matrix.transform(
        Matrix("logits", trace.logits, said.names, trace.vocabulary),
        Matrix("softmax", trace.probabilities, said.names, trace.vocabulary, kind="weights"),
        how=Softmax(),
        rest=(said.at, best),
        **shown.matrix_options("structure-softmax"),
    )
    shown.source(t, "structure-softmax", softmax)


def _said(t: Text, now: Now) -> Spoken:
    """The decoder of this run, below the controls that choose what it says."""
    said = spoken.current(now)
    spoken.controls(t, said)
    return said


def _notice_shift(t: Text, said: Spoken) -> None:
    values = {"count": len(said.names) - 1, "start": said.names[0], "place": said.at + 1}
    shown.notice(t, "target", query=said.query, value=said.trace.expected[said.at], **values)

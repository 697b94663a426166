"""The encoder block as a whole: the chosen word's vector through one block, and through all twelve."""

from __future__ import annotations

import numpy as np
import streamlit as st

from attention_app.components.blocks import bars
from attention_app.components.curves import Curve, curves
from attention_app.text import Text
from attention_app.ui import pictures, shown
from attention_app.ui.structure.lines import line
from attention_app.ui.structure.now import Now
from attention_core.block import encoder_block
from attention_core.contributions import cosines, sizes
from attention_core.depth import journey
from attention_core.trace import FloatArray


def show(t: Text, now: Now) -> None:
    st.markdown(f"**{t('structure.one_block', layer=now.layer + 1)}**")
    block = now.block
    parts = {"x": block.multi_head.x_q, "attn_out": block.multi_head.attn_out}
    parts |= {name: getattr(block, name) for name in ("resid_attn", "norm_attn", "ffn_out", "resid_ffn", "norm_ffn")}
    stages(t, "block", {name: values[now.at] for name, values in parts.items()})
    way = journey(now.run.hidden, now.at)
    last = len(way.length) - 1
    st.markdown(f"**{t('structure.all_blocks', count=last)}**")
    shown.notice(
        t,
        "journey",
        query=now.query,
        layers=last,
        start=shown.number(float(way.to_start[last])),
        before=shown.number(float(way.to_before[: last // 2].mean())),
        most=int(way.to_before.argmin()) + 1,
        least=shown.number(float(way.to_before.min())),
    )
    lines = [line(t("structure.to_before"), way.to_before), line(t("structure.to_start"), way.to_start[1:], "dashed")]
    low = min(0.0, float(way.to_start.min()))
    _layers(t, "journey", lines, range(1, last + 1), now.layer, low=low, high=1.0, marks={0: "0", 0.5: "0.5", 1: "1"})
    top = float(np.ceil(way.length.max()))
    length = [line(t("structure.length"), way.length)]
    _layers(t, "length", length, range(last + 1), now.layer + 1, low=0.0, high=top, marks={0: "0", top: f"{top:.0f}"})
    shown.source(t, "structure-encoder", encoder_block, journey)


def stages(t: Text, key: str, parts: dict[str, FloatArray]) -> None:
    """One vector on its way: its length at each stage, and its cosine to the first. parts: name -> (d_model,)."""
    vectors = np.array(list(parts.values()))  # (n_stages, d_model)
    lengths, cosine = sizes(vectors), cosines(vectors, np.broadcast_to(vectors[0], vectors.shape))
    made = [
        shown.bar(name, length / lengths.max(), [shown.number(float(length)), shown.number(float(value))])
        for name, length, value in zip(parts, lengths, cosine, strict=True)
    ]
    columns = [t("structure.size"), t("structure.to_x")]
    bars(key, [], made, columns=columns, texts={"title": t("view.stages")})


def _layers(
    t: Text,
    key: str,
    lines: list[Curve],
    layers: range,
    chosen: int,
    *,
    low: float,
    high: float,
    marks: dict[float, str],
) -> None:
    curves(
        key,
        lines,
        [str(layer) for layer in layers],
        low=low,
        high=high,
        marks=marks,
        chosen=chosen,
        texts={"title": t(f"view.{key}"), "steps": t.entries["view.after"]},
        hidden=not pictures.revealed(),
    )

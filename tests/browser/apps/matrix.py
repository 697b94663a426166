"""The linked matrices alone, scene by scene, with numbers of the real model: ?scene=scores&lang=en&n=7.

Not a page of the product. What a scene's callbacks were given stands in the line `told`.
"""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import streamlit as st

from attention_app import components
from attention_app.components import matrix
from attention_app.components.matrix import Matrix, Norm, Scale, Softmax
from attention_app.text import load
from attention_core.masks import causal_mask
from attention_core.sources.e5 import layer_trace, load_model
from attention_core.words import segment

st.set_page_config(layout="wide")
getattr(components, "send_code", lambda: None)()  # the code of all views, where it travels apart from their data
ask = {"scene": "scores", "lang": "zh", "text": "我昨天去超市买了苹果。", "decimals": "2", "hidden": "", "cell": ""}
ask |= st.query_params.to_dict()
state = st.session_state
shown = matrix.texts(load("matrix", ask["lang"]).entries)
if "cell" not in state:
    state["cell"] = tuple(map(int, ask["cell"].split("-"))) if ask["cell"] else None
state.setdefault("edits", {})
state.setdefault("told", "-")


def keep(cell: tuple[int, int] | None) -> None:
    state["cell"], state["told"] = cell, f"cell {cell}"


def edited(name: str, row: int, column: int, value: float) -> None:
    state["edits"][row, column] = value
    state["told"] = f"edit {name} {row} {column} {value}"


run = load_model().run(segment(ask["text"]))
multi = layer_trace(run, 6).multi_head
trace = multi.attention
HEAD = 2
pieces = list(run.pieces)
n = len(pieces)
groups = [("<s>", 1), *[(w.text, end - start) for w, (start, end) in zip(run.words, run.alignment.spans, strict=True)]]
groups.append(("</s>", 1))
places = [-1, *range(n - 2), -2]
x = Matrix("X", multi.x_q, rows=pieces, groups=groups)
w_q = Matrix("W_Q", multi.W_Q[HEAD])
q = Matrix("Q", trace.q[HEAD], rows=pieces, groups=groups, role="query")
k = Matrix("K", trace.k[HEAD], rows=pieces, groups=groups, role="key")
v = Matrix("V", trace.v[HEAD], rows=pieces, groups=groups, role="value")
square = {"rows": pieces, "columns": pieces, "groups": groups, "row_at": places, "column_at": places}
square["answer"] = True  # who looks at whom
scores = Matrix("scores", trace.scores[HEAD], **square)
scaled = Matrix("scaled", trace.scaled_scores[HEAD], **square)
allowed = causal_mask(n)
why = {(int(i), int(j)): "后面的词还没有出现" for i, j in np.argwhere(~allowed)}
masked = Matrix("masked", np.where(allowed, trace.scaled_scores[HEAD], -np.inf), **square, mask_reasons=why)
weights = Matrix("weights", trace.attn_weights[HEAD], **square, kind="weights")
powers = np.exp(masked.values - masked.values.max(axis=1, keepdims=True))
causal = replace(weights, values=powers / powers.sum(axis=1, keepdims=True))
toy = np.array([[1, 0, 2, -1], [0.5, 1, 0, 1], [2, -1, 1, 0]])
for (i, j), value in state["edits"].items():
    toy[i, j] = value
toy_w = np.array([[1, 0], [0, 1], [0.5, -1], [0.25, 2]])
toy_x = Matrix("X", toy, rows=["我", "爱", "你"], editable=True)
common = {
    "decimals": int(ask["decimals"]),
    "texts": shown,
    "cell": state["cell"],
    "hidden": bool(ask["hidden"]),
    "on_cell": keep,
    "on_edit": edited,
}

with st.container(border=True, key="card-one"):
    match ask["scene"]:
        case "scores":
            matrix.product(q, k, scores, transposed=True, key="one", **common)
        case "project":
            matrix.product(x, w_q, q, bias=multi.b_Q[HEAD], key="one", **common)
        case "z":
            matrix.product(weights, v, Matrix("Z", trace.z[HEAD], rows=pieces), key="one", **common)
        case "scale":
            matrix.transform(scores, scaled, how=Scale(math.sqrt(32), "√32"), key="one", **common)
        case "mask":
            matrix.transform(scaled, masked, how="mask", key="one", **common)
        case "softmax":
            matrix.transform(masked, causal, how=Softmax(), key="one", **common)
        case "toy":
            matrix.product(toy_x, Matrix("W_Q", toy_w), Matrix("Q", toy @ toy_w, rows=toy_x.rows), key="one", **common)
        case "single":
            matrix.single(x, key="one", **common)
        case "add":
            half = replace(x, name="A", values=x.values / 2)
            matrix.addition([half, replace(half, name="B")], x, key="one", **common)
        case "norm":
            embedding = load_model().weights.embedding
            gain, bias, eps = embedding.norm_gain, embedding.norm_bias, embedding.eps
            parts = load_model().embedding(run.ids)
            summed, normed = replace(x, name="sum", values=parts.summed), replace(x, values=parts.normed)
            matrix.transform(summed, normed, how=Norm(gain, bias, eps), key="one", **common)
        case "eight":
            for head in range(8):
                matrix.single(Matrix("Q", trace.q[head], rows=pieces), key=f"head{head}", decimals=2, texts=shown)
        case "two":
            matrix.transform(scores, scaled, how=Scale(math.sqrt(32), "√32"), key="one", **common)
            matrix.single(weights, key="two", decimals=2, texts=shown)
st.text(state["told"])

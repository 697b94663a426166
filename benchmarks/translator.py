"""The translator: NumPy against PyTorch eager, on the same weights, one thread each.

    python benchmarks/translator.py

Both run the encoder, then greedy decoding that keeps keys and values from step to step, and must find the same text.
The two take turns within one run; the table shows medians. A row of its own is what a page does: the search and then
all intermediates of all steps. Without PyTorch installed only the NumPy rows are measured, and the table says so.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
SENTENCES = ("我/喜欢/你/。", "我/昨天/和/朋友/去/超市/买/了/苹果/。")
AIM_MS = 150  # the sentence of ten words
HEADER = ("words", "steps", "what", "NumPy ms", "PyTorch ms", "NumPy / PyTorch")


def rows() -> list[tuple[str, ...]]:
    """As in HEADER; measured in a process of its own, with one thread."""
    one_thread = dict.fromkeys(("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"), "1")
    done = subprocess.run(
        [sys.executable, __file__, "--measure"],
        env={**os.environ, **one_thread, "PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        check=True,
    )
    return [tuple(row) for row in json.loads(done.stdout)]


def measure() -> list[tuple[str, ...]]:
    from attention_core.translator import load_translator, search, translate
    from attention_core.words import parse_words
    from benchmarks.forward import NOT_MEASURED, in_turns

    model = load_translator()
    eager = torch_eager(model)
    table: list[tuple[str, ...]] = []

    def greedy_or_beam(words: Any, width: int) -> Any:
        return search(model, model.encode(words), width)

    for sentence in SENTENCES:
        words = parse_words(sentence)
        found = search(model, model.encode(words))
        size = (str(len(words)), str(len(found.pieces)))
        runs: list[Callable[[], Any]] = [partial(greedy_or_beam, words, 1)]
        if eager:
            runs.append(partial(eager, model.encode(words).ids))
            if runs[1]() != found.pieces:
                raise SystemExit(f"NumPy found {found.pieces}, PyTorch {runs[1]()}")
        medians = [1e3 * t for t in in_turns(runs)]
        theirs = (f"{medians[1]:.1f}", f"{medians[0] / medians[1]:.2f}") if eager else (NOT_MEASURED, "")
        table.append((*size, "greedy", f"{medians[0]:.1f}", *theirs))
        others: list[Callable[[], Any]] = [partial(greedy_or_beam, words, 5), partial(translate, words)]
        for what, seconds in zip(("beam 5", "greedy and all steps"), in_turns(others), strict=True):
            table.append((*size, what, f"{1e3 * seconds:.1f}", "", ""))
    return table


def torch_eager(model: Any) -> Callable[[Any], tuple[str, ...]] | None:
    """Encoder and greedy decoder written with PyTorch's own operations; None without PyTorch."""
    try:
        import torch
    except ImportError:
        return None
    from torch.nn import functional

    torch.set_num_threads(1)
    h, d = model.n_heads, model.d_model

    def tensor(array: Any) -> Any:
        return torch.from_numpy(array.copy())

    def stacked(w: Any) -> tuple[Any, Any, Any, Any]:
        W = torch.cat([tensor(W.transpose(1, 0, 2).reshape(d, d).T) for W in (w.W_Q, w.W_K, w.W_V)])
        b = torch.cat([tensor(b.reshape(-1)) for b in (w.b_Q, w.b_K, w.b_V)])
        return W, b, tensor(w.W_O.T), tensor(w.b_O)

    def split(x: Any) -> Any:
        return x.view(len(x), h, -1).transpose(0, 1)  # (n, d_model) -> (n_heads, n, d_head)

    def attend(q: Any, k: Any, v: Any, W_O: Any, b_O: Any) -> Any:
        weights = torch.softmax(q @ k.transpose(1, 2) / (d // h) ** 0.5, dim=-1)
        return functional.linear((weights @ v).transpose(0, 1).reshape(-1, d), W_O, b_O)

    def rest(w: Any) -> dict[str, Any]:
        named = {name: tensor(value) for name, value in vars(w).items() if hasattr(value, "dtype")}
        return named | {"W_1": named["W_1"].T.contiguous(), "W_2": named["W_2"].T.contiguous()}

    def norm(x: Any, t: dict[str, Any], name: str) -> Any:
        return functional.layer_norm(x, (d,), t[f"{name}_gain"], t[f"{name}_bias"], 1e-5)

    def feed_forward(x: Any, t: dict[str, Any]) -> Any:
        y = functional.linear(functional.relu(functional.linear(x, t["W_1"], t["b_1"])), t["W_2"], t["b_2"])
        return norm(x + y, t, "norm_ffn")

    w = model.weights
    encoder = [(rest(block), stacked(block.multi_head)) for block in w.encoder]
    decoder = [(rest(block), stacked(block.self_attention), stacked(block.cross_attention)) for block in w.decoder]
    source_table, table, bias = map(tensor, (w.source_embedding, w.target_embedding, w.out_bias))
    positions, names = tensor(model.positions), model.vocabulary.target

    @torch.inference_mode()
    def run(ids: Any) -> tuple[str, ...]:
        x = source_table[torch.from_numpy(ids.astype("int64"))] * d**0.5 + positions[: len(ids)]
        for t, (W, b, W_O, b_O) in encoder:
            q, k, v = (split(part) for part in functional.linear(x, W, b).chunk(3, dim=-1))
            x = feed_forward(norm(x + attend(q, k, v, W_O, b_O), t, "norm_attn"), t)
        memory = [
            [split(part) for part in functional.linear(x, W[d:], b[d:]).chunk(2, dim=-1)]
            for _, _, (W, b, _, _) in decoder
        ]
        past: list[list[Any]] = [[] for _ in decoder]
        pieces: list[int] = [0]
        while len(pieces) == 1 or names[pieces[-1]] != "</s>":
            y = table[pieces[-1:]] * d**0.5 + positions[len(pieces) - 1]
            for layer, (t, (W, b, W_O, b_O), (W_c, b_c, W_co, b_co)) in enumerate(decoder):
                q, k, v = (split(part) for part in functional.linear(y, W, b).chunk(3, dim=-1))
                if past[layer]:
                    k, v = (torch.cat(pair, dim=1) for pair in zip(past[layer], (k, v), strict=True))
                past[layer] = [k, v]
                y = norm(y + attend(q, k, v, W_O, b_O), t, "norm_attn")
                q = split(functional.linear(y, W_c[:d], b_c[:d]))
                y = norm(y + attend(q, *memory[layer], W_co, b_co), t, "norm_cross")
                y = feed_forward(y, t)
            pieces.append(int((functional.linear(y, table, bias))[0].argmax()))
        return tuple(names[piece] for piece in pieces[1:])

    return run


def main() -> None:
    table = [HEADER, *rows()]
    widths = [max(len(row[column]) for row in table) for column in range(len(HEADER))]
    for row in table:
        print("  ".join(cell.rjust(width) for cell, width in zip(row, widths, strict=True)).rstrip())
    print(f"aim: {AIM_MS} ms for the sentence of ten words")


if __name__ == "__main__":
    if "--measure" in sys.argv:
        print(json.dumps(measure()))
    else:
        main()

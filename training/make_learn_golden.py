"""Make tests/data/golden_learn.npz: what PyTorch's autograd and Adam answer for the small model. Development only.

    pip install -r training/requirements.txt
    python -m training.make_learn_golden

Arrays are named case/argument; every size differs from every other. The model is written here with PyTorch's own
operations and shares no line with attention_core.
"""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import torch
from torch import nn

OUT = Path(__file__).parents[1] / "tests" / "data" / "golden_learn.npz"
H, B, N, D, D_HEAD, WORDS, ANSWERS = 3, 4, 7, 14, 5, 11, 6
SHAPES = {
    "E": (WORDS, D),
    "W_Q": (H, D, D_HEAD),
    "W_K": (H, D, D_HEAD),
    "W_V": (H, D, D_HEAD),
    "W_O": (H * D_HEAD, D),
    "W_U": (D, ANSWERS),
}
RATE, STEPS = 0.02, 5


def main() -> None:
    torch.manual_seed(0)
    arrays = {}
    for case, positions, scaled in (("plain", False, True), ("positions", True, True), ("unscaled", True, False)):
        p = {name: nn.Parameter(torch.randn(shape, dtype=torch.float64) * 0.6) for name, shape in SHAPES.items()}
        ids, answers = sentences()
        arrays |= {f"{case}/{name}": tensor.detach().clone() for name, tensor in p.items()}
        arrays |= {f"{case}/ids": ids, f"{case}/answers": answers}
        loss, probs = run(p, ids, answers, positions, scaled)
        loss.backward()  # type: ignore[no-untyped-call]
        arrays |= {f"{case}/loss": loss.detach(), f"{case}/probs": probs.detach()}
        arrays |= {f"{case}/d{name}": tensor.grad.clone() for name, tensor in p.items() if tensor.grad is not None}
        optimizer = torch.optim.Adam(p.values(), lr=RATE)
        for _ in range(STEPS):
            optimizer.zero_grad()
            run(p, ids, answers, positions, scaled)[0].backward()  # type: ignore[no-untyped-call]
            optimizer.step()
        arrays |= {f"{case}/after_{name}": tensor.detach().clone() for name, tensor in p.items()}
    np.savez_compressed(OUT, **{name: tensor.numpy() for name, tensor in arrays.items()})
    print(f"{OUT.name}: {len(arrays)} arrays, {OUT.stat().st_size / 1000:.0f} kB")


def sentences() -> tuple[torch.Tensor, torch.Tensor]:
    """Sentences of different lengths (0 = no word), some places with a right answer, -1 for none."""
    ids = torch.randint(1, WORDS, (B, N))
    for sentence, length in enumerate((N, N - 1, N - 3, N - 2)):
        ids[sentence, length:] = 0
    answers = torch.full((B, N), -1)
    for sentence, place in ((0, 6), (1, 0), (1, 4), (2, 2), (3, 3)):
        answers[sentence, place] = int(torch.randint(0, ANSWERS, ()))
    return ids, answers


def run(
    p: dict[str, nn.Parameter], ids: torch.Tensor, answers: torch.Tensor, positions: bool, scaled: bool
) -> tuple[torch.Tensor, torch.Tensor]:
    x = nn.functional.embedding(ids, p["E"])
    if positions:
        pos = torch.arange(N, dtype=torch.float64)[:, None]
        angle = pos / 10000 ** (torch.arange(0, D, 2, dtype=torch.float64) / D)
        x = x + torch.stack([angle.sin(), angle.cos()], dim=-1).flatten(1)
    q, k, v = (torch.einsum("bnd,hde->bhne", x, p[name]) for name in ("W_Q", "W_K", "W_V"))
    z = nn.functional.scaled_dot_product_attention(
        q, k, v, attn_mask=(ids > 0)[:, None, None, :], scale=1 / math.sqrt(D_HEAD) if scaled else 1.0
    )
    logits = torch.einsum("bhne->bnhe", z).flatten(2) @ p["W_O"] @ p["W_U"]
    loss = nn.functional.cross_entropy(logits.flatten(0, 1), answers.flatten(), ignore_index=-1)
    return loss, logits.softmax(-1)


if __name__ == "__main__":
    main()

"""Make tests/data/golden_rnn.npz: what torch.nn.RNN answers, for the parity test. Development only.

pip install -r training/requirements.txt
python -m training.make_rnn_golden
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import torch
from torch import nn

OUT = Path(__file__).parents[1] / "tests" / "data" / "golden_rnn.npz"
D_IN, D_HIDDEN, N = 5, 7, 9


def main() -> None:
    torch.manual_seed(0)
    module = nn.RNN(D_IN, D_HIDDEN, nonlinearity="tanh", dtype=torch.float64)
    x = torch.randn(N, D_IN, dtype=torch.float64)
    h, _ = module(x)
    arrays = {
        "x": x,
        "W_x": module.weight_ih_l0.T,  # PyTorch keeps (out, in)
        "W_h": module.weight_hh_l0.T,
        "b": module.bias_ih_l0 + module.bias_hh_l0,  # it has two biases, which only ever appear as their sum
        "h": h,
    }
    np.savez_compressed(OUT, **{name: tensor.detach().numpy() for name, tensor in arrays.items()})  # type: ignore[arg-type]
    print(f"{OUT.name}: {len(arrays)} arrays, {OUT.stat().st_size / 1000:.0f} kB")


if __name__ == "__main__":
    main()

"""Make tests/data/golden_attention.npz: what PyTorch answers, for the parity tests. Development only.

    pip install -r training/requirements.txt
    python -m training.make_golden

Arrays are named case/argument; every size differs from every other. Masks are stored our way, True = may attend.
Inputs of the plain attention cases are rounded to float16 before use and stored so, which keeps the file small.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from attention_core.sources import EMBEDDINGS, Settings, paper, toy
from attention_core.sources.source_trace import SourceTrace
from attention_core.words.word import Word

OUT = Path(__file__).parents[1] / "tests" / "data" / "golden_attention.npz"
Arrays = dict[str, NDArray[np.generic]]


def main() -> None:
    torch.manual_seed(0)
    arrays: Arrays = {}
    arrays |= named("sdpa_toy", sdpa(heads=2, n_q=3, n_k=5, d_head=4, dtype=torch.float64))
    arrays |= named("sdpa_paper", sdpa(heads=8, n_q=7, n_k=9, d_head=64, dtype=torch.float32))
    for kind in ("none", "causal", "padding"):
        arrays |= named(f"mha_{kind}", multi_head(heads=3, d_model=12, n_q=5, n_k=7, kind=kind))
        arrays |= named(f"block_{kind}", encoder_block(heads=2, d_model=8, d_ff=11, n=6, kind=kind))
    for kind in ("causal", "none"):  # the decoder's own positions; its view of the encoder is always whole
        arrays |= named(f"decoder_{kind}", decoder_block(heads=2, d_model=10, d_ff=13, n_q=4, n_k=7, kind=kind))
    words = [Word(text) for text in ["我", "喜欢", "我", "的", "猫"]]
    for embedding in EMBEDDINGS:
        settings = Settings(d_model=6, embedding=embedding, positions=True, seed=7)
        arrays |= named(f"toy_{embedding}", source(toy.trace(words, settings)))
        arrays |= named(f"paper_{embedding}", source(paper.trace(words, settings)))
    arrays["gelu/x"] = np.linspace(-8, 8, 321)
    arrays["gelu/y"] = nn.functional.gelu(torch.from_numpy(arrays["gelu/x"])).numpy()
    np.savez_compressed(OUT, **arrays)  # type: ignore[arg-type]  # the stub takes ** for allow_pickle
    print(f"{OUT.name}: {len(arrays)} arrays, {OUT.stat().st_size / 1000:.0f} kB")


def named(case: str, arrays: dict[str, torch.Tensor]) -> Arrays:
    return {f"{case}/{name}": tensor.detach().numpy() for name, tensor in arrays.items()}


def mask(kind: str, n_q: int, n_k: int) -> torch.Tensor:
    """(n_q, n_k), True = may attend."""
    if kind == "causal":
        return torch.ones(n_q, n_k, dtype=torch.bool).tril()
    if kind == "padding":
        return (torch.arange(n_k) < n_k - 2).expand(n_q, n_k).clone()
    return torch.ones(n_q, n_k, dtype=torch.bool)


def sdpa(heads: int, n_q: int, n_k: int, d_head: int, dtype: torch.dtype) -> dict[str, torch.Tensor]:
    q, k, v = (torch.randn(heads, n, d_head, dtype=dtype).half().to(dtype) for n in (n_q, n_k, n_k))
    out = {"q": q.half(), "k": k.half(), "v": v.half()}
    for kind in ("none", "causal", "padding"):
        may = mask(kind, n_q, n_k)  # here True = may attend, as with us
        out[f"z_{kind}"] = nn.functional.scaled_dot_product_attention(q, k, v, attn_mask=may)
    out["z_scale"] = nn.functional.scaled_dot_product_attention(q, k, v, scale=0.3)
    return out


def split_weights(module: nn.MultiheadAttention) -> dict[str, torch.Tensor]:
    """PyTorch's stacked (3 d_model, d_model) [out, in] weights as ours: (heads, d_model, d_head)."""
    heads, d_model, d_head = module.num_heads, module.embed_dim, module.head_dim
    out: dict[str, torch.Tensor] = {}
    for name, w, b in zip("QKV", module.in_proj_weight.chunk(3), module.in_proj_bias.chunk(3), strict=True):
        out[f"W_{name}"] = w.T.reshape(d_model, heads, d_head).transpose(0, 1).contiguous()
        out[f"b_{name}"] = b.reshape(heads, d_head)
    return out | {"W_O": module.out_proj.weight.T.contiguous(), "b_O": module.out_proj.bias}


def randomise(module: nn.Module) -> None:
    """Every parameter its own random numbers: PyTorch starts biases at 0 and layer norms at 1, which tests nothing."""
    with torch.no_grad():
        for parameter in module.parameters():
            parameter.copy_(torch.randn_like(parameter) * 0.5)


def multi_head(heads: int, d_model: int, n_q: int, n_k: int, kind: str) -> dict[str, torch.Tensor]:
    module = nn.MultiheadAttention(d_model, heads, dtype=torch.float64).eval()
    randomise(module)
    x_q, x_kv = torch.randn(n_q, d_model, dtype=torch.float64), torch.randn(n_k, d_model, dtype=torch.float64)
    may = mask(kind, n_q, n_k)
    out, weights = module(x_q, x_kv, x_kv, attn_mask=~may, average_attn_weights=False)  # here True = hidden
    return split_weights(module) | {"x_q": x_q, "x_kv": x_kv, "mask": may, "attn_weights": weights, "attn_out": out}


def source(trace: SourceTrace) -> dict[str, torch.Tensor]:
    """A source's own X and weights in nn.MultiheadAttention. The weights are not stored: the test draws them too."""
    ours = trace.multi_head
    heads, d_model, _ = ours.W_Q.shape
    x = torch.tensor(ours.x_q)
    module = nn.MultiheadAttention(d_model, heads, dtype=x.dtype).eval()
    stacked = [w.transpose(1, 0, 2).reshape(d_model, d_model).T for w in (ours.W_Q, ours.W_K, ours.W_V)]
    with torch.no_grad():
        module.in_proj_weight.copy_(torch.tensor(np.concatenate(stacked)))
        module.in_proj_bias.zero_()
        module.out_proj.weight.copy_(torch.tensor(ours.W_O.T))
        module.out_proj.bias.zero_()
    out, weights = module(x, x, x, average_attn_weights=False)
    return {"x": x, "attn_weights": weights, "attn_out": out}


def encoder_block(heads: int, d_model: int, d_ff: int, n: int, kind: str) -> dict[str, torch.Tensor]:
    module = nn.TransformerEncoderLayer(
        d_model, heads, d_ff, dropout=0.0, activation="gelu", norm_first=False, dtype=torch.float64
    ).eval()
    randomise(module)
    x = torch.randn(n, d_model, dtype=torch.float64)
    may = mask(kind, n, n)
    out = module(x, src_mask=~may)  # here True = hidden
    return split_weights(module.self_attn) | {
        "W_1": module.linear1.weight.T.contiguous(),
        "b_1": module.linear1.bias,
        "W_2": module.linear2.weight.T.contiguous(),
        "b_2": module.linear2.bias,
        "norm_attn_gain": module.norm1.weight,
        "norm_attn_bias": module.norm1.bias,
        "norm_ffn_gain": module.norm2.weight,
        "norm_ffn_bias": module.norm2.bias,
        "x": x,
        "mask": may,
        "norm_ffn": out,
    }


def decoder_block(heads: int, d_model: int, d_ff: int, n_q: int, n_k: int, kind: str) -> dict[str, torch.Tensor]:
    module = nn.TransformerDecoderLayer(d_model, heads, d_ff, dropout=0.0, dtype=torch.float64).eval()  # ReLU, post-LN
    randomise(module)
    x, memory = torch.randn(n_q, d_model, dtype=torch.float64), torch.randn(n_k, d_model, dtype=torch.float64)
    out = module(x, memory, tgt_mask=~mask(kind, n_q, n_q))  # here True = hidden
    attentions = {"self": module.self_attn, "cross": module.multihead_attn}
    norms = {"attn": module.norm1, "cross": module.norm2, "ffn": module.norm3}
    arrays = {f"{which}_{k}": w for which, attention in attentions.items() for k, w in split_weights(attention).items()}
    arrays |= {f"norm_{which}_gain": norm.weight for which, norm in norms.items()}
    arrays |= {f"norm_{which}_bias": norm.bias for which, norm in norms.items()}
    return arrays | {
        "W_1": module.linear1.weight.T.contiguous(),
        "b_1": module.linear1.bias,
        "W_2": module.linear2.weight.T.contiguous(),
        "b_2": module.linear2.bias,
        "x": x,
        "memory": memory,
        "norm_ffn": out,
    }


if __name__ == "__main__":
    main()

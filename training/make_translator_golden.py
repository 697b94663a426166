"""Make tests/data/golden_translator.npz: what PyTorch computes with the committed weights. Development only.

    python training/make_translator_golden.py

The network is built from torch.nn.TransformerEncoderLayer and TransformerDecoderLayer, not from our own modules, and
reads every step anew instead of keeping keys and values. Of the logits every EVERYth column is kept, and the logarithm
of the sum over all of them, which keeps the file small.
"""

from __future__ import annotations

import math
import sys
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from attention_core.attention import MultiHeadWeights  # noqa: E402
from attention_core.block import DecoderBlockWeights, EncoderBlockWeights  # noqa: E402
from attention_core.translator.target_text import END, START  # noqa: E402
from attention_core.translator.weights import TranslatorWeights, load_weights  # noqa: E402

OUT = ROOT / "tests" / "data" / "golden_translator.npz"
EVERY = 9
# Words as the model reads them; the last sentence has a word in characters and a character that nobody knows.
SENTENCES = ("我/昨天/去/超市/买/了/苹果/。", "今天/天气/怎么样/？", "小/明/比/龘/老师/高/。")


def main() -> None:
    weights = load_weights()
    network = Network(weights)
    arrays: dict[str, NDArray[np.generic]] = {}
    for number, sentence in enumerate(SENTENCES):
        source = [weights.vocabulary.source_ids.get(piece, 0) for piece in sentence.split("/")]
        with torch.inference_mode():
            for name, value in network.translate(source).items():
                arrays[f"{number}/{name}"] = value
        arrays[f"{number}/sentence"] = np.array(sentence)
    np.savez_compressed(OUT, **arrays)  # type: ignore[arg-type]  # the stub takes ** for allow_pickle
    print(f"{OUT.name}: {len(arrays)} arrays, {OUT.stat().st_size / 1000:.0f} kB")


class Network:
    """The translator out of PyTorch's own layers."""

    def __init__(self, weights: TranslatorWeights) -> None:
        self.weights = weights
        self.source = tensor(weights.source_embedding)
        self.target = tensor(weights.target_embedding)
        self.bias = tensor(weights.out_bias)
        self.encoder = [encoder_layer(w) for w in weights.encoder]
        self.decoder = [decoder_layer(w) for w in weights.decoder]

    def embedded(self, table: Tensor, ids: list[int]) -> Tensor:
        """(1, n, d_model)."""
        d = table.shape[1]
        position = torch.arange(len(ids), dtype=torch.float64)[:, None]
        angle = position / 10000 ** (torch.arange(0, d, 2, dtype=torch.float64) / d)
        waves = torch.stack((angle.sin(), angle.cos()), dim=-1).flatten(1).float()
        return (table[ids] * math.sqrt(d) + waves)[None]

    def translate(self, source: list[int]) -> dict[str, NDArray[np.generic]]:
        x = self.embedded(self.source, source)
        hidden, attentions = [x], []
        for layer in self.encoder:
            attentions.append(layer.self_attn(x, x, x, average_attn_weights=False)[1])
            x = layer(x)
            hidden.append(x)
        names = self.weights.vocabulary.target
        pieces: list[int] = []
        while len(pieces) < 40 and (not pieces or names[pieces[-1]] != END):
            y = self.decoded([names.index(START), *pieces], x)[0]
            pieces.append(int((y[-1] @ self.target.T + self.bias).argmax()))
        y, self_attention, cross_attention, states = self.decoded([names.index(START), *pieces[:-1]], x, looks=True)
        logits = y @ self.target.T + self.bias
        return {
            "pieces": np.array([names[piece] for piece in pieces]),
            "encoder_hidden": torch.cat(hidden).numpy(),
            "encoder_attention": torch.cat(attentions).numpy(),
            "decoder_hidden": states.numpy(),
            "self_attention": self_attention.numpy(),
            "cross_attention": cross_attention.numpy(),
            "logits": logits[:, ::EVERY].numpy(),
            "log_sum": torch.logsumexp(logits, dim=-1).numpy(),
        }

    def decoded(self, ids: list[int], memory: Tensor, looks: bool = False) -> tuple[Tensor, ...]:
        """The last hidden states (n, d_model); with looks also both kinds of attention weights and all states."""
        y = self.embedded(self.target, ids)
        hidden = torch.full((len(ids), len(ids)), -torch.inf).triu(1)
        own, cross, states = [], [], [y]
        for layer in self.decoder:
            if looks:
                attended, weights = layer.self_attn(y, y, y, attn_mask=hidden, average_attn_weights=False)
                own.append(weights)
                query = layer.norm1(y + attended)
                cross.append(layer.multihead_attn(query, memory, memory, average_attn_weights=False)[1])
            y = layer(y, memory, tgt_mask=hidden)
            states.append(y)
        return (y[0], torch.cat(own), torch.cat(cross), torch.cat(states)) if looks else (y[0],)


def tensor(array: NDArray[np.floating]) -> Tensor:
    return torch.tensor(np.asarray(array))


def encoder_layer(w: EncoderBlockWeights) -> nn.TransformerEncoderLayer:
    n_heads, d_model, _ = w.multi_head.W_Q.shape
    layer = nn.TransformerEncoderLayer(d_model, n_heads, w.W_1.shape[1], dropout=0.0, batch_first=True).eval()
    fill(layer.self_attn, w.multi_head)
    fill_rest(layer, w, ((layer.norm1, "norm_attn"), (layer.norm2, "norm_ffn")))
    return layer


def decoder_layer(w: DecoderBlockWeights) -> nn.TransformerDecoderLayer:
    n_heads, d_model, _ = w.self_attention.W_Q.shape
    layer = nn.TransformerDecoderLayer(d_model, n_heads, w.W_1.shape[1], dropout=0.0, batch_first=True).eval()
    fill(layer.self_attn, w.self_attention)
    fill(layer.multihead_attn, w.cross_attention)
    fill_rest(layer, w, ((layer.norm1, "norm_attn"), (layer.norm2, "norm_cross"), (layer.norm3, "norm_ffn")))
    return layer


def fill(module: nn.MultiheadAttention, w: MultiHeadWeights) -> None:
    """Our (n_heads, d_model, d_head) matrices as PyTorch's stacked (3 d_model, d_model)."""
    d_model = w.W_O.shape[1]
    stacked = [tensor(W.transpose(1, 0, 2).reshape(d_model, -1).T) for W in (w.W_Q, w.W_K, w.W_V)]
    with torch.no_grad():
        module.in_proj_weight.copy_(torch.cat(stacked))
        module.in_proj_bias.copy_(torch.cat([tensor(b.reshape(-1)) for b in (w.b_Q, w.b_K, w.b_V)]))
        module.out_proj.weight.copy_(tensor(w.W_O.T))
        module.out_proj.bias.copy_(tensor(w.b_O))


def fill_rest(layer: nn.Module, w: EncoderBlockWeights | DecoderBlockWeights, norms) -> None:
    with torch.no_grad():
        for number, linear in ((1, layer.linear1), (2, layer.linear2)):
            linear.weight.copy_(tensor(getattr(w, f"W_{number}").T))
            linear.bias.copy_(tensor(getattr(w, f"b_{number}")))
        for norm, name in norms:
            norm.weight.copy_(tensor(getattr(w, f"{name}_gain")))
            norm.bias.copy_(tensor(getattr(w, f"{name}_bias")))


if __name__ == "__main__":
    main()

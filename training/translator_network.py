"""The translator in PyTorch: the encoder-decoder of Vaswani et al. 2017, small. Used by train_translator.py.

Post-LN, ReLU, sinusoidal positions, embeddings times sqrt(d_model), the target embedding is also the output matrix
(section 3.4). Different from the paper: biases in the attention.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.nn import functional as F  # noqa: N812


@dataclass(frozen=True)
class Sizes:
    """The sizes of the network."""

    n_source: int
    n_target: int
    d_model: int = 256
    n_heads: int = 8
    d_ff: int = 1024
    n_layers: int = 2
    dropout: float = 0.2


class Attention(nn.Module):
    """Multi-head attention; the rows of `qkv` are the three projections, as in torch.nn.MultiheadAttention."""

    def __init__(self, d_model: int, n_heads: int) -> None:
        super().__init__()
        self.n_heads = n_heads
        self.qkv = nn.Linear(d_model, 3 * d_model)
        self.out = nn.Linear(d_model, d_model)
        nn.init.xavier_uniform_(self.qkv.weight, gain=1 / math.sqrt(2))
        nn.init.xavier_uniform_(self.out.weight)
        nn.init.zeros_(self.qkv.bias)
        nn.init.zeros_(self.out.bias)

    def forward(self, x_q: Tensor, x_kv: Tensor | None = None, mask: Tensor | None = None) -> Tensor:
        """x_q: (batch, n_q, d_model); x_kv: (batch, n_k, d_model) or None for x_q; mask: additive."""
        d = x_q.shape[-1]
        if x_kv is None:
            q, k, v = self.qkv(x_q).chunk(3, dim=-1)
        else:
            q = F.linear(x_q, self.qkv.weight[:d], self.qkv.bias[:d])
            k, v = F.linear(x_kv, self.qkv.weight[d:], self.qkv.bias[d:]).chunk(2, dim=-1)
        heads = [x.unflatten(-1, (self.n_heads, -1)).transpose(1, 2) for x in (q, k, v)]
        z = attend(*heads, mask)
        return self.out(z.transpose(1, 2).flatten(-2))


def attend(q: Tensor, k: Tensor, v: Tensor, mask: Tensor) -> Tensor:
    """Scaled dot-product attention; for rows as short as these two products are quicker than torch's fused kernel."""
    scores = q @ (k.transpose(-1, -2) / math.sqrt(q.shape[-1])) + mask
    return torch.softmax(scores, dim=-1).to(v.dtype) @ v


class FeedForward(nn.Module):
    """Two linear maps with a ReLU between them."""

    def __init__(self, sizes: Sizes) -> None:
        super().__init__()
        self.first = nn.Linear(sizes.d_model, sizes.d_ff)
        self.second = nn.Linear(sizes.d_ff, sizes.d_model)
        for linear in (self.first, self.second):
            nn.init.xavier_uniform_(linear.weight)
            nn.init.zeros_(linear.bias)

    def forward(self, x: Tensor) -> Tensor:
        return self.second(F.relu(self.first(x)))


class Layer(nn.Module):
    """One block: self-attention, in the decoder cross-attention, feed-forward; Add & Norm after each."""

    def __init__(self, sizes: Sizes, decoder: bool) -> None:
        super().__init__()
        self.attn = Attention(sizes.d_model, sizes.n_heads)
        self.cross = Attention(sizes.d_model, sizes.n_heads) if decoder else None
        self.ffn = FeedForward(sizes)
        self.norm_attn = nn.LayerNorm(sizes.d_model)
        self.norm_cross = nn.LayerNorm(sizes.d_model) if decoder else None
        self.norm_ffn = nn.LayerNorm(sizes.d_model)
        self.drop = sizes.dropout

    def forward(
        self, x: Tensor, mask: Tensor, memory: Tensor | None = None, memory_mask: Tensor | None = None
    ) -> Tensor:
        x = self.norm_attn(x + self._dropped(self.attn(x, mask=mask)))
        if self.cross is not None:
            x = self.norm_cross(x + self._dropped(self.cross(x, memory, memory_mask)))
        return self.norm_ffn(x + self._dropped(self.ffn(x)))

    def _dropped(self, x: Tensor) -> Tensor:
        return F.dropout(x, self.drop, self.training)


class Translator(nn.Module):
    """The whole network."""

    def __init__(self, sizes: Sizes) -> None:
        super().__init__()
        self.sizes = sizes
        self.source = nn.Embedding(sizes.n_source, sizes.d_model)
        self.target = nn.Embedding(sizes.n_target, sizes.d_model)
        self.out_bias = nn.Parameter(torch.zeros(sizes.n_target))
        self.encoder = nn.ModuleList(Layer(sizes, decoder=False) for _ in range(sizes.n_layers))
        self.decoder = nn.ModuleList(Layer(sizes, decoder=True) for _ in range(sizes.n_layers))
        self.register_buffer("positions", sinusoids(512, sizes.d_model), persistent=False)
        for embedding in (self.source, self.target):
            nn.init.normal_(embedding.weight, std=sizes.d_model**-0.5)

    def embed(self, embedding: nn.Embedding, ids: Tensor) -> Tensor:
        x = embedding(ids) * math.sqrt(self.sizes.d_model) + self.positions[: ids.shape[1]]
        return F.dropout(x, self.sizes.dropout, self.training)

    def encode(self, source: Tensor, mask: Tensor) -> Tensor:
        """source: (batch, n_source) ids; mask: (batch, 1, 1, n_source), added to the scores: 0, -1e9 on padding."""
        x = self.embed(self.source, source)
        for layer in self.encoder:
            x = layer(x, mask)
        return x

    def decode(self, memory: Tensor, mask: Tensor, target: Tensor) -> Tensor:
        """The last hidden states (batch, n_target, d_model) for the pieces so far, `<s>` first."""
        x = self.embed(self.target, target)
        n = target.shape[1]
        causal = torch.full((n, n), -1e9).triu(1)
        for layer in self.decoder:
            x = layer(x, causal, memory, mask)
        return x

    def logits(self, hidden: Tensor) -> Tensor:
        """(..., d_model) -> (..., n_target)."""
        return F.linear(hidden, self.target.weight, self.out_bias)


class SmoothedLoss(torch.autograd.Function):
    """Summed cross-entropy with label smoothing (section 5.4), its gradient made in the same pass over the logits."""

    @staticmethod
    def forward(ctx, logits: Tensor, wanted: Tensor, smoothing: float) -> Tensor:
        """logits: (n, n_target), wanted: (n,) ids."""
        ctx.dtype = logits.dtype
        logits = logits.float()
        rows = torch.arange(len(wanted))
        peak = logits.amax(dim=-1, keepdim=True)
        gradient = (logits - peak).exp_()
        total = gradient.sum(dim=-1, keepdim=True)
        log_sum = (peak + total.log()).squeeze(-1)
        loss = log_sum - (1 - smoothing) * logits[rows, wanted] - smoothing * logits.mean(dim=-1)
        gradient.div_(total).sub_(smoothing / logits.shape[1])
        gradient[rows, wanted] -= 1 - smoothing
        ctx.save_for_backward(gradient)
        return loss.sum()

    @staticmethod
    def backward(ctx, grad: Tensor) -> tuple[Tensor, None, None]:
        (gradient,) = ctx.saved_tensors
        return gradient.mul_(grad).to(ctx.dtype), None, None


def sinusoids(n: int, d_model: int) -> Tensor:
    """The positional encoding of Vaswani et al. 2017, section 3.5: sine in the even columns, cosine in the odd ones."""
    angle = torch.arange(n)[:, None] / 10000 ** (torch.arange(0, d_model, 2) / d_model)
    return torch.stack((angle.sin(), angle.cos()), dim=-1).flatten(1).float()

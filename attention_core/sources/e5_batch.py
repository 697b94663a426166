"""Two sentences of different length in one padded batch of the real model's first layer."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from attention_core.block import encoder_block
from attention_core.masks import causal_mask, padding_mask
from attention_core.sources.e5 import EncoderRun, Model
from attention_core.trace import BoolArray, FloatArray, ReadOnlyArrays

PAD = "<pad>"


@dataclass(frozen=True, eq=False)
class PaddedTrace(ReadOnlyArrays):
    """One sentence of the batch, filled up to the length n of the longest.

    pieces        n of them, the last n - n_real are `<pad>`
    n_real        pieces of the sentence itself, `<s>` and `</s>` counted
    padding       (n, n) bool, True = may attend: every real key
    causal        (n, n) bool, True = may attend: oneself and what came before; all True unless asked for
    attn_weights  (n_heads, n, n)  under both masks
    difference    the largest difference between the real rows of the layer's output here and unpadded
    """

    pieces: tuple[str, ...]
    n_real: int
    padding: BoolArray
    causal: BoolArray
    attn_weights: FloatArray
    difference: float

    @property
    def mask(self) -> BoolArray:
        return self.padding & self.causal


def padded_batch(model: Model, runs: tuple[EncoderRun, EncoderRun], *, causal: bool) -> tuple[PaddedTrace, PaddedTrace]:
    """Both sentences through the first layer, each row of a padding position computed too, as in any batch."""
    n = max(len(run.pieces) for run in runs)
    first, second = (_padded(model, run, n, causal) for run in runs)
    return first, second


def _padded(model: Model, run: EncoderRun, n: int, causal: bool) -> PaddedTrace:
    n_real = len(run.pieces)
    pad = np.full(n - n_real, model.weights.vocabulary.ids[PAD], dtype=np.int32)
    x = model.embedding(np.concatenate([run.ids, pad])).normed  # (n, d_model)
    padding = padding_mask(n_real, n)
    no_future = causal_mask(n) if causal else np.ones((n, n), dtype=np.bool_)
    weights = model.block_weights(0)
    block = encoder_block(x, weights, padding & no_future)
    alone = encoder_block(x[:n_real], weights, no_future[:n_real, :n_real])
    difference = float(np.abs(block.norm_ffn[:n_real] - alone.norm_ffn).max())
    pieces = (*run.pieces, *[PAD] * (n - n_real))
    return PaddedTrace(pieces, n_real, padding, no_future, block.multi_head.attention.attn_weights, difference)

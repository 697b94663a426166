"""A layer computed anew: one head under a mask, unscaled or at another temperature; or with numbers changed by hand."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from attention_core.attention import MultiHeadWeights, multi_head_attention, scaled_dot_product_attention
from attention_core.trace import AttentionTrace, BoolArray, MultiHeadTrace


def step_trace(
    layer: MultiHeadTrace,
    head: int,
    *,
    mask: BoolArray | None = None,
    scaled: bool = True,
    temperature: float = 1.0,
) -> AttentionTrace:
    """Attention of one head (from 0), n_heads = 1 in every array, in float64: a temperature of 0.01 magnifies rounding.

    mask         (n_q, n_k), True = may attend
    scaled       divide the scores by sqrt(d_head), as Vaswani et al. 2017 do (section 3.2.1)
    temperature  what the masked scores are divided by inside the softmax: below 1 sharper, above 1 flatter

    scaled_scores and masked_scores are those before the temperature. IndexError: there is no such head. ValueError: the
    temperature is not above 0, or the mask hides every key of a query.
    """
    if not 0 <= head < len(layer.attention.q):
        raise IndexError(f"head {head} does not exist: there are {len(layer.attention.q)}, counted from 0")
    if not temperature > 0:
        raise ValueError(f"the temperature must be above 0, not {temperature}")
    q, k, v = (
        array[head : head + 1].astype(np.float64) for array in (layer.attention.q, layer.attention.k, layer.attention.v)
    )
    scale = 1 / math.sqrt(q.shape[-1]) if scaled else 1.0
    trace = scaled_dot_product_attention(q, k, v, mask, scale=scale / temperature)
    scaled_scores = trace.scores * scale  # (1, n_q, n_k)
    masked_scores = np.where(trace.mask, scaled_scores, -np.inf)  # (1, n_q, n_k)
    return replace(trace, scaled_scores=scaled_scores, masked_scores=masked_scores)


def edited_layer(layer: MultiHeadTrace, edits: Mapping[tuple[str, tuple[int, ...]], float]) -> MultiHeadTrace:
    """Self-attention computed anew after some of its numbers were changed by hand.

    edits: (name, place) -> number, with the name "X" and the place (position, dimension), or "W_Q", "W_K" or "W_V" and
    (head, row, column). ValueError: another name, or a number that is not finite. IndexError: no such place.
    """
    arrays = {"X": layer.x_q, "W_Q": layer.W_Q, "W_K": layer.W_K, "W_V": layer.W_V}
    changed = {name: np.array(array) for name, array in arrays.items()}
    for (name, place), number in edits.items():
        if name not in changed or not math.isfinite(number):
            raise ValueError(f"{number} cannot be written into {name}: only finite numbers into {', '.join(changed)}")
        shape = changed[name].shape
        if len(place) != len(shape) or not all(0 <= at < size for at, size in zip(place, shape, strict=True)):
            raise IndexError(f"{name} {shape} has no place {place}")
        changed[name][place] = number
    x = changed.pop("X")
    weights = MultiHeadWeights(**changed, b_Q=layer.b_Q, b_K=layer.b_K, b_V=layer.b_V, W_O=layer.W_O, b_O=layer.b_O)
    return multi_head_attention(x, x, weights)

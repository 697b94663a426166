"""The boxes of a Transformer as it is drawn: encoder, then decoder (Vaswani et al. 2017, figure 1)."""

from __future__ import annotations

BOXES = (  # in the order in which the data meets them
    "embedding",
    "positions",
    "attention",
    "norm_attn",
    "ffn",
    "norm_ffn",
    "encoder",
    "target",
    "target_positions",
    "masked",
    "norm_masked",
    "cross",
    "norm_cross",
    "target_ffn",
    "norm_target",
    "decoder",
    "linear",
    "softmax",
)

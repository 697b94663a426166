"""A small translator with seeded weights: sizes that all differ, and pieces that can be read aloud."""

import dataclasses

import numpy as np
import pytest

from attention_core.attention import MultiHeadWeights
from attention_core.block import DecoderBlockWeights, EncoderBlockWeights
from attention_core.translator import Translator
from attention_core.translator.weights import TranslatorWeights, Vocabulary

D_MODEL, N_HEADS, D_HEAD, D_FF, N_LAYERS = 6, 2, 3, 11, 2
SOURCE = ("<unk>", "。", "买", "我", "苹", "苹果", "果")
TARGET = ("<s>", "</s>", "<unk>", "'s", ".", "es", "▁I", "▁an", "▁appl", "▁bought")
MERGES = (("▁", "I"), ("▁", "a"), ("p", "p"), ("▁a", "pp"), ("▁app", "l"), ("e", "s"), ("'", "s"))


def vocabulary():
    return Vocabulary(
        source=SOURCE,
        target=TARGET,
        source_ids={piece: number for number, piece in enumerate(SOURCE)},
        target_ids={piece: number for number, piece in enumerate(TARGET)},
        ranks={pair: rank for rank, pair in enumerate(MERGES)},
    )


def small_weights(seed):
    rng = np.random.default_rng(seed)

    def some(*shape):
        return rng.normal(scale=0.7, size=shape).astype(np.float32)

    def multi_head():
        shapes = [(N_HEADS, D_MODEL, D_HEAD)] * 3 + [(N_HEADS, D_HEAD)] * 3
        return MultiHeadWeights(*(some(*shape) for shape in shapes), some(D_MODEL, D_MODEL), some(D_MODEL))

    def rest(norms):
        parts = {f"{norm}_{part}": some(D_MODEL) for norm in norms for part in ("gain", "bias")}
        return parts | {"W_1": some(D_MODEL, D_FF), "b_1": some(D_FF), "W_2": some(D_FF, D_MODEL), "b_2": some(D_MODEL)}

    return TranslatorWeights(
        vocabulary=vocabulary(),
        source_embedding=some(len(SOURCE), D_MODEL),
        target_embedding=some(len(TARGET), D_MODEL),
        out_bias=some(len(TARGET)),
        encoder=tuple(EncoderBlockWeights(multi_head(), **rest(("norm_attn", "norm_ffn"))) for _ in range(N_LAYERS)),
        decoder=tuple(
            DecoderBlockWeights(multi_head(), multi_head(), **rest(("norm_attn", "norm_cross", "norm_ffn")))
            for _ in range(N_LAYERS)
        ),
    )


def with_bias(weights, **biases):
    """The weights, with the output's bias changed for some pieces: what the model likes to say."""
    bias = weights.out_bias.copy()
    for piece, value in biases.items():
        bias[TARGET.index({"end": "</s>", "es": "es"}[piece])] = value
    return dataclasses.replace(weights, out_bias=bias)


@pytest.fixture(scope="session")
def small():
    return Translator(small_weights(0))

"""Parity with PyTorch: its answers are in golden_attention.npz, made once by training/make_golden.py."""

import math
from pathlib import Path

import numpy as np
import pytest

from attention_core.attention import MultiHeadWeights, multi_head_attention, scaled_dot_product_attention
from attention_core.block import DecoderBlockWeights, EncoderBlockWeights, decoder_block, encoder_block
from attention_core.masks import causal_mask, padding_mask
from attention_core.ops import gelu
from attention_core.sources import EMBEDDINGS, Settings, paper, toy
from attention_core.words.word import Word

FILE = Path(__file__).parents[1] / "data" / "golden_attention.npz"
MASKS = {
    "none": lambda n_q, n_k: None,
    "causal": causal_mask,
    "padding": lambda n_q, n_k: padding_mask(n_k - 2, n_k, n_q),
}
MULTI_HEAD = ("W_Q", "W_K", "W_V", "b_Q", "b_K", "b_V", "W_O", "b_O")
BLOCK = ("norm_attn_gain", "norm_attn_bias", "W_1", "b_1", "W_2", "b_2", "norm_ffn_gain", "norm_ffn_bias")

DECODER = ("norm_attn_gain", "norm_attn_bias", "norm_cross_gain", "norm_cross_bias", *BLOCK[2:])


@pytest.fixture(scope="module")
def golden():
    with np.load(FILE, allow_pickle=False) as file:
        return dict(file)


def case(golden, name):
    return {key.split("/")[1]: array for key, array in golden.items() if key.startswith(name + "/")}


def test_the_file_stays_small():
    assert FILE.stat().st_size < 300_000


@pytest.mark.parametrize("kind", MASKS)
@pytest.mark.parametrize(("name", "dtype", "rtol"), [("sdpa_toy", np.float64, 1e-10), ("sdpa_paper", np.float32, 1e-4)])
def test_scaled_dot_product_attention(golden, name, dtype, rtol, kind):
    g = case(golden, name)
    q, k, v = (g[letter].astype(dtype) for letter in "qkv")
    t = scaled_dot_product_attention(q, k, v, MASKS[kind](q.shape[1], k.shape[1]))
    np.testing.assert_allclose(t.z, g[f"z_{kind}"], rtol=rtol, atol=rtol / 10)
    assert t.z.dtype == dtype


def test_scale(golden):
    g = case(golden, "sdpa_toy")
    q, k, v = (g[letter].astype(np.float64) for letter in "qkv")
    np.testing.assert_allclose(scaled_dot_product_attention(q, k, v, scale=0.3).z, g["z_scale"], rtol=1e-10)


@pytest.mark.parametrize("kind", MASKS)
def test_multi_head_attention(golden, kind):
    g = case(golden, f"mha_{kind}")
    mask = MASKS[kind](len(g["x_q"]), len(g["x_kv"]))
    if mask is not None:
        np.testing.assert_array_equal(mask, g["mask"])
    t = multi_head_attention(g["x_q"], g["x_kv"], MultiHeadWeights(*(g[name] for name in MULTI_HEAD)), mask)
    np.testing.assert_allclose(t.attention.attn_weights, g["attn_weights"], rtol=1e-10, atol=1e-15)
    np.testing.assert_allclose(t.attn_out, g["attn_out"], rtol=1e-10)


@pytest.mark.parametrize("kind", MASKS)
def test_encoder_block(golden, kind):
    g = case(golden, f"block_{kind}")
    multi_head = MultiHeadWeights(*(g[name] for name in MULTI_HEAD))
    w = EncoderBlockWeights(multi_head, *(g[name] for name in BLOCK), eps=1e-5)
    mask = MASKS[kind](len(g["x"]), len(g["x"]))
    exact = np.vectorize(lambda v: 0.5 * v * (1 + math.erf(v / math.sqrt(2))))
    np.testing.assert_allclose(encoder_block(g["x"], w, mask, exact).norm_ffn, g["norm_ffn"], rtol=1e-10, atol=1e-13)
    ours = encoder_block(g["x"], w, mask)  # its gelu is within 4e-7 of the exact one
    np.testing.assert_allclose(ours.norm_ffn, g["norm_ffn"], rtol=1e-5, atol=2e-6)


@pytest.mark.parametrize(("kind", "mask"), [("causal", None), ("none", np.ones((4, 4), bool))])
def test_decoder_block(golden, kind, mask):
    g = case(golden, f"decoder_{kind}")
    attentions = [MultiHeadWeights(*(g[f"{which}_{name}"] for name in MULTI_HEAD)) for which in ("self", "cross")]
    t = decoder_block(g["x"], g["memory"], DecoderBlockWeights(*attentions, *(g[name] for name in DECODER)), mask)
    np.testing.assert_allclose(t.norm_ffn, g["norm_ffn"], rtol=1e-10, atol=1e-14)


def test_gelu(golden):
    np.testing.assert_allclose(gelu(golden["gelu/x"]), golden["gelu/y"], atol=4e-7)


@pytest.mark.parametrize("embedding", EMBEDDINGS)
@pytest.mark.parametrize(("source", "rtol"), [(toy, 1e-10), (paper, 1e-4)])
def test_sources(golden, source, embedding, rtol):
    """This also pins what is drawn: the seed of a lesson gives the same numbers next year."""
    name = source.__name__.rsplit(".", 1)[-1]
    g = case(golden, f"{name}_{embedding}")
    words = [Word(text) for text in ["我", "喜欢", "我", "的", "猫"]]
    t = source.trace(words, Settings(d_model=6, embedding=embedding, positions=True, seed=7))
    np.testing.assert_allclose(t.x, g["x"], rtol=rtol, atol=rtol / 10)
    np.testing.assert_allclose(t.multi_head.attention.attn_weights, g["attn_weights"], rtol=rtol, atol=rtol / 10)
    np.testing.assert_allclose(t.multi_head.attn_out, g["attn_out"], rtol=rtol, atol=rtol)

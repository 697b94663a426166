"""The encoder and the decoder block: order of their steps, masks, and weights that fit."""

import dataclasses

import numpy as np
import pytest

from attention_core.attention import MultiHeadWeights
from attention_core.block import DecoderBlockWeights, EncoderBlockWeights, decoder_block, encoder_block
from attention_core.masks import causal_mask
from attention_core.ops import layer_norm, relu

N, D_MODEL, D_FF, H, D_HEAD = 5, 6, 9, 2, 3


def weights(dtype=np.float64):
    rng = np.random.default_rng(0)

    def some(*shape):
        return rng.normal(size=shape).astype(dtype)

    per_head, bias = (H, D_MODEL, D_HEAD), (H, D_HEAD)
    multi_head = MultiHeadWeights(
        some(*per_head), some(*per_head), some(*per_head), some(*bias), some(*bias), some(*bias), some(6, 6), some(6)
    )
    return EncoderBlockWeights(
        multi_head, some(6), some(6), some(6, 9), some(9), some(9, 6), some(6), some(6), some(6), eps=0.25
    )


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_post_layer_norm_order(dtype):
    w, x = weights(dtype), np.random.default_rng(1).normal(size=(N, D_MODEL)).astype(dtype)
    t = encoder_block(x, w, activation=relu)
    np.testing.assert_array_equal(t.resid_attn, x + t.multi_head.attn_out)
    np.testing.assert_array_equal(t.norm_attn, layer_norm(t.resid_attn, w.norm_attn_gain, w.norm_attn_bias, 0.25))
    np.testing.assert_allclose(t.ffn_pre, t.norm_attn @ w.W_1 + w.b_1)
    np.testing.assert_array_equal(t.ffn_act, np.maximum(t.ffn_pre, 0))
    np.testing.assert_allclose(t.ffn_out, t.ffn_act @ w.W_2 + w.b_2)
    np.testing.assert_array_equal(t.resid_ffn, t.norm_attn + t.ffn_out)  # the residual starts after the first norm
    np.testing.assert_array_equal(t.norm_ffn, layer_norm(t.resid_ffn, w.norm_ffn_gain, w.norm_ffn_bias, 0.25))
    assert t.norm_ffn.dtype == dtype
    assert t.ffn_pre.shape == (N, D_FF)


def test_the_default_activation_lets_a_little_of_negative_numbers_through():
    t = encoder_block(np.random.default_rng(1).normal(size=(N, D_MODEL)), weights())
    negative = t.ffn_pre < 0
    assert negative.any()
    assert (t.ffn_act[negative] < 0).any()


def test_the_mask_reaches_the_attention_and_the_future_does_not_reach_the_past():
    w, x = weights(), np.random.default_rng(1).normal(size=(N, D_MODEL))
    other = x.copy()
    other[3:] += 1
    a, b = (encoder_block(each, w, causal_mask(N)) for each in (x, other))
    np.testing.assert_array_equal(a.norm_ffn[:3], b.norm_ffn[:3])
    assert not np.allclose(a.norm_ffn[3:], b.norm_ffn[3:])


def test_x_is_unmodified_and_later_changes_do_not_reach_the_trace():
    x = np.random.default_rng(1).normal(size=(N, D_MODEL))
    before = x.copy()
    t = encoder_block(x, weights())
    np.testing.assert_array_equal(x, before)
    x[...] = 0
    np.testing.assert_array_equal(t.multi_head.x_q, before)


@pytest.mark.parametrize(
    "name", ["norm_attn_gain", "norm_attn_bias", "b_1", "W_2", "b_2", "norm_ffn_gain", "norm_ffn_bias"]
)
def test_weights_that_do_not_fit_are_named(name):
    with pytest.raises(ValueError, match=rf"{name} has shape \(1,\); needed"):
        dataclasses.replace(weights(), **{name: np.ones(1)})


def test_weights_are_copies():
    w1 = np.ones((D_MODEL, D_FF))
    w = dataclasses.replace(weights(), W_1=w1)
    w1[...] = 0
    assert (w.W_1 == 1).all()


N_SOURCE = 7


def decoder_weights(dtype=np.float64):
    one, other = weights(dtype), weights(dtype)
    cross = dataclasses.replace(other.multi_head, b_O=other.multi_head.b_O + 1)
    norms = {"norm_cross_gain": one.norm_ffn_bias, "norm_cross_bias": one.norm_attn_gain}
    rest = {f.name: getattr(one, f.name) for f in dataclasses.fields(one) if f.name != "multi_head"}
    return DecoderBlockWeights(self_attention=one.multi_head, cross_attention=cross, **norms, **rest)


def decoder_input(dtype=np.float64):
    rng = np.random.default_rng(2)
    return rng.normal(size=(N, D_MODEL)).astype(dtype), rng.normal(size=(N_SOURCE, D_MODEL)).astype(dtype)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_decoder_order(dtype):
    w, (x, memory) = decoder_weights(dtype), decoder_input(dtype)
    t = decoder_block(x, memory, w)
    np.testing.assert_array_equal(t.self_attention.attention.mask, causal_mask(N))
    np.testing.assert_array_equal(t.resid_attn, x + t.self_attention.attn_out)
    np.testing.assert_array_equal(t.norm_attn, layer_norm(t.resid_attn, w.norm_attn_gain, w.norm_attn_bias, 0.25))
    np.testing.assert_array_equal(t.cross_attention.x_q, t.norm_attn)  # Q from the decoder
    np.testing.assert_array_equal(t.cross_attention.x_kv, memory)  # K and V from the encoder
    assert t.cross_attention.attention.attn_weights.shape == (H, N, N_SOURCE)
    np.testing.assert_array_equal(t.resid_cross, t.norm_attn + t.cross_attention.attn_out)
    np.testing.assert_array_equal(t.norm_cross, layer_norm(t.resid_cross, w.norm_cross_gain, w.norm_cross_bias, 0.25))
    np.testing.assert_allclose(t.ffn_pre, t.norm_cross @ w.W_1 + w.b_1)
    np.testing.assert_array_equal(t.ffn_act, np.maximum(t.ffn_pre, 0))
    np.testing.assert_array_equal(t.resid_ffn, t.norm_cross + t.ffn_out)
    np.testing.assert_array_equal(t.norm_ffn, layer_norm(t.resid_ffn, w.norm_ffn_gain, w.norm_ffn_bias, 0.25))
    assert t.norm_ffn.dtype == dtype


def test_in_the_decoder_the_future_reaches_the_past_only_without_the_mask():
    w, (x, memory) = decoder_weights(), decoder_input()
    other = x.copy()
    other[3:] += 1
    a, b = (decoder_block(each, memory, w) for each in (x, other))
    np.testing.assert_array_equal(a.norm_ffn[:3], b.norm_ffn[:3])
    everyone = np.ones((N, N), bool)
    a, b = (decoder_block(each, memory, w, everyone) for each in (x, other))
    assert not np.isclose(a.norm_ffn[:3], b.norm_ffn[:3]).all(axis=1).any()


def test_a_hidden_source_position_counts_as_absent():
    w, (x, memory) = decoder_weights(), decoder_input()
    hidden = np.ones((N, N_SOURCE), bool)
    hidden[:, -2:] = False
    masked, shorter = decoder_block(x, memory, w, memory_mask=hidden), decoder_block(x, memory[:-2], w)
    np.testing.assert_allclose(masked.norm_ffn, shorter.norm_ffn)


@pytest.mark.parametrize("name", ["norm_cross_gain", "norm_cross_bias", "norm_ffn_bias", "b_1"])
def test_decoder_weights_that_do_not_fit_are_named(name):
    with pytest.raises(ValueError, match=rf"{name} has shape \(1,\); needed"):
        dataclasses.replace(decoder_weights(), **{name: np.ones(1)})


def test_two_attentions_of_different_width_are_refused():
    narrow = MultiHeadWeights.without_bias(*(np.ones((H, 4, D_HEAD)) for _ in "QKV"), np.ones((6, 4)))
    with pytest.raises(ValueError, match="reads d_model = 4, the self-attention writes 6"):
        dataclasses.replace(decoder_weights(), cross_attention=narrow)

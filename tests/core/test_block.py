"""The encoder block: order of its steps and weights that fit."""

import dataclasses

import numpy as np
import pytest

from attention_core.attention import MultiHeadWeights
from attention_core.block import EncoderBlockWeights, encoder_block
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

"""Heads as parts of the output: the parts add up, and what is switched off is gone."""

from __future__ import annotations

import numpy as np
import pytest

from attention_core.attend import TRACES
from attention_core.attention import MultiHeadWeights, multi_head_attention
from attention_core.contributions import (
    contributions,
    cosines,
    output_slices,
    output_without,
    overlaps,
    running_sum,
    sizes,
)
from attention_core.sources import Settings, e5
from attention_core.words import segment

N_HEADS, N_Q, N_K, D_MODEL, D_HEAD = 3, 4, 5, 7, 2


@pytest.fixture
def trace():
    rng = np.random.default_rng(0)

    def drawn(*shape):
        return rng.normal(size=shape)

    weights = MultiHeadWeights(
        W_Q=drawn(N_HEADS, D_MODEL, D_HEAD),
        W_K=drawn(N_HEADS, D_MODEL, D_HEAD),
        W_V=drawn(N_HEADS, D_MODEL, D_HEAD),
        b_Q=drawn(N_HEADS, D_HEAD),
        b_K=drawn(N_HEADS, D_HEAD),
        b_V=drawn(N_HEADS, D_HEAD),
        W_O=drawn(N_HEADS * D_HEAD, D_MODEL),
        b_O=drawn(D_MODEL),
    )
    return multi_head_attention(drawn(N_Q, D_MODEL), drawn(N_K, D_MODEL), weights)


def test_a_sum_worked_by_hand():
    """Two heads of width 1: concat = [1, 2], W_O = [[1, 0], [3, 4]], b_O = [10, 20]."""
    parts = np.array([[[1.0, 0.0]], [[6.0, 8.0]]])  # 1 * [1, 0] and 2 * [3, 4]
    np.testing.assert_array_equal(running_sum(parts, [10, 20])[:, 0], [[1, 0], [7, 8], [17, 28]])
    np.testing.assert_array_equal(output_without(parts, [10, 20], {1}), [[11, 20]])
    np.testing.assert_array_equal(sizes(parts), [[1], [10]])


def test_the_parts_and_the_bias_add_up_to_the_output(trace):
    parts = contributions(trace)
    assert parts.shape == (N_HEADS, N_Q, D_MODEL)
    np.testing.assert_allclose(parts.sum(axis=0) + trace.b_O, trace.attn_out, rtol=1e-12)
    np.testing.assert_allclose(running_sum(parts, trace.b_O)[-1], trace.attn_out, rtol=1e-12)
    np.testing.assert_array_equal(running_sum(parts, trace.b_O)[0], parts[0])


def test_a_part_is_the_heads_own_z_times_its_own_rows_of_w_o(trace):
    for head in range(N_HEADS):
        own = trace.W_O[head * D_HEAD : (head + 1) * D_HEAD]
        np.testing.assert_array_equal(output_slices(trace)[head], own)
        np.testing.assert_allclose(contributions(trace)[head], trace.attention.z[head] @ own, rtol=1e-12)


@pytest.mark.parametrize("source", sorted(TRACES))
def test_the_untrained_sources_add_up(source):
    layer = TRACES[source](segment("我昨天去超市买了苹果。"), Settings()).multi_head
    np.testing.assert_allclose(contributions(layer).sum(axis=0) + layer.b_O, layer.attn_out, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("layer", [0, 6, 11])
def test_the_real_model_adds_up(layer):
    trace = e5.layer_trace(e5.load_model().run(segment("我昨天去超市买了苹果。")), layer).multi_head
    assert trace.b_O.any()
    np.testing.assert_allclose(contributions(trace).sum(axis=0) + trace.b_O, trace.attn_out, rtol=1e-4, atol=2e-5)


@pytest.mark.parametrize("off", [(), (1,), (0, 2), (0, 1, 2)])
def test_a_head_that_is_off_equals_its_z_set_to_zero(trace, off):
    z = trace.attention.z.copy()
    z[list(off)] = 0
    expected = z.transpose(1, 0, 2).reshape(N_Q, -1) @ trace.W_O + trace.b_O
    np.testing.assert_allclose(output_without(contributions(trace), trace.b_O, off), expected, atol=1e-12)


@pytest.mark.parametrize("head", [-1, N_HEADS])
def test_only_heads_that_exist_can_be_switched_off(trace, head):
    with pytest.raises(IndexError, match=f"head {head} does not exist"):
        output_without(contributions(trace), trace.b_O, [head])


def test_nothing_is_changed_in_the_trace(trace):
    before = trace.attn_out.copy(), trace.W_O.copy()
    parts = contributions(trace)
    parts += 1
    np.testing.assert_array_equal(trace.attn_out, before[0])
    np.testing.assert_array_equal(trace.W_O, before[1])


def test_cosines_of_same_opposite_and_right_angles_and_of_nothing():
    given = cosines([[1, 2], [1, 0], [1, 0], [0, 0]], [[2, 4], [-3, 0], [0, 5], [1, 1]])
    np.testing.assert_allclose(given[:3], [1, -1, 0], atol=1e-15)
    assert np.isnan(given[3])


def test_overlap_is_the_weight_two_heads_share():
    a, b = [[1.0, 0.0], [0.5, 0.5]], [[0.0, 1.0], [0.25, 0.75]]
    np.testing.assert_allclose(overlaps([a, b]), [[1, 0.375], [0.375, 1]])  # (0 + 0.75) / 2


def test_overlap_is_symmetric_and_between_0_and_1(trace):
    shared = overlaps(trace.attention.attn_weights)
    np.testing.assert_allclose(np.diag(shared), 1)
    np.testing.assert_array_equal(shared, shared.T)
    assert ((shared > 0) & (shared <= 1 + 1e-12)).all()

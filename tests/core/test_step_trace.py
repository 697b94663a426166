"""One head under switches: the layer's own numbers when nothing is switched, and what each switch does."""

from __future__ import annotations

import math

import numpy as np
import pytest

from attention_core.attention import MultiHeadWeights, multi_head_attention
from attention_core.masks import causal_mask
from attention_core.step_trace import edited_layer, step_trace

HEADS, N, D_MODEL, D_HEAD = 3, 5, 7, 4


@pytest.fixture
def layer():
    rng = np.random.default_rng(1)
    shape = (HEADS, D_MODEL, D_HEAD)
    W_Q, W_K, W_V = rng.normal(size=(3, *shape))
    x = rng.normal(size=(N, D_MODEL))
    return multi_head_attention(
        x, x, MultiHeadWeights.without_bias(W_Q, W_K, W_V, rng.normal(size=(HEADS * D_HEAD, D_MODEL)))
    )


@pytest.mark.parametrize("head", range(HEADS))
def test_without_switches_it_is_the_layers_own_head(layer, head):
    trace = step_trace(layer, head)
    for name in ("q", "k", "v", "scores", "scaled_scores", "masked_scores", "attn_weights", "z"):
        np.testing.assert_allclose(getattr(trace, name)[0], getattr(layer.attention, name)[head], rtol=1e-12)


def test_it_computes_in_float64_and_hands_out_read_only_arrays(layer):
    trace = step_trace(layer, 1)
    assert trace.attn_weights.dtype == np.float64
    with pytest.raises(ValueError, match="read-only"):
        trace.scaled_scores[0, 0, 0] = 1


def test_without_scale_the_scores_go_on_as_they_are(layer):
    trace = step_trace(layer, 0, scaled=False)
    np.testing.assert_array_equal(trace.scaled_scores, trace.scores)
    np.testing.assert_allclose(step_trace(layer, 0).scaled_scores * math.sqrt(D_HEAD), trace.scores)


def test_a_temperature_of_sqrt_d_replaces_the_scale(layer):
    warm = step_trace(layer, 2, scaled=False, temperature=math.sqrt(D_HEAD))
    np.testing.assert_allclose(warm.attn_weights, step_trace(layer, 2).attn_weights)
    np.testing.assert_allclose(warm.z, step_trace(layer, 2).z)


@pytest.mark.parametrize("temperature", [0.01, 0.5, 1, 100])
@pytest.mark.parametrize("scaled", [True, False])
def test_rows_sum_to_one_at_every_temperature(layer, temperature, scaled):
    trace = step_trace(layer, 0, mask=causal_mask(N), temperature=temperature, scaled=scaled)
    assert np.isfinite(trace.attn_weights).all()
    np.testing.assert_allclose(trace.attn_weights.sum(axis=-1), 1)


def test_cold_is_the_largest_score_alone_and_hot_is_even(layer):
    cold, hot = step_trace(layer, 0, temperature=1e-6), step_trace(layer, 0, temperature=1e6)
    np.testing.assert_allclose(cold.attn_weights[0], np.eye(N)[cold.scores[0].argmax(axis=1)], atol=1e-9)
    np.testing.assert_allclose(hot.attn_weights, 1 / N, atol=1e-4)


def test_the_temperature_leaves_the_scores_before_it_alone(layer):
    np.testing.assert_array_equal(step_trace(layer, 0, temperature=7).scaled_scores, step_trace(layer, 0).scaled_scores)


def test_a_masked_key_is_the_key_removed(layer):
    mask = np.ones((N, N), dtype=bool)
    mask[:, 3] = False
    masked, keys = step_trace(layer, 1, mask=mask), [0, 1, 2, 4]
    powers = np.exp(masked.scaled_scores[0][:, keys])
    np.testing.assert_allclose(masked.attn_weights[0][:, keys], powers / powers.sum(axis=1, keepdims=True))
    assert not masked.attn_weights[0][:, 3].any()
    assert np.isneginf(masked.masked_scores[0][:, 3]).all()


def test_what_cannot_be_computed_is_refused(layer):
    with pytest.raises(IndexError, match="head 3"):
        step_trace(layer, HEADS)
    with pytest.raises(IndexError, match="head -1"):
        step_trace(layer, -1)
    for temperature in (0, -1, float("nan")):
        with pytest.raises(ValueError, match="above 0"):
            step_trace(layer, 0, temperature=temperature)
    with pytest.raises(ValueError):  # noqa: PT011 - the wording is attention.py's
        step_trace(layer, 0, mask=np.zeros((N, N), dtype=bool))


def test_without_edits_the_layer_is_the_same(layer):
    again = edited_layer(layer, {})
    for name in ("q", "k", "v", "attn_weights", "z"):
        np.testing.assert_array_equal(getattr(again.attention, name), getattr(layer.attention, name))
    np.testing.assert_array_equal(again.attn_out, layer.attn_out)


def test_an_edit_of_x_changes_its_row_of_q_and_everything_that_looks_at_it(layer):
    again = edited_layer(layer, {("X", (2, 6)): 0.5})
    assert again.x_q[2, 6] == 0.5
    assert layer.x_q[2, 6] != 0.5
    changed = np.any(again.attention.q != layer.attention.q, axis=(0, 2))
    np.testing.assert_array_equal(changed, np.arange(N) == 2)
    assert np.all(again.attention.attn_weights != layer.attention.attn_weights)


@pytest.mark.parametrize("name", ["W_Q", "W_K", "W_V"])
def test_an_edit_of_a_weight_changes_its_head_alone(layer, name):
    again = edited_layer(layer, {(name, (1, 6, 3)): -2.0})
    assert getattr(again, name)[1, 6, 3] == -2
    changed = np.any(again.attention.z != layer.attention.z, axis=(1, 2))
    np.testing.assert_array_equal(changed, np.arange(HEADS) == 1)
    assert np.array_equal(again.attention.attn_weights, layer.attention.attn_weights) == (name == "W_V")


@pytest.mark.parametrize(
    "place", [("X", (5, 0)), ("X", (-1, 0)), ("X", (0, 0, 0)), ("W_Q", (0, 0)), ("W_K", (3, 0, 0))]
)
def test_an_edit_outside_is_refused(layer, place):
    with pytest.raises(IndexError, match="has no place"):
        edited_layer(layer, {place: 1.0})


@pytest.mark.parametrize(("name", "number"), [("W_O", 1.0), ("X", float("nan")), ("X", float("inf"))])
def test_what_cannot_be_written_is_refused(layer, name, number):
    with pytest.raises(ValueError, match="cannot be written"):
        edited_layer(layer, {(name, (0, 0)): number})

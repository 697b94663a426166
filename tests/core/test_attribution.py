"""Rollout and value-weighted attention against paper arithmetic and identities."""

from __future__ import annotations

import numpy as np
import pytest

from attention_core.attribution import rollout, value_weighted, value_weighted_together
from attention_core.contributions import contributions
from attention_core.sources import e5
from attention_core.words import segment


def test_rollout_of_heads_that_look_at_themselves_is_the_identity():
    itself = np.broadcast_to(np.eye(5), (4, 3, 5, 5))
    np.testing.assert_array_equal(rollout(itself), np.broadcast_to(np.eye(5), (4, 5, 5)))


def test_rollout_by_hand():
    first = [[[0.0, 1.0], [0.5, 0.5]], [[1.0, 0.0], [0.5, 0.5]]]  # two heads; mean [[.5, .5], [.5, .5]]
    second = [[[1.0, 0.0], [1.0, 0.0]], [[1.0, 0.0], [0.0, 1.0]]]  # mean [[1, 0], [.5, .5]]
    a1 = [[0.75, 0.25], [0.25, 0.75]]
    a2a1 = [[0.75, 0.25], [0.375, 0.625]]  # [[1, 0], [.25, .75]] times a1
    np.testing.assert_allclose(rollout([first, second]), [a1, a2a1], rtol=1e-12)


@pytest.fixture(scope="module")
def real():
    run = e5.load_model().run(segment("他从小学习钢琴，画蛇添足。"))
    spans = [(0, 1), *run.alignment.spans, (len(run.pieces) - 1, len(run.pieces))]
    return run, e5.layer_trace(run, 6).multi_head, spans


def test_every_row_of_a_rollout_sums_to_one(real):
    run, _, _ = real
    reached = rollout(run.attn_weights)
    assert reached.shape == run.attn_weights.shape[:1] + run.attn_weights.shape[2:]
    np.testing.assert_allclose(reached.sum(axis=-1), 1, rtol=1e-5)


def test_value_weighted_is_the_length_of_what_a_key_adds(real):
    _, trace, spans = real
    lengths = value_weighted(trace, spans)
    assert lengths.shape == (12, len(spans), len(spans))
    word = next(i for i, (start, stop) in enumerate(spans) if stop - start > 1)  # a word of several pieces
    (q0, q1), (k0, k1), head = spans[2], spans[word], 5
    attention = trace.attention
    d_head = attention.z.shape[-1]
    slice_ = trace.W_O[head * d_head : (head + 1) * d_head].astype(np.float64)
    by_hand = [
        np.linalg.norm(sum(attention.attn_weights[head, q, k] * attention.v[head, k] for k in range(k0, k1)) @ slice_)
        for q in range(q0, q1)
    ]
    np.testing.assert_allclose(lengths[head, 2, word], np.mean(by_hand), rtol=1e-5)


def test_together_the_vectors_are_added_before_they_are_measured(real):
    _, trace, spans = real
    together, apart = value_weighted_together(trace, spans), value_weighted(trace, spans)
    assert (together <= apart.sum(axis=0) + 1e-9).all()
    assert (together < 0.9 * apart.sum(axis=0)).any()
    everything = value_weighted_together(trace, [(0, spans[-1][1])])  # one key that is the whole sentence
    whole = np.linalg.norm(contributions(trace).sum(axis=0), axis=-1).mean()
    np.testing.assert_allclose(everything, [[whole]], rtol=1e-6)

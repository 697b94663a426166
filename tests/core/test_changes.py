"""What if: a change does what it says, nothing below it moves, and no change is no change."""

from __future__ import annotations

import numpy as np
import pytest

from attention_core.changes import Changes, RowChange, head_effects, head_output, run_changed, word_row
from attention_core.contributions import contributions, output_without
from attention_core.ops import layer_norm
from attention_core.sources import e5
from attention_core.words import segment


@pytest.fixture(scope="module")
def model():
    return e5.load_model()


@pytest.fixture(scope="module")
def run(model):
    return model.run(segment("我昨天去超市买了苹果。"))


def test_no_change_gives_the_very_same_run(model, run):
    assert run_changed(model, run, Changes()) is run


def test_a_row_set_to_what_it_was_changes_no_number(model, run):
    same = tuple(float(weight) for weight in run.attn_weights[4, 7, 3])
    changed = run_changed(model, run, Changes(rows=(RowChange(4, 7, 3, same),)))
    np.testing.assert_array_equal(changed.hidden, run.hidden)
    np.testing.assert_array_equal(changed.attn_weights, run.attn_weights)


def test_a_head_that_is_off_takes_exactly_its_contribution_away(model, run):
    layer, off = 6, (2, 9)
    changed = run_changed(model, run, Changes(off=frozenset((layer, head) for head in off)))
    block, weights = model.layer_trace(run, layer), model.block_weights(layer)
    out = output_without(contributions(block.multi_head), weights.multi_head.b_O, off)
    norm = layer_norm(run.hidden[layer] + out, weights.norm_attn_gain, weights.norm_attn_bias, weights.eps)
    ffn = e5.gelu(norm @ weights.W_1 + weights.b_1) @ weights.W_2 + weights.b_2
    expected = layer_norm(norm + ffn, weights.norm_ffn_gain, weights.norm_ffn_bias, weights.eps)
    np.testing.assert_allclose(changed.hidden[layer + 1], expected, atol=2e-5)
    assert np.abs(changed.hidden[layer + 1] - run.hidden[layer + 1]).max() > 0.1
    assert (changed.attn_weights[layer, list(off)] == 0).all()


def test_what_lies_below_a_change_stays_and_all_above_moves(model, run):
    changed = run_changed(model, run, Changes(off=frozenset({(5, 0)})))
    np.testing.assert_array_equal(changed.hidden[:6], run.hidden[:6])
    np.testing.assert_array_equal(changed.attn_weights[:5], run.attn_weights[:5])
    moved = np.abs(changed.hidden - run.hidden).max(axis=(1, 2))
    assert (moved[6:] > 1e-3).all()
    np.testing.assert_allclose(changed.attn_weights[6:].sum(axis=-1), 1, atol=1e-5)
    assert not changed.hidden.flags.writeable


def test_a_row_by_hand_stands_in_its_head_and_nowhere_else_in_the_layer(model, run):
    n = len(run.pieces)
    rows = (RowChange(8, 3, 5, tuple(np.eye(n)[7].tolist())), RowChange(8, 4, 2, (1 / n,) * n))
    changed = run_changed(model, run, Changes(rows=rows))
    expected = run.attn_weights[8].copy()
    expected[3, 5] = np.eye(n)[7]
    expected[4, 2] = 1 / n
    np.testing.assert_array_equal(changed.attn_weights[8], expected.astype(np.float32))
    moved = np.abs(changed.hidden[9] - run.hidden[9]).max(axis=-1)
    assert (moved > 0).nonzero()[0].tolist() == [2, 5]  # in its own layer a row moves its own query alone


def test_a_head_that_is_off_stays_off_though_one_of_its_rows_is_set(model, run):
    n = len(run.pieces)
    changed = run_changed(model, run, Changes(frozenset({(2, 1)}), (RowChange(2, 1, 3, (1 / n,) * n),)))
    np.testing.assert_array_equal(changed.hidden, run_changed(model, run, Changes(frozenset({(2, 1)}))).hidden)


def test_the_effect_of_a_head_is_the_cosine_without_it(model, run):
    effects = head_effects(model, run)
    first = next(effects)
    assert first.shape == (12,)
    changed = run_changed(model, run, Changes(frozenset({(0, 5)})))
    a, b = (one.hidden[-1].astype(np.float64).mean(axis=0) for one in (run, changed))
    np.testing.assert_allclose(first[5], a @ b / np.linalg.norm(a) / np.linalg.norm(b), rtol=1e-6)
    assert sum(1 for _ in effects) == 11


def test_what_a_head_makes_of_a_run_is_the_layers_trace_or_what_was_set(model, run):
    made, block = head_output(model, run, 6, 2), model.layer_trace(run, 6)
    np.testing.assert_allclose(made.z, block.multi_head.attention.z[2], atol=1e-4)
    np.testing.assert_allclose(made.part, contributions(block.multi_head)[2], atol=1e-4)
    np.testing.assert_array_equal(made.out, run.hidden[7])
    looked_at = np.eye(len(run.pieces))[7]
    changed = run_changed(model, run, Changes(rows=(RowChange(6, 2, 5, tuple(looked_at.tolist())),)))
    only = head_output(model, changed, 6, 2)
    np.testing.assert_allclose(only.z[5], block.multi_head.attention.v[2, 7], atol=1e-4)
    off = head_output(model, run_changed(model, run, Changes(frozenset({(6, 2)}))), 6, 2)
    assert not off.part.any()
    with pytest.raises(IndexError):
        head_output(model, run, 6, 12)


def test_a_words_row_is_shared_out_among_pieces(model):
    words = segment("他从小学习钢琴，画蛇添足。")
    run = model.run(words)
    many = next(
        i for i, (start, stop) in enumerate(run.alignment.spans) if stop - start > 1
    )  # a word of several pieces
    weights = np.random.default_rng(3).dirichlet(np.ones(len(words) + 2))
    changed = run_changed(model, run, Changes(rows=word_row(run, 6, 2, many, weights.tolist())))
    now = e5.word_attention(changed)
    row = [now.special[6, 2, many, 0], *now.weights[6, 2, many], now.special[6, 2, many, 1]]
    np.testing.assert_allclose(row, weights, atol=1e-6)
    start, stop = run.alignment.spans[many]
    before, after = (one.attn_weights[6, 2, start, start:stop] for one in (run, changed))
    np.testing.assert_allclose(after / after.sum(), before / before.sum(), rtol=1e-5)


def test_a_words_row_needs_a_weight_for_every_word(run):
    with pytest.raises(ValueError, match="10 weights here, not 3"):
        word_row(run, 6, 2, 4, [0.5, 0.25, 0.25])
    with pytest.raises(IndexError, match="word 8"):
        word_row(run, 6, 2, 8, [0.1] * 10)


@pytest.mark.parametrize("row", [(0.5, 0.4), (1.5, -0.5), (float("nan"), 1.0)])
def test_a_row_that_is_no_distribution_is_refused(row):
    with pytest.raises(ValueError, match="sums to 1"):
        RowChange(0, 0, 0, row)


@pytest.mark.parametrize(
    ("changes", "error", "says"),
    [
        (Changes(frozenset({(12, 0)})), IndexError, r"head 12\.0"),
        (Changes(frozenset({(0, 12)})), IndexError, r"head 0\.12"),
        (Changes(rows=(RowChange(3, 2, 99, (1.0,)),)), IndexError, "position 99"),
        (Changes(rows=(RowChange(3, 2, 1, (1.0,)),)), ValueError, "weights here, not 1"),
    ],
)
def test_what_does_not_exist_is_named(model, run, changes, error, says):
    with pytest.raises(error, match=says):
        run_changed(model, run, changes)

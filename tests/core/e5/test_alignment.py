"""From pieces to words, with sums done by hand."""

import numpy as np
import pytest

from attention_core.sources.e5 import word_attention
from attention_core.words.alignment import align, folding, membership, word_level
from attention_core.words.word import Word


def test_spans():
    alignment = align([1, 3, 2])
    assert alignment.spans == ((1, 2), (2, 5), (5, 7))
    assert (alignment.n_words, alignment.n_positions) == (3, 8)
    expected = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 1, 0], [0, 1, 0], [0, 0, 1], [0, 0, 1], [0, 0, 0]]
    np.testing.assert_array_equal(membership(alignment), expected)


@pytest.mark.parametrize("counts", [[], [1, 0, 2]])
def test_no_word_without_a_piece(counts):
    with pytest.raises(ValueError, match="at least one"):
        align(counts)


def test_sum_over_keys_and_mean_over_queries():
    """Two words of 1 and 2 pieces between <s> and </s>; sixteenths, so that the sums are exact."""
    attn = (
        np.array(
            [
                [16, 0, 0, 0, 0],
                [1, 2, 3, 4, 6],
                [2, 2, 8, 4, 0],
                [4, 6, 2, 0, 4],
                [0, 0, 0, 0, 16],
            ]
        )
        / 16
    )
    weights, special = word_level(attn, align([1, 2]))
    np.testing.assert_array_equal(weights * 16, [[2, 3 + 4], [(2 + 6) / 2, (8 + 4 + 2 + 0) / 2]])
    np.testing.assert_array_equal(special * 16, [[1, 6], [(2 + 4) / 2, (0 + 4) / 2]])


def test_leading_axes_and_row_sums():
    rng = np.random.default_rng(1)
    attn = rng.random((2, 3, 9, 9))
    attn /= attn.sum(axis=-1, keepdims=True)
    before = attn.copy()
    weights, special = word_level(attn, align([2, 1, 4]))
    assert (weights.shape, special.shape) == ((2, 3, 3, 3), (2, 3, 3, 2))
    np.testing.assert_allclose(weights.sum(axis=-1) + special.sum(axis=-1), 1, rtol=1e-6)
    one, _ = word_level(attn[1, 2], align([2, 1, 4]))
    np.testing.assert_allclose(weights[1, 2], one, rtol=1e-6)
    np.testing.assert_array_equal(attn, before)


def test_wrong_size_is_refused():
    with pytest.raises(ValueError, match="8 positions"):
        word_level(np.zeros((12, 9, 9)), align([2, 4]))


def test_real_words_of_several_pieces(model):
    """我 用 Python 写 龘龘 ，: Python is three pieces, 龘龘 two unknown ones."""
    run = model.run([Word(text) for text in ("我", "用", "Python", "写", "龘龘", "，")])
    assert run.pieces == ("<s>", "▁我", "用", "P", "y", "thon", "写", "<unk>", "<unk>", ",", "</s>")
    python, rare = slice(3, 6), slice(7, 9)
    attention = word_attention(run)
    a = run.attn_weights.astype(np.float64)

    def same(result, expected):
        np.testing.assert_allclose(result, expected, rtol=1e-4, atol=1e-6)

    same(attention.weights[:, :, 0, 2], a[:, :, 1, 3] + a[:, :, 1, 4] + a[:, :, 1, 5])
    same(attention.weights[:, :, 2, 0], (a[:, :, 3, 1] + a[:, :, 4, 1] + a[:, :, 5, 1]) / 3)
    same(attention.weights[:, :, 2, 4], a[:, :, python, rare].sum(axis=(2, 3)) / 3)
    same(attention.weights[:, :, 4, 2], a[:, :, rare, python].sum(axis=(2, 3)) / 2)
    same(attention.special[:, :, 4], (a[:, :, 7][..., [0, 10]] + a[:, :, 8][..., [0, 10]]) / 2)


def test_pieces_fold_into_words_by_sum_and_mean():
    weights = np.arange(16.0).reshape(4, 4) / 100
    folded = folding(weights, (1, 3), (0, 2))
    np.testing.assert_allclose(folded.pieces, [[0.04, 0.05], [0.08, 0.09]])
    np.testing.assert_allclose(folded.sums, [0.09, 0.17])
    assert folded.weight == pytest.approx(0.13)


def test_folding_two_words_gives_their_weight_at_word_level():
    alignment = align([2, 1, 3])
    attn_weights = np.random.default_rng(8).dirichlet(np.ones(8), size=8)
    weights, _ = word_level(attn_weights, alignment)
    for row, query in enumerate(alignment.spans):
        for column, key in enumerate(alignment.spans):
            assert folding(attn_weights, query, key).weight == pytest.approx(weights[row, column], rel=1e-6)

"""One picture's numbers: heads and their mean, special tokens shown and hidden; the real model's pieces as rows."""

from __future__ import annotations

import numpy as np
import pytest

from attention_core.attention_map import attention_map, every_map
from attention_core.sources import e5
from attention_core.trace import WordAttention
from attention_core.words.word import Word

LAYERS, HEADS, N = 2, 3, 4
ALL = [(layer, head) for layer in range(LAYERS) for head in range(HEADS)]


def attention_of(weights, special, names=("<s>", "</s>")):
    words = tuple(Word(text) for text in "我爱你们"[: weights.shape[-1]])
    return WordAttention(words, tuple(word.text for word in words), "real", True, weights, special, names)


@pytest.fixture
def attention():
    """Rows of six positive weights that sum to 1: four words, two special tokens."""
    rows = np.random.default_rng(5).random((LAYERS, HEADS, N, N + 2)) + 0.01
    rows /= rows.sum(axis=-1, keepdims=True)
    return attention_of(rows[..., :N], rows[..., N:])


def test_one_head_is_shown_as_it_is(attention):
    picture = attention_map(attention, [(1, 2)])
    np.testing.assert_array_equal(picture.weights, attention.weights[1, 2])
    np.testing.assert_array_equal(picture.special, attention.special[1, 2])
    assert picture.special_names == ("<s>", "</s>")
    np.testing.assert_array_equal(picture.removed, np.zeros(N))


def test_the_mean_of_heads_by_hand(attention):
    picture = attention_map(attention, [(0, 1), (1, 0), (1, 2)])
    for row in range(N):
        for column in range(N):
            by_hand = sum(attention.weights[layer, head, row, column] for layer, head in [(0, 1), (1, 0), (1, 2)]) / 3
            assert picture.weights[row, column] == pytest.approx(by_hand, rel=1e-12)


@pytest.mark.parametrize("show_special", [True, False])
def test_every_map_at_once_is_every_map_alone(attention, show_special):
    weights, special = every_map(attention, show_special=show_special)
    assert weights.shape == (LAYERS, HEADS, N, N)
    for layer, head in ALL:
        alone = attention_map(attention, [(layer, head)], show_special=show_special)
        np.testing.assert_array_equal(weights[layer, head], alone.weights)
        np.testing.assert_array_equal(special[layer, head], alone.special)


@pytest.mark.parametrize("heads", [[(0, 0)], [(0, 1), (1, 1)], ALL])
@pytest.mark.parametrize("show_special", [True, False])
def test_rows_sum_to_one(attention, heads, show_special):
    picture = attention_map(attention, heads, show_special=show_special)
    np.testing.assert_allclose(picture.weights.sum(axis=1) + picture.special.sum(axis=1), 1, rtol=1e-12)


@pytest.mark.parametrize("heads", [[(0, 0)], ALL])
def test_hidden_special_tokens_leave_the_proportions_and_are_counted(attention, heads):
    shown, hidden = attention_map(attention, heads), attention_map(attention, heads, show_special=False)
    assert hidden.special.shape == (N, 0)
    assert hidden.special_names == ()
    np.testing.assert_allclose(hidden.removed, shown.special.sum(axis=1), rtol=1e-12)
    np.testing.assert_allclose(hidden.weights * (1 - hidden.removed)[:, None], shown.weights, rtol=1e-12)


def test_the_mean_is_taken_before_the_rows_are_renormalised():
    """0.2 of one head and 0.8 of another: the mean of what they kept, not the mean of two rescaled rows."""
    weights = np.array([[[[0.2, 0.0], [0.5, 0.5]], [[0.0, 0.8], [0.5, 0.5]]]])
    special = np.array([[[[0.8], [0.0]], [[0.2], [0.0]]]])
    picture = attention_map(attention_of(weights, special, ("<s>",)), [(0, 0), (0, 1)], show_special=False)
    np.testing.assert_allclose(picture.weights[0], [0.2, 0.8])
    np.testing.assert_allclose(picture.removed, [0.5, 0])


def test_a_row_of_which_everything_is_removed_stays_zero():
    weights = np.array([[[[0.0, 0.0], [0.25, 0.75]]]])
    special = np.array([[[[0.4, 0.6], [0.0, 0.0]]]])
    with np.errstate(all="raise"):
        picture = attention_map(attention_of(weights, special), [(0, 0)], show_special=False)
    np.testing.assert_array_equal(picture.weights, [[0, 0], [0.25, 0.75]])
    np.testing.assert_array_equal(picture.removed, [1, 0])


def test_without_special_tokens_hiding_changes_nothing(attention):
    plain = attention.weights / attention.weights.sum(axis=-1, keepdims=True)
    none = attention_of(plain, np.zeros((LAYERS, HEADS, N, 0)), ())
    shown, hidden = attention_map(none, [(1, 1)]), attention_map(none, [(1, 1)], show_special=False)
    np.testing.assert_allclose(hidden.weights, shown.weights, rtol=1e-12)
    np.testing.assert_array_equal(hidden.removed, np.zeros(N))


def test_a_picture_needs_heads_that_exist(attention):
    with pytest.raises(ValueError, match="at least one head"):
        attention_map(attention, [])
    for head in ((LAYERS, 0), (0, HEADS)):
        with pytest.raises(IndexError):
            attention_map(attention, [(0, 0), head])


def test_inputs_stay_and_pictures_cannot_be_changed(attention):
    before = attention.weights.copy()
    picture = attention_map(attention, [(0, 0)], show_special=False)
    np.testing.assert_array_equal(attention.weights, before)
    for array in (picture.weights, picture.special, picture.removed):
        with pytest.raises(ValueError, match="read-only"):
            array[:] = 0


# ------------------------------------------------------------------------------------------- rows of pieces


@pytest.fixture(scope="module")
def run():
    words = tuple(map(Word, ("弟弟", "喜欢", "螺蛳粉", "和", "supercalifragilistic", "。")))
    run = e5.load_model().run(words)
    assert len(run.pieces) > len(words) + 2  # some word has several pieces, or nothing is tested
    return run


def test_pieces_are_the_models_own_numbers(run):
    pieces = e5.piece_attention(run)
    assert tuple(word.text for word in pieces.words) == run.pieces[1:-1]
    n = len(run.pieces)
    for i in range(1, n - 1):
        np.testing.assert_array_equal(pieces.weights[:, :, i - 1], run.attn_weights[:, :, i, 1:-1])
        np.testing.assert_array_equal(pieces.special[:, :, i - 1, 0], run.attn_weights[:, :, i, 0])
        np.testing.assert_array_equal(pieces.special[:, :, i - 1, 1], run.attn_weights[:, :, i, n - 1])
    np.testing.assert_allclose(pieces.weights.sum(axis=-1) + pieces.special.sum(axis=-1), 1, atol=1e-5)
    assert (pieces.special_names, pieces.source, pieces.trained) == (("<s>", "</s>"), "real", True)


def test_words_are_sums_over_key_pieces_and_means_over_query_pieces(run):
    pieces, words = e5.piece_attention(run), e5.word_attention(run)
    spans = [range(start - 1, end - 1) for start, end in run.alignment.spans]
    for i, query in enumerate(spans):
        for j, key in enumerate(spans):
            block = pieces.weights[:, :, query.start : query.stop, key.start : key.stop]
            np.testing.assert_allclose(words.weights[:, :, i, j], block.sum(axis=-1).mean(axis=-1), atol=1e-6)

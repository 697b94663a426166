"""The decoder that has learned nothing: its steps are right, and it looks where it may."""

import numpy as np
import pytest

from attention_core.masks import padding_mask
from attention_core.sources.seeded_decoder import D_MODEL, decode

WORDS = ["I", "bought", "apples", "I"]
MEMORY = np.random.default_rng(0).normal(size=(7, D_MODEL)).astype(np.float32)


def test_the_words_move_right_by_one():
    t = decode(WORDS, MEMORY)
    assert t.inputs == ("<s>", "I", "bought", "apples", "I")
    assert t.expected == ("I", "bought", "apples", "I", "</s>")
    assert t.vocabulary == ("I", "bought", "apples", "</s>")
    np.testing.assert_array_equal(t.embedded[1], t.embedded[4])  # the same word
    assert not np.allclose(t.x[1], t.x[4])  # in another place


def test_logits_are_dot_products_with_the_table_and_probabilities_sum_to_1():
    t = decode(WORDS, MEMORY)
    assert t.logits.shape == t.probabilities.shape == (5, 4)
    np.testing.assert_allclose(t.logits[3, 2], t.block.norm_ffn[3] @ t.table[2], rtol=1e-4)
    np.testing.assert_allclose(t.probabilities.sum(axis=1), 1, rtol=1e-5)
    np.testing.assert_allclose(t.embedded[2] / np.sqrt(D_MODEL), t.table[1], rtol=1e-5)


def test_a_later_word_does_not_reach_an_earlier_position():
    one, other = decode(WORDS, MEMORY), decode([*WORDS[:2], "cats", "we"], MEMORY)
    np.testing.assert_allclose(one.block.norm_ffn[:3], other.block.norm_ffn[:3], rtol=1e-5, atol=1e-6)
    assert not np.allclose(one.block.norm_ffn[3:], other.block.norm_ffn[3:], atol=1e-3)
    later = np.triu(np.ones((5, 5), bool), 1)
    assert (one.block.self_attention.attention.attn_weights[:, later] == 0).all()


def test_padding_of_the_source_is_not_seen():
    mask = padding_mask(5, 7, n_q=5)
    whole, cut = decode(WORDS, MEMORY, mask), decode(WORDS, MEMORY[:5])
    assert whole.block.cross_attention.attention.attn_weights.shape == (12, 5, 7)
    assert (whole.block.cross_attention.attention.attn_weights[:, :, 5:] == 0).all()
    np.testing.assert_allclose(whole.block.norm_ffn, cut.block.norm_ffn, rtol=1e-4, atol=1e-5)


def test_it_is_the_same_everywhere_and_read_only():
    one, other = decode(WORDS, MEMORY), decode(WORDS, MEMORY)
    np.testing.assert_array_equal(one.logits, other.logits)
    with pytest.raises(ValueError, match="read-only"):
        one.logits[0, 0] = 1
    with pytest.raises(ValueError, match="at least one word"):
        decode([], MEMORY)

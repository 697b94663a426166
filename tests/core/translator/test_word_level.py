"""From pieces to words."""

import numpy as np

from attention_core.translator import fold, source_attention, target_words
from attention_core.words.word import Word

WORDS = [Word("我"), Word("果苹"), Word("买"), Word("。")]


def test_fold():
    weights = np.array([[0.5, 0.125, 0.375], [0.25, 0.25, 0.5], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]])
    folded = fold(weights, ((0, 2), (2, 4)), ((0, 1), (1, 3)))
    np.testing.assert_array_equal(folded, [[0.375, 0.625], [0, 1]])


def test_target_words(small):
    run = small.read(small.encode(WORDS), ("▁I", "'s", "▁bought", "▁appl", "es", ".", "</s>"))
    words = target_words(run)
    assert words.words == ("I's", "bought", "apples", ".")
    assert words.spans == ((0, 2), (2, 3), (3, 5), (5, 6))
    assert words.inputs == ("<s>", "I's", "bought", "apples", ".")
    assert words.input_spans == ((0, 1), (1, 3), (3, 4), (4, 6), (6, 7))
    assert words.cross_attention.shape == (2, 2, 4, 4)
    apples = run.cross_attention[1, 0, 3:5]
    np.testing.assert_allclose(words.cross_attention[1, 0, 2, 1], apples[:, 1:3].sum(axis=1).mean(), rtol=1e-6)
    np.testing.assert_allclose(words.cross_attention.sum(axis=-1), 1, atol=1e-6)
    np.testing.assert_allclose(words.self_attention.sum(axis=-1), 1, atol=1e-6)
    assert (words.self_attention[..., ~np.tri(5, dtype=bool)] == 0).all()
    np.testing.assert_allclose(words.probabilities[2], run.chosen[3] * run.chosen[4], rtol=1e-6)
    encoder = source_attention(run)
    assert encoder.shape == (2, 2, 4, 4)
    np.testing.assert_allclose(encoder.sum(axis=-1), 1, atol=1e-6)


def test_a_text_that_was_cut_off(small):
    words = target_words(small.read(small.encode(WORDS), ("▁I", "▁appl", "es")))
    assert words.words == ("I", "apples")
    assert words.inputs == ("<s>", "I", "appl")  # the last piece was produced but never read


def test_a_translation_without_a_word(small):
    words = target_words(small.read(small.encode(WORDS), ("</s>",)))
    assert (words.words, words.inputs) == ((), ("<s>",))
    assert words.cross_attention.shape == (2, 2, 0, 4)
    assert words.probabilities.shape == (0,)

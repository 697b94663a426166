"""Content words and function words, and what they receive."""

import numpy as np
import pytest

from attention_core.focus import exceptions, kind, mean_of, received
from attention_core.words import segment
from attention_core.words.dictionary import read_list
from attention_core.words.word import Word


@pytest.mark.parametrize(
    ("sentence", "kinds"),
    [
        ("我昨天去超市买了苹果。", "f c c c c f c m"),
        ("The teacher gave us 3 books!", "f c c f c c m"),
        ("這是妳們的書嗎？", "f f c f c f m"),  # traditional characters are looked up as simplified ones; 妳 is not
    ],
)
def test_kinds(sentence, kinds):
    assert [kind(word)[0] for word in segment(sentence)] == kinds.split()


def test_every_function_word_stands_in_the_list_once_and_is_found():
    words = read_list("function_words.txt")
    assert len(words) == len(set(words)) > 200
    assert {kind(Word(word)) for word in words} == {"function"}


def test_received_leaves_a_words_look_at_itself_out():
    weights = np.zeros((2, 3, 4, 4))
    weights[0, :, :, 1] = 0.5  # everybody, the word itself too, gives word 1 a half in every head
    weights[1, 0, 2, 3] = 0.9
    found = received(weights)
    assert found.shape == (2, 4)
    np.testing.assert_allclose(found[0], [0, 0.5, 0, 0])
    np.testing.assert_allclose(found[1], [0, 0, 0, 0.9 / 3 / 3])  # one of 3 heads, one of 3 others


def test_a_single_word_receives_nothing_from_others():
    with pytest.raises(ValueError, match="single word"):
        received(np.ones((2, 3, 1, 1)))


def test_means_and_exceptions():
    kinds = ("content", "function", "mark", "content", "function")
    each = np.array([[0.5, 0.1, 0.9, 0.05, 0.4], [0.5, 0.1, 0.9, 0.05, 0.2]])
    np.testing.assert_allclose(mean_of(each, kinds, "content"), [0.275, 0.275])
    np.testing.assert_allclose(mean_of(each, kinds, "function"), [0.25, 0.15])
    assert exceptions(each, kinds) == (3, 4)  # content 3: 0.05 below 0.2; function 4: 0.3 above 0.275; marks never
    assert np.isnan(mean_of(each[:, :1], kinds[:1], "function")).all()

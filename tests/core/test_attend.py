"""`attend` for the untrained sources."""

import numpy as np
import pytest

import attention_core
from attention_core import InputError, Settings, Word, attend

WORDS = tuple(map(Word, ["我", "喜欢", "我", "的", "猫"]))


@pytest.mark.parametrize(("source", "n_heads"), [("toy", 2), ("paper", 8), ("vectors", 1)])
def test_untrained_sources(source, n_heads):
    shown = attend(WORDS, source)
    assert (shown.words, shown.source, shown.trained) == (WORDS, source, False)
    assert shown.pieces == ("我", "喜欢", "我", "的", "猫")
    assert (shown.n_layers, shown.n_heads) == (1, n_heads)
    assert shown.weights.shape == (1, n_heads, 5, 5)
    assert (shown.special.shape, shown.special_names) == ((1, n_heads, 5, 0), ())
    np.testing.assert_allclose(shown.weights.sum(axis=-1), 1, rtol=1e-6)
    assert not shown.weights.flags.writeable


def test_settings_reach_the_source():
    a, b = (attend(WORDS, "toy", Settings(embedding="seeded", seed=seed)).weights for seed in (1, 2))
    assert not np.allclose(a, b)


def test_any_sequence_of_words_will_do():
    np.testing.assert_array_equal(attend(list(WORDS), "toy").weights, attend(WORDS, "toy").weights)


@pytest.mark.parametrize("source", ["real", "toy"])
def test_no_words(source):
    with pytest.raises(InputError) as caught:
        attend((), source)
    assert caught.value.key == "empty"


def test_unknown_source():
    with pytest.raises(InputError, match="source must be one of real, toy, paper, vectors, not bert"):
        attend(WORDS, "bert")


def test_public_names_exist():
    for name in attention_core.__all__:
        assert getattr(attention_core, name) is not None

import pytest

from attention_core.sources.e5 import load_model
from attention_core.words.word import Word


@pytest.fixture(scope="session")
def model():
    return load_model()


@pytest.fixture(scope="session")
def vocabulary(model):
    return model.weights.vocabulary


def words_of(sentence):
    """Words typed with spaces between them, none of which the sentence itself has."""
    return tuple(Word(text) for text in sentence.split())


@pytest.fixture(scope="session")
def default(model):
    """The sentence of most facts: 我昨天去超市买了苹果。"""
    return model.run(words_of("我 昨天 去 超市 买 了 苹果 。"))

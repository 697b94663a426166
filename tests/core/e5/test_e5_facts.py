"""What the lesson says about single heads, as raw weights. Layers and heads are counted from 0."""

import numpy as np
import pytest

from attention_core.sources.e5 import attend, word_attention

from .conftest import words_of

NEAR = 6e-3  # the facts are written with two or three decimals


@pytest.fixture(scope="module")
def default_words(default):
    return word_attention(default)


def weight(attention, layer, head, query, key):
    texts = [word.text for word in attention.words]
    return attention.weights[layer, head, texts.index(query), texts.index(key)]


@pytest.mark.parametrize(
    ("layer", "head", "query", "key", "expected"),
    [
        (6, 2, "买", "苹果", 0.735),
        (6, 2, "买", "超市", 0.106),
        (2, 1, "买", "超市", 0.514),
        (2, 6, "买", "了", 1.00),
        (1, 7, "买", "了", 0.999),
        (7, 4, "苹果", "买", 0.546),
    ],
)
def test_default_sentence(default_words, layer, head, query, key, expected):
    assert weight(default_words, layer, head, query, key) == pytest.approx(expected, abs=1.5e-3)


def test_special_tokens_of_the_default_sentence(default_words):
    buy = 4
    assert default_words.special[6, 2, buy].sum() == pytest.approx(0.064, abs=1.5e-3)
    assert default_words.special[1, 10, buy].sum() == pytest.approx(0.90, abs=NEAR)
    assert default_words.special[0, 2, buy].sum() < 0.15
    assert default_words.special.sum(axis=-1).mean() == pytest.approx(0.66, abs=NEAR)


def test_previous_word_head_on_the_default_sentence(default_words):
    strongest = default_words.weights[0, 2].argmax(axis=-1)
    assert strongest[1:].tolist() == list(range(7))


def test_content_words_head_renormalised(default_words):
    row = default_words.weights[11, 0, 4]
    row = row / row.sum()
    texts = [word.text for word in default_words.words]
    for key, expected in {"苹果": 0.56, "超市": 0.37, "了": 0.00}.items():
        assert row[texts.index(key)] == pytest.approx(expected, abs=NEAR)


@pytest.mark.parametrize(
    ("sentence", "pronoun", "antecedent", "expected"),
    [
        ("小猫 没有 喝 牛奶 ， 因为 它 已经 饱 了 。", "它", "小猫", 0.88),
        ("小猫 没有 喝 牛奶 ， 因为 它 已经 凉 了 。", "它", "小猫", 0.64),
        ("小红 有 一 只 狗 ， 她 每天 带 它 散步 。", "她", "小红", 0.56),
        ("小红 有 一 只 狗 ， 她 每天 带 它 散步 。", "它", "狗", 0.60),
        ("爸爸 买 了 一 辆 车 ， 他 很 喜欢 。", "他", "爸爸", 0.63),
        ("爸爸 买 了 一 辆 车 ， 它 很 贵 。", "它", "车", 0.33),
    ],
)
def test_pronoun_head(sentence, pronoun, antecedent, expected):
    attention = attend(words_of(sentence))
    assert weight(attention, 8, 8, pronoun, antecedent) == pytest.approx(expected, abs=NEAR)
    texts = [word.text for word in attention.words]
    for layer, head in [(8, 8), (7, 9)]:
        assert texts[np.argmax(attention.weights[layer, head, texts.index(pronoun)])] == antecedent

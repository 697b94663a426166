"""Two sentences side by side: the matching of words, and distances between rows."""

from __future__ import annotations

import numpy as np
import pytest

from attention_core.comparison import cosine_per_layer, differences, match_words, row_change, word_vectors


@pytest.mark.parametrize(
    ("a", "b", "pairs"),
    [
        (
            "小猫/没有/喝/牛奶/，/因为/它/已经/饱/了",
            "小猫/没有/喝/牛奶/，/因为/它/已经/凉/了",
            [(i, i) for i in range(10)],
        ),
        ("弟弟/把/杯子/打破/了", "杯子/被/弟弟/打破/了", [(0, 2), (2, 0), (3, 3), (4, 4)]),
        ("我/打/他", "他/打/我", [(0, 2), (1, 1), (2, 0)]),
        ("他/从/小学/习/钢琴", "他/从小/学习/钢琴", [(0, 0), (4, 3)]),
        ("花/买/花", "买/花", [(1, 0), (2, 1)]),
        ("甲", "乙", [(0, 0)]),
        ("甲/丙/了", "乙/丁/了", [(0, 0), (1, 1), (2, 2)]),
        ("我/昨天/去/买/了", "小猫/今天/在/睡/了", [(4, 4)]),
        ("甲/乙", "丙", []),
    ],
)
def test_words_answer_to_each_other(a, b, pairs):
    assert list(match_words(a.split("/"), b.split("/"))) == pairs


def test_differences_follow_the_pairs():
    a, b = np.arange(9.0).reshape(1, 3, 3), 10 * np.arange(16.0).reshape(1, 4, 4)
    np.testing.assert_array_equal(differences(a, b, ((0, 3), (2, 1))), [[[150 - 0, 130 - 2], [70 - 6, 50 - 8]]])


def test_a_row_has_moved_by_the_weight_that_went_elsewhere():
    a, b = np.zeros((2, 3, 3)), np.zeros((2, 4, 4))
    a[:, 1], b[:, 2] = [0.5, 0.2, 0.1], [0.2, 0.4, 0.1, 0.1]
    special_a, special_b = np.full((2, 3, 2), 0.1), np.full((2, 4, 2), 0.1)
    pairs = ((0, 1), (1, 2))  # a's last word, b's first and last answer to none
    change = row_change(a, b, special_a, special_b, (1, 2), pairs)
    np.testing.assert_allclose(change, [(0.1 + 0.1 + 0.1 + 0.2 + 0.1) / 2] * 2, rtol=1e-12)


def test_the_same_row_has_not_moved_and_no_common_key_is_all_of_it():
    rng = np.random.default_rng(4)
    weights = rng.dirichlet(np.ones(6), size=(3, 2, 4))  # 4 words and 2 special tokens
    a, special = weights[..., :4], weights[..., 4:]
    everyone = tuple((i, i) for i in range(4))
    np.testing.assert_array_equal(row_change(a, a, special, special, (3, 3), everyone), np.zeros((3, 2)))
    none = np.zeros_like(special)
    full = a / a.sum(axis=-1, keepdims=True)
    np.testing.assert_allclose(row_change(full, full, none, none, (1, 1), ()), np.ones((3, 2)), rtol=1e-12)


def test_a_words_vector_is_the_mean_over_its_pieces():
    hidden = np.arange(24.0).reshape(2, 4, 3)
    vectors = word_vectors(hidden, (1, 3))
    np.testing.assert_array_equal(vectors, [[4.5, 5.5, 6.5], [16.5, 17.5, 18.5]])
    np.testing.assert_allclose(cosine_per_layer(vectors, 2 * vectors), [1, 1])
    np.testing.assert_allclose(cosine_per_layer([[1.0, 0.0]], [[1.0, 1.0]]), [0.5**0.5])

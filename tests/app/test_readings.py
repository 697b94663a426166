"""Which sentence is said about a row, and what the words are called in it."""

from __future__ import annotations

import numpy as np
import pytest

from attention_app.labels import labels
from attention_app.readings import row_reading
from attention_core.attention_map import AttentionMap


def picture(row, special=()):
    """As many rows as columns; the row under test is row 1, the others are flat."""
    n = len(row)
    weights = np.full((n, n), 0.01)
    specials = np.full((n, len(special)), 0.02)
    at = min(1, n - 1)
    weights[at], specials[at] = row, special
    return AttentionMap(weights, specials, ("<s>", "</s>")[: len(special)], np.zeros(n)), at


def test_strongest_and_second_word_and_the_mass_on_specials():
    reading = row_reading(*picture([0.1, 0.2, 0.5], [0.15, 0.05]))
    assert reading.key == "top_two"
    assert reading.indices == {"query": 1, "key": 2, "key2": 1}
    assert reading.numbers == pytest.approx({"value": 0.5, "value2": 0.2, "special": 0.2})


def test_a_special_token_that_is_largest_is_named():
    reading = row_reading(*picture([0.1, 0.2, 0.1], [0.05, 0.55]))
    assert reading.key == "special_first"
    assert reading.indices == {"query": 1, "key": 1, "token": 1}
    assert reading.numbers == pytest.approx({"value": 0.2, "token_value": 0.55, "special": 0.6})


def test_specials_that_are_largest_only_together_are_not_named():
    assert row_reading(*picture([0.1, 0.4, 0.1], [0.2, 0.2])).key == "top_two"


def test_without_special_tokens():
    reading = row_reading(*picture([0.2, 0.7, 0.1]))
    assert reading.key == "top_two_plain"
    assert "special" not in reading.numbers


def test_one_word_has_no_second():
    assert row_reading(*picture([1.0])).key == "only_plain"
    assert row_reading(*picture([0.3], [0.5, 0.2])).key == "only"


def test_repeated_words_are_told_apart():
    assert labels(["我", "喜欢", "我", "的", "猫"]) == ["我₁", "喜欢", "我₂", "的", "猫"]
    assert labels(["的"] * 12)[-1] == "的₁₂"
    assert labels([]) == []

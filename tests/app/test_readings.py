"""Which sentence is said about a row, and what the words are called in it."""

from __future__ import annotations

import numpy as np
import pytest

from attention_app.figures.numbers import number, whole
from attention_app.labels import labels
from attention_app.readings import column_reading, row_reading, special_note
from attention_core.attention_map import AttentionMap


def picture(row, special=()):
    """As many rows as columns; the row under test is row 1, the others are flat."""
    n = len(row)
    weights = np.full((n, n), 0.01)
    specials = np.full((n, len(special)), 0.02)
    at = min(1, n - 1)
    weights[at], specials[at] = row, special
    return AttentionMap(weights, specials, ("<s>", "</s>")[: len(special)], np.zeros(n)), at


def read(shown, row, decimals=2):
    return row_reading(shown, row, decimals)


def test_strongest_and_second_word_and_the_mass_on_specials():
    reading = read(*picture([0.1, 0.2, 0.5], [0.15, 0.05]))
    assert reading.key == "top_two"
    assert reading.indices == {"query": 1, "key": 2, "key2": 1}
    assert reading.numbers == pytest.approx({"value": 0.5, "value2": 0.2, "special": 0.2})


def test_a_special_token_that_is_largest_is_named():
    reading = read(*picture([0.1, 0.2, 0.1], [0.05, 0.55]))
    assert reading.key == "special_first"
    assert reading.indices == {"query": 1, "key": 1, "token": 1}
    assert reading.numbers == pytest.approx({"value": 0.2, "token_value": 0.55, "special": 0.6})


def test_specials_that_are_largest_only_together_are_not_named():
    assert read(*picture([0.1, 0.4, 0.1], [0.2, 0.2])).key == "top_two"


def test_without_special_tokens():
    reading = read(*picture([0.2, 0.7, 0.1]))
    assert reading.key == "top_two_plain"
    assert "special" not in reading.numbers


def test_one_word_has_no_second():
    assert read(*picture([1.0])).key == "only_plain"
    assert read(*picture([0.3], [0.5, 0.2])).key == "only"


def test_a_row_of_which_nothing_is_left_is_not_said_to_look_at_a_word():
    weights = np.array([[0.0, 0.0], [0.5, 0.5]])
    empty = AttentionMap(weights, np.zeros((2, 0)), (), np.array([1.0, 0.2]))
    assert read(empty, 0).key == "nothing"
    assert read(empty, 1).key == "top_two_plain"


def test_weights_that_round_to_zero_are_not_spoken_of():
    one = picture([0.0, 0.004, 0.976], [0.016, 0.004])
    assert read(*one).key == "top_one"
    assert read(*one).indices == {"query": 1, "key": 2}
    assert read(*one, decimals=3).key == "top_two"
    assert read(*picture([0.0, 0.002, 0.996], [0.001, 0.001])).key == "top_one_plain"
    assert read(*picture([0.3, 0.002, 0.696], [0.001, 0.001])).key == "top_two_plain"
    assert read(*picture([0.3, 0.002, 0.696], [0.001, 0.001]), decimals=3).numbers["special"] == pytest.approx(0.002)
    alone = read(*picture([0.004, 0.001, 0.0], [0.935, 0.06]))
    assert (alone.key, alone.numbers.keys()) == ("special_first_only", {"token_value", "special"})


def test_special_tokens_that_read_alike_are_both_named():
    tied = read(*picture([0.1, 0.02, 0.0], [0.4402, 0.4398]))
    assert tied.key == "special_tied"
    assert "token" not in tied.indices
    assert tied.numbers == pytest.approx({"token_value": 0.4402, "special": 0.88, "value": 0.1})
    assert read(*picture([0.1, 0.02, 0.0], [0.4402, 0.4398]), decimals=4).key == "special_first"
    assert read(*picture([0.0, 0.004, 0.0], [0.498, 0.498])).key == "special_tied_only"


def test_a_column_of_small_weights_is_said_to_be_one():
    weights = np.array([[0.9, 0.004, 0.096], [0.3, 0.002, 0.698], [0.5, 0.003, 0.497]])
    flat = AttentionMap(weights, np.zeros((3, 0)), (), np.zeros(3))
    nobody = column_reading(flat, 1, 2)
    assert (nobody.key, nobody.indices) == ("seen_by_none", {"key": 1})
    assert column_reading(flat, 1, 3).key == "seen_top_two"
    lone = np.array([[0.996, 0.004], [1.0, 0.0]])
    assert column_reading(AttentionMap(lone, np.zeros((2, 0)), (), np.zeros(2)), 1, 2).key == "seen_by_none"
    assert column_reading(AttentionMap(lone.T[::-1], np.zeros((2, 0)), (), np.zeros(2)), 0, 2).key == "seen_top_one"


def test_a_column_names_who_looks_and_its_own_sum():
    weights = np.array([[0.1, 0.8, 0.1], [0.2, 0.3, 0.5], [0.0, 0.6, 0.4]])
    reading = column_reading(AttentionMap(weights, np.zeros((3, 0)), (), np.zeros(3)), 1, 2)
    assert reading.key == "seen_top_two"
    assert reading.indices == {"key": 1, "query": 0, "query2": 2}
    assert reading.numbers == pytest.approx({"value": 0.8, "value2": 0.6, "sum": 1.7})
    assert column_reading(picture([1.0])[0], 0, 2).key == "seen_only"


@pytest.mark.parametrize(
    ("special", "removed", "note"),
    [
        ([0.2, 0.2], 0.0, None),
        ([0.3, 0.3], 0.0, ("most", 0.6)),
        ([], 0.4, ("hidden", 0.4)),
        ([], 0.5, ("hidden", 0.5)),
        ([], 0.6, ("hidden_most", 0.6)),
        ([], 0.0, None),
    ],
)
def test_what_special_tokens_hold_is_said(special, removed, note):
    shown, at = picture([0.4], special)
    noted = special_note(AttentionMap(shown.weights, shown.special, shown.special_names, np.array([removed])), at)
    assert noted == (note if note is None else (note[0], pytest.approx(note[1])))


@pytest.mark.parametrize(
    ("weight", "decimals", "shown"),
    [
        (0.125, 2, "0.13"),
        (0.145, 2, "0.15"),
        (0.7249, 2, "0.72"),
        (1, 2, "1.00"),
        (1e-7, 6, "0.000000"),
        (0, 2, "0.00"),
    ],
)
def test_a_half_is_rounded_up_as_in_the_browser(weight, decimals, shown):
    assert number(weight, decimals) == shown


def test_weights_travel_in_millionths_row_after_row():
    assert whole(np.array([[0.5, 0.25], [1e-6, 4e-7]], dtype=np.float32)) == [500_000, 250_000, 1, 0]


def test_repeated_words_are_told_apart():
    assert labels(["我", "喜欢", "我", "的", "猫"]) == ["我₁", "喜欢", "我₂", "的", "猫"]
    assert labels(["的"] * 12)[-1] == "的₁₂"
    assert labels([]) == []

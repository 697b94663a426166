"""Entropy, the sharpest row, a ranked row."""

import numpy as np
import pytest

from attention_core.measures import Peak, Ranked, entropy, peaks, ranked, sharpest_row


def test_entropy_counts_in_bits():
    rows = [[1, 0, 0, 0], [0.5, 0.5, 0, 0], [0.25, 0.25, 0.25, 0.25], [0.5, 0.25, 0.125, 0.125]]
    np.testing.assert_array_equal(entropy(rows), [0, 1, 2, 1.75])
    assert entropy(np.full((2, 3, 8), 1 / 8)).shape == (2, 3)
    assert not np.signbit(entropy([1.0, 0.0]))


def test_sharpest_row_is_the_first_of_equals():
    assert sharpest_row([[0.3, 0.4, 0.3], [0.1, 0.2, 0.7], [0.7, 0.15, 0.15]]) == 1
    with pytest.raises(ValueError, match="empty"):
        sharpest_row(np.zeros((0, 3)))


def test_ranked_keeps_sentence_order_on_ties_and_puts_specials_after_words():
    row, special = [0.1, 0.3, 0.1], [0.3, 0.2]
    assert ranked(row) == (Ranked(1, 0.3, False), Ranked(0, 0.1, False), Ranked(2, 0.1, False))
    assert [(entry.place, entry.special) for entry in ranked(row, special)] == [
        (1, False),
        (0, True),
        (1, True),
        (0, False),
        (2, False),
    ]


def test_peaks_are_the_largest_weight_of_every_head_in_reading_order():
    weights = np.zeros((2, 2, 2, 3))
    weights[0, 0, 1, 2] = 0.9
    weights[0, 1, 0, 1] = weights[0, 1, 1, 0] = 0.5  # the first one counts
    weights[1, 0, 0, 0] = 1
    assert peaks(weights) == (Peak(1, 2, 0.9), Peak(0, 1, 0.5), Peak(0, 0, 1), Peak(0, 0, 0))

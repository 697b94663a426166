"""Masks: True = may attend."""

import numpy as np
import pytest

from attention_core.masks import causal_mask, closed_by, padding_mask


def test_causal_mask_sees_itself_and_the_past():
    expected = [[1, 0, 0, 0], [1, 1, 0, 0], [1, 1, 1, 0]]
    np.testing.assert_array_equal(causal_mask(3, 4), np.array(expected, bool))
    np.testing.assert_array_equal(causal_mask(3), np.array(expected, bool)[:, :3])
    assert causal_mask(3).dtype == np.bool_


def test_padding_mask_from_a_length_and_from_a_vector():
    expected = np.array([[1, 1, 1, 0]] * 2, bool)
    np.testing.assert_array_equal(padding_mask(3, n_k=4, n_q=2), expected)
    np.testing.assert_array_equal(padding_mask(np.array([True, True, True, False]), n_q=2), expected)
    assert padding_mask(3, n_k=4).shape == (4, 4)


def test_masks_combine_with_and():
    both = causal_mask(3) & padding_mask(2, n_k=3)
    np.testing.assert_array_equal(both, np.array([[1, 0, 0], [1, 1, 0], [1, 1, 0]], bool))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((3,), "n_k of at least 3; given n_k = None"),
        ((5, 4), "n_k of at least 5; given n_k = 4"),
        ((-1, 4), "-1 real positions"),
        ((np.array([1, 1, 0]),), "boolean vector"),
        ((np.ones((2, 3), bool),), r"shape \(2, 3\)"),
        ((np.ones(3, bool), 4), "n_k = 4, but real has 3"),
    ],
)
def test_padding_mask_explains_what_it_needs(arguments, message):
    with pytest.raises(ValueError, match=message):
        padding_mask(*arguments)


def test_every_closed_cell_knows_why():
    masks = {"causal": causal_mask(3, 4), "padding": padding_mask(2, 4, 3)}
    joined = masks["causal"] & masks["padding"]
    reasons = closed_by(masks)
    assert set(reasons) == {(int(i), int(j)) for i, j in np.argwhere(~joined)}
    assert reasons[0, 1] == ("causal",)
    assert reasons[2, 2] == ("padding",)
    assert reasons[0, 3] == ("causal", "padding")
    with pytest.raises(ValueError, match="cannot be joined"):
        closed_by({"a": causal_mask(3), "b": causal_mask(4)})

"""Sinusoidal positions."""

import math

import numpy as np
import pytest

from attention_core.positional import positional_encoding


def test_formula_of_section_3_5():
    pe = positional_encoding(5, 6)
    assert pe.shape == (5, 6)
    np.testing.assert_array_equal(pe[0], [0, 1, 0, 1, 0, 1])
    np.testing.assert_allclose(pe[1, :2], [0.841471, 0.540302], atol=1e-6)  # sin 1, cos 1
    for pos in range(5):
        for i in range(3):
            angle = pos / 10000 ** (2 * i / 6)
            np.testing.assert_allclose(pe[pos, 2 * i : 2 * i + 2], [math.sin(angle), math.cos(angle)], rtol=1e-13)


def test_a_step_is_a_rotation_the_same_at_every_place():
    pe = positional_encoding(9, 4)
    near = (pe[1:] * pe[:-1]).sum(axis=1)
    np.testing.assert_allclose(near, near[0])


@pytest.mark.parametrize(("n", "d_model"), [(3, 5), (-1, 4), (3, -2)])
def test_bad_sizes(n, d_model):
    with pytest.raises(ValueError, match="even d_model"):
        positional_encoding(n, d_model)

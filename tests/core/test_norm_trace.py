"""Layer norm with every number on the way."""

import numpy as np
import pytest

from attention_core.norm_trace import layer_norm_trace
from attention_core.ops import layer_norm

RNG = np.random.default_rng(4)
X, GAIN, BIAS = RNG.normal(3, 2, size=(5, 7)), RNG.normal(size=7), RNG.normal(size=7)


def test_by_hand():
    """Row 1, 3: mean 2, variance 1; with eps 3 it is divided by 2."""
    t = layer_norm_trace(np.array([[1.0, 3.0]]), np.array([10.0, 20.0]), np.array([0.5, 0.25]), 3)
    assert (t.mean[0], t.variance[0]) == (2, 1)
    np.testing.assert_array_equal(t.centred, [[-1, 1]])
    np.testing.assert_array_equal(t.normalised, [[-0.5, 0.5]])
    np.testing.assert_array_equal(t.out, [[-4.5, 10.25]])


def test_it_ends_where_layer_norm_ends_and_has_mean_0_and_variance_1_before_the_gain():
    t = layer_norm_trace(X, GAIN, BIAS, 1e-12)
    np.testing.assert_allclose(t.out, layer_norm(X, GAIN, BIAS, 1e-12), rtol=1e-12)
    np.testing.assert_allclose(t.normalised.mean(axis=1), 0, atol=1e-12)
    np.testing.assert_allclose(t.normalised.var(axis=1), 1, rtol=1e-9)


def test_nothing_can_be_changed_and_nothing_was():
    x = X.copy()
    t = layer_norm_trace(x, GAIN, BIAS, 1e-5)
    np.testing.assert_array_equal(x, X)
    x[...] = 0
    np.testing.assert_array_equal(t.x, X)
    with pytest.raises(ValueError, match="read-only"):
        t.out[0, 0] = 1


def test_shapes_that_do_not_fit():
    with pytest.raises(ValueError, match=r"gain \(6,\)"):
        layer_norm_trace(X, GAIN[1:], BIAS, 1e-5)

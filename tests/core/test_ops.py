"""softmax, layer_norm, gelu, relu, linear: against paper arithmetic and exact functions."""

import ast
import inspect
import math

import numpy as np
import pytest

from attention_core import ops
from attention_core.ops import gelu, layer_norm, linear, relu, softmax

FLOATS = [np.float32, np.float64]


def test_softmax_of_logarithms_is_their_share():
    np.testing.assert_allclose(
        softmax(np.log([[1.0, 2.0, 5.0], [4.0, 4.0, 8.0]])), [[1 / 8, 2 / 8, 5 / 8], [0.25, 0.25, 0.5]]
    )


def test_softmax_along_the_first_axis():
    np.testing.assert_allclose(softmax(np.log([[1.0, 3.0], [3.0, 1.0], [6.0, 4.0]]), axis=0).sum(axis=0), [1, 1])
    np.testing.assert_allclose(softmax(np.log([[1.0, 3.0], [3.0, 1.0], [6.0, 4.0]]), axis=0)[:, 0], [0.1, 0.3, 0.6])


@pytest.mark.parametrize("dtype", FLOATS)
def test_softmax_of_huge_scores_does_not_overflow(dtype):
    out = softmax(np.array([[1e4, 1e4, -1e4], [-1e4, -1e4, -1e4]], dtype))
    np.testing.assert_allclose(out, [[0.5, 0.5, 0], [1 / 3, 1 / 3, 1 / 3]], rtol=1e-6)
    assert out.dtype == dtype


def test_softmax_gives_a_masked_place_exactly_nothing():
    assert softmax(np.array([1.0, -np.inf, 2.0]))[1] == 0


@pytest.mark.parametrize("bad", [-np.inf, np.nan, np.inf])
def test_softmax_names_the_row_that_has_no_weights(bad):
    x = np.zeros((2, 3, 4))
    x[1, 2] = bad
    with pytest.raises(ValueError, match=r"row \(1, 2\) \(from 0\) is all -inf"):
        softmax(x)


def test_layer_norm_by_hand():
    # 1, 3, 5, 7: mean 4, variance (9 + 1 + 1 + 9) / 4 = 5; with eps 4, the root is 3
    out = layer_norm(np.array([[1.0, 3, 5, 7]]), np.array([3.0, 3, 6, 3]), np.array([0.0, 1, 0, 0]), eps=4)
    np.testing.assert_allclose(out, [[-3, 0, 2, 3]])


def test_layer_norm_of_a_constant_row_is_its_bias():
    np.testing.assert_array_equal(layer_norm(np.full((2, 3), 7.0), np.ones(3), np.arange(3.0), 1e-12), [[0, 1, 2]] * 2)


def test_gelu_is_the_exact_one_within_four_ten_millionths():
    x = np.linspace(-12, 12, 24001)
    exact = np.array([0.5 * v * (1 + math.erf(v / math.sqrt(2))) for v in x])
    assert np.abs(gelu(x) - exact).max() < 4e-7
    tanh = 0.5 * x * (1 + np.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3)))
    assert np.abs(gelu(x) - tanh).max() > 1e-4  # not the tanh form


def test_gelu_of_extremes():
    np.testing.assert_array_equal(gelu(np.array([0.0, 100.0, -100.0, 1e6, -1e6])), [0, 100, 0, 1e6, 0])


def test_relu():
    np.testing.assert_array_equal(relu(np.array([-2.0, 0, 3])), [0, 0, 3])


def test_linear_by_hand():
    x, W = np.array([[1.0, 2, 3], [0, 1, 0]]), np.array([[1.0, 0, 0, 1], [0, 1, 0, 1], [0, 0, 2, 1]])
    np.testing.assert_array_equal(linear(x, W), [[1, 2, 6, 6], [0, 1, 0, 1]])
    np.testing.assert_array_equal(linear(x, W, np.array([1.0, 0, 0, -1])), [[2, 2, 6, 5], [1, 1, 0, 0]])


@pytest.mark.parametrize("dtype", FLOATS)
def test_dtype_is_kept_and_inputs_unmodified(dtype):
    x = np.linspace(-3, 3, 12, dtype=dtype).reshape(3, 4)
    before = x.copy()
    gain, bias, W = np.full(4, 2, dtype), np.ones(4, dtype), np.ones((4, 5), dtype)
    results = [softmax(x), layer_norm(x, gain, bias, 1e-5), gelu(x), relu(x), linear(x, W, np.ones(5, dtype))]
    assert {result.dtype for result in results} == {np.dtype(dtype)}
    np.testing.assert_array_equal(x, before)


@pytest.mark.parametrize("function", [softmax, layer_norm, gelu, relu, linear])
def test_a_student_can_read_each_one_at_a_glance(function):
    tree = ast.parse(inspect.getsource(function)).body[0]
    assert isinstance(tree, ast.FunctionDef)
    first, last = tree.body[1], tree.body[-1]  # body[0] is the docstring
    assert last.end_lineno - first.lineno + 1 <= 10
    assert inspect.getdoc(function)
    assert inspect.getmodule(function) is ops

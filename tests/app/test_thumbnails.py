"""The small maps of all heads: what the browser unpacks is what was computed."""

from __future__ import annotations

import base64
import zlib

import numpy as np
import pytest

from attention_app.figures.thumbnails import MOST_CELLS, STEPS, thumbnails


def unpack(small, layers, heads):
    cells = np.frombuffer(zlib.decompress(base64.b64decode(small.data)), dtype=np.uint8)
    return cells.reshape(layers, heads, small.columns + small.special, small.rows).swapaxes(-1, -2)


def random_rows(layers, heads, n, n_special, seed=3):
    rows = np.random.default_rng(seed).random((layers, heads, n, n + n_special))
    rows /= rows.sum(axis=-1, keepdims=True)
    return rows[..., :n], rows[..., n:]


@pytest.mark.parametrize(("n", "n_special"), [(1, 2), (5, 2), (5, 0), (MOST_CELLS, 2)])
def test_up_to_the_limit_a_cell_is_a_weight(n, n_special):
    weights, special = random_rows(2, 3, n, n_special)
    small = thumbnails(weights, special)
    assert (small.rows, small.columns, small.special) == (n, n, n_special)
    cells = unpack(small, 2, 3) / STEPS
    first = min(n_special, 1)
    np.testing.assert_allclose(cells[..., first : first + n], weights, atol=0.5 / STEPS)
    np.testing.assert_allclose(cells[..., :first], special[..., :first], atol=0.5 / STEPS)
    np.testing.assert_allclose(cells[..., first + n :], special[..., first:], atol=0.5 / STEPS)


@pytest.mark.parametrize("n", [MOST_CELLS + 1, 37, 64, 128])
def test_a_long_sentence_keeps_the_largest_weight_of_each_cell(n):
    weights, special = random_rows(1, 2, n, 2)
    small = thumbnails(weights, special)
    assert (small.rows, small.columns) == (MOST_CELLS, MOST_CELLS)
    cells = unpack(small, 1, 2)
    edges = [i * n // MOST_CELLS for i in range(MOST_CELLS + 1)]
    for i in range(MOST_CELLS):
        rows = slice(edges[i], edges[i + 1])
        np.testing.assert_array_equal(cells[:, :, i, 0], np.rint(special[:, :, rows, 0].max(axis=-1) * STEPS))
        for j in range(MOST_CELLS):
            block = weights[:, :, rows, edges[j] : edges[j + 1]]
            np.testing.assert_array_equal(cells[:, :, i, 1 + j], np.rint(block.max(axis=(-2, -1)) * STEPS))


def test_zero_is_paper_and_one_is_the_full_colour():
    weights = np.eye(3)[None, None] * 1.0000002  # rounding may leave a weight a hair above 1
    cells = unpack(thumbnails(weights.astype(np.float32), np.zeros((1, 1, 3, 0))), 1, 1)
    np.testing.assert_array_equal(cells[0, 0], np.eye(3) * STEPS)

"""The real model on reordered words, and on padded sentences."""

import numpy as np
import pytest

from attention_core.sources.e5 import load_model
from attention_core.sources.e5_batch import PAD, padded_batch
from attention_core.sources.e5_order import order_trace, piece_places
from attention_core.words import segment


@pytest.fixture(scope="module")
def model():
    return load_model()


def test_pieces_of_a_word_stay_together():
    np.testing.assert_array_equal(piece_places([(1, 2), (2, 5), (5, 6)], [2, 1, 0], 7), [0, 5, 2, 3, 4, 1, 6])
    with pytest.raises(ValueError, match="no order of 2 words"):
        piece_places([(1, 2), (2, 3)], [0, 0], 4)


@pytest.mark.parametrize("text", ["我打他", "我昨天去超市买了苹果。"])
def test_without_positions_the_output_is_only_permuted(model, text):
    run = model.run(segment(text))
    order = list(range(len(run.words)))[::-1]
    off, on = (order_trace(model, run, order, positions=positions) for positions in (False, True))
    np.testing.assert_allclose(off.after, off.before[off.places], atol=2e-5)
    assert off.largest < 2e-5
    assert (off.cosine > 0.99999).all()
    assert on.largest > 0.1
    assert on.cosine.min() < 0.98
    np.testing.assert_allclose(on.before, run.hidden[-1], atol=1e-5)


@pytest.mark.parametrize("causal", [False, True])
def test_padding_changes_nothing_for_the_real_words(model, causal):
    long, short = (model.run(segment(text)) for text in ("我昨天去超市买了苹果。", "我打他"))
    one, two = padded_batch(model, (long, short), causal=causal)
    n, n_real = len(long.pieces), len(short.pieces)
    assert one.attn_weights.shape == two.attn_weights.shape == (12, n, n)
    assert (one.n_real, two.n_real) == (n, n_real)
    assert two.pieces[n_real:] == (PAD,) * (n - n_real)
    assert (two.attn_weights[:, :, n_real:] == 0).all()  # columns of padding
    np.testing.assert_allclose(two.attn_weights[:, :n_real].sum(axis=-1), 1, rtol=1e-5)
    assert two.difference < 1e-5
    assert one.difference == 0
    future = np.triu(np.ones((n, n), bool), 1)
    assert (one.attn_weights[:, future] == 0).all() == causal
    if not causal:
        np.testing.assert_allclose(two.attn_weights[:, :n_real, :n_real], short.attn_weights[0], atol=1e-5)

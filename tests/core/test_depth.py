"""Vectors from layer to layer, with and without the residual."""

import numpy as np
import pytest

from attention_core.block import encoder_block
from attention_core.depth import journey, mean_cosine, without_residual
from attention_core.ops import gelu, layer_norm
from attention_core.sources.e5 import load_model
from attention_core.words import segment
from tests.core.test_block import D_MODEL, N, weights


def test_mean_cosine_by_hand():
    """Rows (1,0), (0,2), (3,0): cosines 0, 1, 0."""
    assert mean_cosine(np.array([[1.0, 0], [0, 2], [3, 0]])) == pytest.approx(1 / 3)
    assert mean_cosine(np.array([[[1.0, 0], [0, 2]], [[1, 1], [2, 2]]])) == pytest.approx([0, 1])
    with pytest.raises(ValueError, match="no pair"):
        mean_cosine(np.ones((1, 3)))


def test_a_journey_by_hand():
    hidden = np.array([[[9.0, 9], [3, 4]], [[9, 9], [0, 2]], [[9, 9], [-4, 3]]])
    way = journey(hidden, 1)
    np.testing.assert_allclose(way.length, [5, 2, 5])
    np.testing.assert_allclose(way.to_start, [1, 0.8, 0], atol=1e-12)
    np.testing.assert_allclose(way.to_before, [0.8, 0.6])
    with pytest.raises(IndexError, match="position 2"):
        journey(hidden, 2)


def test_the_residual_is_all_that_is_missing():
    """Adding back what was cut gives the block's own numbers."""
    w, x = weights(), np.random.default_rng(1).normal(size=(N, D_MODEL))
    cut = without_residual(x, [w])
    whole = encoder_block(x, w)
    norm_attn = layer_norm(whole.multi_head.attn_out, w.norm_attn_gain, w.norm_attn_bias, w.eps)
    assert cut.shape == (2, N, D_MODEL)
    np.testing.assert_array_equal(cut[0], x)
    assert not np.allclose(cut[1], whole.norm_ffn)
    ffn_out = gelu(norm_attn @ w.W_1 + w.b_1) @ w.W_2 + w.b_2
    np.testing.assert_allclose(cut[1], layer_norm(ffn_out, w.norm_ffn_gain, w.norm_ffn_bias, w.eps))


def test_without_the_residual_all_words_of_the_real_model_become_one():
    model = load_model()
    run = model.run(segment("我昨天去超市买了苹果。"))
    cut = without_residual(run.hidden[0], (model.block_weights(layer) for layer in range(model.n_layers)))
    alike, alike_cut = mean_cosine(run.hidden), mean_cosine(cut)
    assert alike.shape == alike_cut.shape == (13,)
    assert alike[0] == alike_cut[0] < 0.2
    assert (alike_cut[4:] > 0.999).all()
    assert (alike[:11] < 0.5).all()

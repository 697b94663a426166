"""The run, its traces and the loading of the model."""

import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import FrozenInstanceError

import numpy as np
import pytest

from attention_core.errors import InputError
from attention_core.sources import e5
from attention_core.words.word import Word

from .conftest import words_of


def test_shapes_and_bytes(model, default):
    assert (model.n_layers, model.n_heads, model.d_model, model.d_head) == (12, 12, 384, 32)
    assert default.hidden.shape == (13, 10, 384)
    assert default.attn_weights.shape == (12, 12, 10, 10)
    assert default.hidden.dtype == default.attn_weights.dtype == np.float32
    assert default.nbytes == 4 * (13 * 10 * 384 + 144 * 10 * 10 + 10)
    assert default.words == words_of("我 昨天 去 超市 买 了 苹果 。")
    assert default.alignment.spans == tuple((p, p + 1) for p in range(1, 9))


def test_rows_sum_to_one(model, default):
    np.testing.assert_allclose(default.attn_weights.sum(axis=-1), 1, atol=1e-5)
    attention = e5.attend(words_of("弟弟 把 杯子 打破 了 。"))
    assert attention.weights.shape == (12, 12, 6, 6)
    assert attention.special.shape == (12, 12, 6, 2)
    np.testing.assert_allclose(attention.weights.sum(axis=-1) + attention.special.sum(axis=-1), 1, atol=1e-5)


def test_word_attention_says_where_it_comes_from(default):
    attention = e5.word_attention(default)
    assert (attention.source, attention.trained) == ("real", True)
    assert attention.special_names == ("<s>", "</s>")
    assert attention.pieces == ("<s>", "▁我", "昨天", "去", "超市", "买", "了", "苹果", "。", "</s>")
    assert (attention.n_layers, attention.n_heads) == (12, 12)


def test_a_run_cannot_be_changed(model, default):
    for array in (default.ids, default.hidden, default.attn_weights):
        assert not array.flags.writeable
        with pytest.raises(ValueError, match="WRITEABLE"):
            array.setflags(write=True)
    with pytest.raises(FrozenInstanceError):
        default.pieces = ()
    attention = e5.word_attention(default)
    assert not attention.weights.flags.writeable
    assert not attention.special.flags.writeable


def test_the_model_cannot_be_changed(model):
    for holder in (model.weights.embedding, *model.weights.layers):
        for array in vars(holder).values():
            assert not isinstance(array, np.ndarray) or not array.flags.writeable


@pytest.mark.parametrize("layer", range(12))
def test_layer_trace_is_the_fast_pass(model, layer):
    """Also for more positions than the fast pass takes a few rows at a time."""
    for run in (model.run(words_of("弟弟 把 杯子 打破 了 。")), model.run([Word(c) for c in "春夏秋冬" * 14])):
        trace = e5.layer_trace(run, layer)
        np.testing.assert_array_equal(trace.multi_head.x_q, run.hidden[layer])
        np.testing.assert_allclose(trace.multi_head.attention.attn_weights, run.attn_weights[layer], atol=1e-5)
        np.testing.assert_allclose(trace.norm_ffn, run.hidden[layer + 1], atol=1e-5)


def test_layer_trace_shows_the_true_queries_and_scores(model, default):
    """The fast pass keeps 1 / sqrt(32) in the weights of Q; the trace must not."""
    attention = e5.layer_trace(default, 6).multi_head.attention
    np.testing.assert_allclose(attention.scores, attention.q @ attention.k.transpose(0, 2, 1), rtol=1e-5, atol=1e-4)
    np.testing.assert_allclose(attention.scaled_scores * np.sqrt(32), attention.scores, rtol=1e-5, atol=1e-4)
    w = model.weights.layers[6]
    np.testing.assert_allclose(model.block_weights(6).multi_head.W_Q[3], w.W_qkv[96:128].T * np.sqrt(32), rtol=1e-6)
    np.testing.assert_allclose(model.block_weights(6).multi_head.b_Q[3], w.b_qkv[96:128] * np.sqrt(32), rtol=1e-6)


def test_block_weights_are_views(model):
    """Only W_Q and b_Q may cost memory."""
    w, ours = model.block_weights(3), model.weights.layers[3]
    m = w.multi_head
    for view, owner in [
        (m.W_K, ours.W_qkv),
        (m.W_V, ours.W_qkv),
        (m.b_K, ours.b_qkv),
        (m.b_V, ours.b_qkv),
        (m.W_O, ours.W_out),
        (w.W_1, ours.W_1),
        (w.W_2, ours.W_2),
        (w.norm_ffn_gain, ours.norm_ffn_gain),
    ]:
        assert np.shares_memory(view, owner)
    np.testing.assert_array_equal(m.W_K[5], ours.W_qkv[384 + 160 : 384 + 192].T)
    np.testing.assert_array_equal(m.W_V[5], ours.W_qkv[768 + 160 : 768 + 192].T)
    np.testing.assert_array_equal(m.W_O, ours.W_out.T)


@pytest.mark.parametrize("layer", [-1, 12])
def test_no_such_layer(default, layer):
    with pytest.raises(IndexError, match=f"layer {layer} does not exist"):
        e5.layer_trace(default, layer)


def test_embedding_parts_make_the_first_hidden_state(model, default):
    parts = model.embedding(default.ids)
    np.testing.assert_array_equal(parts.normed, default.hidden[0])
    np.testing.assert_allclose(parts.summed, parts.word + parts.position + parts.type, atol=1e-6)
    swapped = model.embedding(default.ids[::-1])
    np.testing.assert_array_equal(swapped.word, parts.word[::-1])
    np.testing.assert_array_equal(swapped.position, parts.position)
    missing = min(set(range(250_002)) - set(model.weights.vocabulary.ids.values()))
    with pytest.raises(KeyError, match=str(missing)):
        model.embedding(np.array([0, missing], np.int32))


@pytest.mark.parametrize(
    ("words", "key", "values"),
    [
        ((), "empty", {}),
        ((Word("我"), Word("\u200b")), "empty_word", {"position": 2}),
        ((Word("龘" * 64), Word("龘" * 65)), "too_many_pieces", {"limit": 128, "count": 130}),
    ],
)
def test_input_errors(words, key, values):
    with pytest.raises(InputError) as error:
        e5.attend(words)
    assert (error.value.key, error.value.values) == (key, values)


def test_the_longest_sentence_runs(model):
    run = model.run([Word("龘" * 127)])  # ▁ and 127 unknown characters
    assert len(run.pieces) == 130
    assert np.isfinite(run.hidden).all()


def test_threads_at_first_use_load_once_and_agree(monkeypatch):
    loads, barrier, load = [], threading.Barrier(8), e5.load_weights

    def counted():
        loads.append(threading.get_ident())
        return load()

    def first_use(_):
        barrier.wait(timeout=30)
        return e5.load_model(), e5.attend(words_of("我 去 超市"))

    monkeypatch.setattr(e5, "_model", None)
    monkeypatch.setattr(e5, "load_weights", counted)
    with ThreadPoolExecutor(8) as pool:
        results = list(pool.map(first_use, range(8)))
    assert len(loads) == 1
    assert len({id(model) for model, _ in results}) == 1
    for _, attention in results:
        np.testing.assert_array_equal(attention.weights, results[0][1].weights)

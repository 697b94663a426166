"""Attention: paper arithmetic, the invariants that make it attention, and errors that teach. All sizes differ."""

import dataclasses

import numpy as np
import pytest

from attention_core.attention import MultiHeadWeights, multi_head_attention, scaled_dot_product_attention
from attention_core.masks import causal_mask

H, N_Q, N_K, D_MODEL, D_HEAD = 2, 3, 5, 7, 4


def qkv(dtype=np.float64, d_v=D_HEAD):
    rng = np.random.default_rng(1)
    shapes = (H, N_Q, D_HEAD), (H, N_K, D_HEAD), (H, N_K, d_v)
    return tuple(rng.normal(size=shape).astype(dtype) for shape in shapes)


def weights(dtype=np.float64, seed=2):
    rng = np.random.default_rng(seed)
    per_head, bias = (H, D_MODEL, D_HEAD), (H, D_HEAD)
    shapes = per_head, per_head, per_head, bias, bias, bias, (H * D_HEAD, D_MODEL), (D_MODEL,)
    return MultiHeadWeights(*(rng.normal(size=shape).astype(dtype) for shape in shapes))


def xs(dtype=np.float64):
    rng = np.random.default_rng(3)
    return rng.normal(size=(N_Q, D_MODEL)).astype(dtype), rng.normal(size=(N_K, D_MODEL)).astype(dtype)


def arrays(trace):
    for field in dataclasses.fields(trace):
        value = getattr(trace, field.name)
        if isinstance(value, np.ndarray):
            yield field.name, value
        elif dataclasses.is_dataclass(value):
            yield from arrays(value)


# -- worked by hand -------------------------------------------------------------------------------------------------

Q = [[[1, 0, 2, 1], [0, 2, 1, 0]]]
K = [[[1, 1, 0, 0], [0, 1, 1, 2], [2, 0, 1, 0]]]
V = [[[10, 0, 0, 1, 1], [0, 10, 0, 1, 2], [0, 0, 10, 1, 3]]]


def test_worked_example():
    t = scaled_dot_product_attention(Q, K, V)
    np.testing.assert_array_equal(t.scores, [[[1, 4, 4], [2, 3, 1]]])
    np.testing.assert_array_equal(t.scaled_scores, [[[0.5, 2, 2], [1, 1.5, 0.5]]])  # d_head = 4: divided by 2
    np.testing.assert_array_equal(t.masked_scores, t.scaled_scores)
    np.testing.assert_allclose(
        t.attn_weights, [[[0.100368, 0.449816, 0.449816], [0.307196, 0.506480, 0.186324]]], atol=1e-6
    )
    np.testing.assert_allclose(t.z[0, 0], [1.00368, 4.49816, 4.49816, 1, 2.349448], atol=1e-5)
    np.testing.assert_array_equal(t.mask, np.ones((2, 3), bool))


def test_worked_example_with_a_mask():
    t = scaled_dot_product_attention(Q, K, V, mask=np.array([[True, True, False], [False, False, True]]))
    np.testing.assert_array_equal(t.masked_scores, [[[0.5, 2, -np.inf], [-np.inf, -np.inf, 0.5]]])
    np.testing.assert_allclose(t.attn_weights, [[[0.182426, 0.817574, 0], [0, 0, 1]]], atol=1e-6)  # 1 / (1 + e^1.5)
    np.testing.assert_array_equal(t.z[0, 1], [0, 0, 10, 1, 3])


def test_worked_multi_head_example():
    # Two heads of width 1 read one coordinate each; X = two words. Scores are q_i * k_j, scale 1 / sqrt(1) = 1.
    ln2, ln3 = np.log(2), np.log(3)
    W = MultiHeadWeights.without_bias(
        W_Q=[[[1], [0], [0]], [[0], [1], [0]]],
        W_K=[[[1], [0], [0]], [[0], [1], [0]]],
        W_V=[[[0], [0], [1]], [[0], [0], [2]]],
        W_O=[[1, 0, 1], [0, 1, 1]],
    )
    x_q = [[1, 0, 0], [0, 1, 0], [1, 1, 0], [0, 0, 5]]
    x_kv = [[ln2, 0, 12], [0, ln3, 24]]
    t = multi_head_attention(x_q, x_kv, W)
    # head 1, row 0: scores ln2, 0 -> 2/3, 1/3 -> 16; head 2, row 0: 0, 0 -> 1/2, 1/2 of 24 and 48 -> 36
    np.testing.assert_allclose(
        t.attention.attn_weights[0], [[2 / 3, 1 / 3], [1 / 2, 1 / 2], [2 / 3, 1 / 3], [1 / 2, 1 / 2]]
    )
    np.testing.assert_allclose(
        t.attention.attn_weights[1], [[1 / 2, 1 / 2], [1 / 4, 3 / 4], [1 / 4, 3 / 4], [1 / 2, 1 / 2]]
    )
    np.testing.assert_allclose(t.concat, [[16, 36], [18, 42], [16, 42], [18, 36]])
    np.testing.assert_allclose(t.attn_out, [[16, 36, 52], [18, 42, 60], [16, 42, 58], [18, 36, 54]])


def test_scale_replaces_the_default():
    q, k, v = qkv()
    np.testing.assert_allclose(
        scaled_dot_product_attention(q, k, v, scale=0.3).scaled_scores, 0.3 * (q @ k.swapaxes(1, 2))
    )
    zero = scaled_dot_product_attention(q, k, v, scale=0)
    np.testing.assert_allclose(zero.attn_weights, 1 / N_K)


# -- invariants -----------------------------------------------------------------------------------------------------


def test_shapes_of_the_table():
    w, (x_q, x_kv) = weights(), xs()
    t = multi_head_attention(x_q, x_kv, w)
    a = t.attention
    assert (a.q.shape, a.k.shape, a.v.shape) == ((H, N_Q, D_HEAD), (H, N_K, D_HEAD), (H, N_K, D_HEAD))
    for name in ("scores", "scaled_scores", "masked_scores", "attn_weights"):
        assert getattr(a, name).shape == (H, N_Q, N_K)
    assert a.mask.shape == (N_Q, N_K)
    assert (a.z.shape, t.concat.shape, t.attn_out.shape) == ((H, N_Q, D_HEAD), (N_Q, H * D_HEAD), (N_Q, D_MODEL))


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_dtype_is_kept(dtype):
    t = multi_head_attention(*xs(dtype), weights(dtype), causal_mask(N_Q, N_K))
    assert {array.dtype for name, array in arrays(t) if name != "mask"} == {np.dtype(dtype)}
    t = scaled_dot_product_attention(*qkv(dtype), scale=np.float64(0.3))
    assert {array.dtype for name, array in arrays(t) if name != "mask"} == {np.dtype(dtype)}


def test_rows_sum_to_one_and_are_not_trivial():
    a = scaled_dot_product_attention(*qkv()).attn_weights
    np.testing.assert_allclose(a.sum(axis=-1), 1)
    assert a.std(axis=-1).min() > 0.01
    assert not np.allclose(a.sum(axis=-2), 1)  # columns do not


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_a_fully_masked_row_is_an_error_that_names_it(dtype):
    mask = np.ones((N_Q, N_K), bool)
    mask[1] = False
    with pytest.raises(ValueError, match=r"mask: row 1 \(from 0\) is all False: query 1 may attend to no key"):
        scaled_dot_product_attention(*qkv(dtype), mask=mask)


def test_a_masked_key_is_the_key_removed():
    q, k, v = qkv()
    mask = np.ones((N_Q, N_K), bool)
    mask[:, 3] = False
    masked = scaled_dot_product_attention(q, k, v, mask)
    keep = [0, 1, 2, 4]
    removed = scaled_dot_product_attention(q, k[:, keep], v[:, keep])
    assert (masked.attn_weights[..., 3] == 0).all()
    np.testing.assert_allclose(masked.attn_weights[..., keep], removed.attn_weights, rtol=1e-12)
    np.testing.assert_allclose(masked.z, removed.z, rtol=1e-12)


def test_changing_the_future_leaves_the_past_unchanged():
    w, (_, x) = weights(), xs()
    other = x.copy()
    other[3:] += 10
    a = multi_head_attention(x, x, w, causal_mask(N_K))
    b = multi_head_attention(other, other, w, causal_mask(N_K))
    np.testing.assert_array_equal(a.attn_out[:3], b.attn_out[:3])
    assert not np.allclose(a.attn_out[3:], b.attn_out[3:])


def test_permuting_words_permutes_the_output():
    w, (_, x) = weights(), xs()
    order = [3, 0, 4, 1, 2]
    a, b = multi_head_attention(x, x, w), multi_head_attention(x[order], x[order], w)
    np.testing.assert_allclose(b.attn_out, a.attn_out[order], rtol=1e-10)
    np.testing.assert_allclose(b.attention.attn_weights, a.attention.attn_weights[:, order][:, :, order], rtol=1e-10)


def test_output_is_the_sum_of_what_the_heads_contribute_plus_the_bias():
    t = multi_head_attention(*xs(), weights())
    per_head = t.W_O.reshape(H, D_HEAD, D_MODEL)
    np.testing.assert_allclose(t.attn_out, sum(t.attention.z[h] @ per_head[h] for h in range(H)) + t.b_O, rtol=1e-10)


def test_every_bias_matters():
    t = multi_head_attention(*xs(), w := weights())
    for name in ("b_Q", "b_K", "b_V", "b_O"):
        other = dataclasses.replace(
            w, **{name: getattr(w, name) + np.arange(getattr(w, name).size).reshape(getattr(w, name).shape)}
        )
        changed = multi_head_attention(*xs(), other)
        if name == "b_K":  # one bias added to every key shifts a whole row of scores: softmax does not see it
            np.testing.assert_allclose(changed.attn_out, t.attn_out, rtol=1e-8)
            assert not np.allclose(changed.attention.scores, t.attention.scores)
        else:
            assert not np.allclose(changed.attn_out, t.attn_out)


def test_repeated_words_have_equal_rows_and_columns():
    w, (_, x) = weights(), xs()
    t = multi_head_attention(x[[0, 1, 0, 2]], x[[0, 1, 0, 2]], w)
    np.testing.assert_array_equal(t.attn_out[0], t.attn_out[2])
    np.testing.assert_array_equal(t.attention.attn_weights[:, :, 0], t.attention.attn_weights[:, :, 2])


def test_one_word_looks_at_itself():
    x, _ = xs()
    np.testing.assert_array_equal(
        multi_head_attention(x[:1], x[:1], weights()).attention.attn_weights, np.ones((H, 1, 1))
    )


# -- nobody can change a trace, and a trace changes nothing -----------------------------------------------------------


def test_inputs_are_unmodified_and_later_changes_do_not_reach_the_trace():
    (x_q, x_kv), mask = xs(), causal_mask(N_Q, N_K)
    raw = {field.name: np.array(getattr(weights(), field.name)) for field in dataclasses.fields(MultiHeadWeights)}
    given = {"x_q": x_q, "x_kv": x_kv, "mask": mask, **raw}
    before = {name: array.copy() for name, array in given.items()}
    t = multi_head_attention(x_q, x_kv, MultiHeadWeights(**raw), mask)
    for name, array in given.items():
        np.testing.assert_array_equal(array, before[name], err_msg=name)
    kept = {name: array.copy() for name, array in arrays(t)}
    for array in given.values():
        assert array.flags.writeable
        array[...] = 1
    for name, array in arrays(t):
        np.testing.assert_array_equal(array, kept[name], err_msg=name)


def test_later_changes_of_q_k_v_do_not_reach_the_trace():
    q, k, v = qkv()
    t = scaled_dot_product_attention(q, k, v)
    kept = [array.copy() for array in (q, k, v)]
    for array, ours, old in zip((q, k, v), (t.q, t.k, t.v), kept, strict=True):
        array[...] = 0
        np.testing.assert_array_equal(ours, old)


def test_every_array_of_a_trace_is_read_only():
    t = multi_head_attention(*xs(), weights())
    assert len(list(arrays(t))) == 21
    for name, array in arrays(t):
        with pytest.raises(ValueError, match="read-only"):
            array[...] = 0
        assert not array.flags.writeable, name


# -- errors that teach ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"q": np.ones((3, 4))}, r"q has shape \(3, 4\); needed \(n_heads, n_q, d_head\).*q\[None\]"),
        ({"k": np.ones((2, 0, 4))}, r"k has shape \(2, 0, 4\); needed \(n_heads, n_k, d_head\), none of them 0"),
        ({"k": np.ones((3, 5, 4))}, "2, 3 and 2 heads; needed the same number"),
        ({"v": np.ones((3, 5, 4))}, "2, 2 and 3 heads"),
        ({"k": np.ones((2, 5, 6))}, "k has d_head = 6, q has 4"),
        ({"v": np.ones((2, 6, 4))}, "v has 6 rows, k has 5; needed one value for every key"),
        ({"mask": np.ones((5, 3), bool)}, r"mask has shape \(5, 3\); needed \(n_q, n_k\) = \(3, 5\)"),
        ({"mask": np.ones((3, 5))}, "mask must be boolean, True = may attend; given float64"),
        ({"q": np.full((2, 3, 4), "x")}, "q must hold real numbers"),
        ({"q": np.full((2, 3, 4), np.nan)}, r"softmax: row \(0, 0\)"),
    ],
)
def test_attention_errors(change, message):
    q, k, v = qkv()
    with pytest.raises(ValueError, match=message):
        scaled_dot_product_attention(**{"q": q, "k": k, "v": v, **change})


@pytest.mark.parametrize(
    ("x_q", "x_kv", "message"),
    [
        (np.ones((3, 6)), np.ones((5, 7)), r"x_q has shape \(3, 6\).*d_model = 7"),
        (np.ones((3, 7)), np.ones((5, 6)), r"x_kv has shape \(5, 6\)"),
        (np.ones((2, 3, 7)), np.ones((5, 7)), r"x_q has shape \(2, 3, 7\)"),
        (np.ones((3, 7)), np.ones((0, 7)), r"x_kv has shape \(0, 7\); needed \(n, d_model\) with n at least 1"),
    ],
)
def test_multi_head_errors(x_q, x_kv, message):
    with pytest.raises(ValueError, match=message):
        multi_head_attention(x_q, x_kv, weights())


@pytest.mark.parametrize("name", ["W_K", "W_V", "b_Q", "b_K", "b_V", "W_O", "b_O"])
def test_weights_that_do_not_fit_are_named(name):
    with pytest.raises(ValueError, match=rf"{name} has shape \(1, 2\); W_Q \(2, 7, 4\) needs"):
        dataclasses.replace(weights(), **{name: np.ones((1, 2))})


def test_w_q_must_have_heads():
    with pytest.raises(ValueError, match=r"W_Q has shape \(7, 4\); needed \(n_heads, d_model, d_head\)"):
        dataclasses.replace(weights(), W_Q=np.ones((7, 4)))

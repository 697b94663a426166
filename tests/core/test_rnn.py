"""The small recurrent network: parity with PyTorch, what its gain means, and what it can never do."""

from pathlib import Path

import numpy as np
import pytest

from attention_core.influence import (
    ATTENTION_STEPS,
    attention_changes,
    longest_rnn_path,
    rnn_changes,
    rnn_steps,
    survival,
)
from attention_core.rnn import RnnWeights, hidden_states, rnn, seeded_weights
from attention_core.sources import e5
from attention_core.words import segment
from attention_core.words.word import Word

FILE = Path(__file__).parents[1] / "data" / "golden_rnn.npz"
D_IN, D_HIDDEN, N = 5, 6, 8


@pytest.fixture
def x():
    return np.random.default_rng(1).normal(size=(N, D_IN))


@pytest.fixture
def other():
    return np.random.default_rng(2).normal(size=(N, D_IN))


def test_parity_with_pytorch():
    with np.load(FILE, allow_pickle=False) as file:
        golden = dict(file)
    trace = rnn(golden["x"], RnnWeights(golden["W_x"], golden["W_h"], golden["b"]))
    np.testing.assert_allclose(trace.h, golden["h"], rtol=1e-10)


def test_two_steps_by_hand():
    weights = RnnWeights(np.array([[1.0]]), np.array([[2.0]]), np.array([0.5]))
    trace = rnn(np.array([[1.0], [-1.0]]), weights)
    first = np.tanh(1.5)
    np.testing.assert_allclose(trace.pre[:, 0], [1.5, -1 + 2 * first + 0.5])
    np.testing.assert_allclose(trace.h[:, 0], np.tanh(trace.pre[:, 0]))


def test_the_trace_is_read_only_and_leaves_its_input_alone(x):
    given = x.copy()
    trace = rnn(given, seeded_weights(D_IN, D_HIDDEN, gain=1, seed=3))
    given[0, 0] = 99
    assert trace.x[0, 0] == x[0, 0]
    for array in (trace.x, trace.h, trace.pre, trace.weights.W_h):
        assert not array.flags.writeable


@pytest.mark.parametrize("shape", [(0, D_IN), (N, D_IN + 1), (2, N, D_IN)])
def test_what_does_not_fit_is_refused(shape):
    with pytest.raises(ValueError, match="x must be"):
        rnn(np.zeros(shape), seeded_weights(D_IN, D_HIDDEN, gain=1, seed=3))


@pytest.mark.parametrize("gain", [0.5, 1.0, 1.7])
def test_one_step_multiplies_every_length_by_the_gain(gain):
    weights = seeded_weights(D_IN, D_HIDDEN, gain=gain, seed=3)
    h = np.random.default_rng(4).normal(size=(11, D_HIDDEN))
    np.testing.assert_allclose(np.linalg.norm(h @ weights.W_h, axis=1), gain * np.linalg.norm(h, axis=1))


def test_only_the_gain_differs_between_gains():
    one, two = (seeded_weights(D_IN, D_HIDDEN, gain=gain, seed=3) for gain in (0.5, 1.5))
    np.testing.assert_array_equal(one.W_x, two.W_x)
    np.testing.assert_allclose(3 * one.W_h, two.W_h)
    assert not np.allclose(two.W_h, seeded_weights(D_IN, D_HIDDEN, gain=1.5, seed=4).W_h)


def test_changes_are_those_of_a_sentence_with_one_word_swapped(x, other):
    weights = seeded_weights(D_IN, D_HIDDEN, gain=0.9, seed=3)
    changes = rnn_changes(x, other, weights)
    for j in range(N):
        swapped = x.copy()
        swapped[j] = other[j]
        expected = np.linalg.norm(hidden_states(swapped, weights) - hidden_states(x, weights), axis=1)
        np.testing.assert_allclose(changes[:, j], expected, rtol=1e-12, atol=1e-15)


def test_a_later_word_never_changes_an_earlier_state(x, other):
    changes = rnn_changes(x, other, seeded_weights(D_IN, D_HIDDEN, gain=1.2, seed=3))
    before, since = ~np.tri(N, dtype=bool), np.tri(N, dtype=bool)
    assert (changes[before] == 0).all()
    assert (changes[since] > 0).all()


def test_a_small_gain_forgets_and_a_large_one_amplifies(x, other):
    small, large = (
        survival(rnn_changes(x / 9, other / 9, seeded_weights(D_IN, D_HIDDEN, gain=gain, seed=3)))[:, 0]
        for gain in (0.5, 1.5)
    )
    assert small[0] == large[0] == 1
    assert (np.diff(small) < 0).all()
    assert small[-1] < 0.5 ** (N - 1) * 1.01
    assert (large[1:] > 1).all()


def test_a_swap_for_the_same_word_leaves_no_mark_to_follow(x):
    assert np.isnan(survival(rnn_changes(x, x, seeded_weights(D_IN, D_HIDDEN, gain=1, seed=3)))[:, 0]).all()


def test_steps_between_the_words_of_the_lesson():
    words = [word.text for word in segment("我昨天去超市买了苹果")]
    yesterday, apple = words.index("昨天"), words.index("苹果")
    assert rnn_steps(yesterday, apple) == 5
    assert rnn_steps(apple, yesterday) is None
    assert rnn_steps(0, len(words) - 1) == longest_rnn_path(len(words)) == 6
    assert ATTENTION_STEPS == 1


@pytest.mark.parametrize("word", [1, 6])
def test_in_attention_every_word_feels_a_swap_in_the_first_layer(word):
    run = e5.load_model().run(segment("我昨天去超市买了苹果"))
    moved, size = attention_changes(run, word, Word("老师"))
    assert moved.shape == size.shape == (7,)
    assert (moved > 0.01 * size).all()
    assert moved.argmax() == word


def test_swapping_leaves_the_run_as_it_was():
    run = e5.load_model().run(segment("我昨天去超市买了苹果"))
    ids = run.ids.copy()
    attention_changes(run, 1, Word("老师"))
    np.testing.assert_array_equal(run.ids, ids)

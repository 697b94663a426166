"""The small model's forward pass, its gradients written by hand, and Adam: against PyTorch and finite differences."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from attention_core.learn.adam import adam, start
from attention_core.learn.backward import backward
from attention_core.learn.model import NAMES, Parameters, accuracy, forward, initial, surprise
from attention_core.learn.settings import LearnSettings

GOLDEN = np.load(Path(__file__).parents[2] / "data" / "golden_learn.npz")
CASES = {
    "plain": {"positions": False, "scaled": True},
    "positions": {"positions": True, "scaled": True},
    "unscaled": {"positions": True, "scaled": False},
}
RATE, STEPS = 0.02, 5


def given(case):
    parameters = Parameters(**{name: GOLDEN[f"{case}/{name}"] for name in NAMES})
    return parameters, GOLDEN[f"{case}/ids"], GOLDEN[f"{case}/answers"], CASES[case]


@pytest.mark.parametrize("case", CASES)
def test_forward_is_pytorchs(case):
    p, ids, answers, how = given(case)
    f = forward(p, ids, answers, **how)
    np.testing.assert_allclose(f.loss, GOLDEN[f"{case}/loss"], rtol=1e-12)
    np.testing.assert_allclose(f.probs, GOLDEN[f"{case}/probs"], rtol=1e-10)


@pytest.mark.parametrize("case", CASES)
def test_every_gradient_is_autograds(case):
    p, ids, answers, how = given(case)
    gradient = backward(p, forward(p, ids, answers, **how), scaled=how["scaled"])
    for name in NAMES:
        np.testing.assert_allclose(getattr(gradient, name), GOLDEN[f"{case}/d{name}"], rtol=1e-8, atol=1e-14)


@pytest.mark.parametrize("case", CASES)
def test_steps_are_those_of_pytorchs_adam(case):
    p, ids, answers, how = given(case)
    moments = start(p)
    for _ in range(STEPS):
        p, moments = adam(p, backward(p, forward(p, ids, answers, **how), scaled=how["scaled"]), moments, RATE)
    for name in NAMES:
        np.testing.assert_allclose(getattr(p, name), GOLDEN[f"{case}/after_{name}"], rtol=1e-8, atol=1e-12)


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("name", NAMES)
def test_gradients_are_those_of_finite_differences(case, name):
    p, ids, answers, how = given(case)
    gradient = getattr(backward(p, forward(p, ids, answers, **how), scaled=how["scaled"]), name)
    for place in map(tuple, np.argwhere(np.abs(gradient) > 1e-6)[::17]):
        losses = []
        for nudge in (1e-5, -1e-5):
            array = np.array(getattr(p, name))
            array[place] += nudge
            losses.append(forward(replace(p, **{name: array}), ids, answers, **how).loss)
        np.testing.assert_allclose((losses[0] - losses[1]) / 2e-5, gradient[place], rtol=1e-4, atol=1e-9)


def test_rows_sum_to_one_and_nothing_lies_on_what_is_no_word():
    p, ids, answers, how = given("positions")
    weights = forward(p, ids, answers, **how).attn_weights  # (h, B, n, n)
    np.testing.assert_allclose(weights.sum(axis=-1), 1, rtol=1e-12)
    for sentence, words in enumerate(ids):
        assert (weights[:, sentence][..., words == 0] == 0).all()
        assert (weights[:, sentence][..., words > 0] > 0).all()


def test_a_word_behind_the_end_changes_nothing():
    p, ids, answers, how = given("positions")
    short, long = ids[2:3, :4], ids[2:3]
    assert (long[0, 4:] == 0).all()
    f, g = (forward(p, i, answers[2:3, : i.shape[1]], **how) for i in (short, long))
    np.testing.assert_allclose(f.probs, g.probs[:, :4], rtol=1e-12)
    assert f.loss == pytest.approx(g.loss, rel=1e-12)


def test_without_positions_the_order_of_the_other_words_is_nothing():
    p, ids, answers, _ = given("plain")
    order = [3, 1, 5, 0, 2, 4, 6]
    f = forward(p, ids[:1], answers[:1], positions=False, scaled=True)
    g = forward(p, ids[:1, order], answers[:1], positions=False, scaled=True)
    np.testing.assert_allclose(g.probs[0], f.probs[0, order], rtol=1e-10)
    h = forward(p, ids[:1, order], answers[:1], positions=True, scaled=True)
    assert np.abs(h.probs[0] - f.probs[0, order]).max() > 1e-3


def test_the_inputs_stay_as_they_are():
    p, ids, answers, how = given("unscaled")
    before = [getattr(p, name).copy() for name in NAMES], ids.copy(), answers.copy()
    f = forward(p, ids, answers, **how)
    gradient = backward(p, f, scaled=False)
    adam(p, gradient, start(p), RATE)
    for name, array in zip(NAMES, before[0], strict=True):
        assert (getattr(p, name) == array).all()
    assert (ids == before[1]).all()
    assert (answers == before[2]).all()
    with pytest.raises(ValueError, match="read-only"):
        gradient.W_Q[0, 0, 0] = 1


def test_surprise_is_finite_where_a_probability_is_too_small_for_a_float():
    logits = np.array([[0.0, 2000.0, 1.0], [1.0, 2.0, 3.0]])
    np.testing.assert_allclose(
        surprise(logits, np.array([0, 2])), [2000, np.log(np.exp([-2, -1, 0]).sum())], rtol=1e-12
    )


def test_accuracy_counts_the_asked_places():
    p, ids, answers, how = given("plain")
    f = forward(p, ids, answers, **how)
    right = [f.probs[i, j].argmax() == answers[i, j] for i, j in np.argwhere(answers >= 0)]
    assert accuracy(f) == pytest.approx(np.mean(right))
    assert accuracy(replace(f, answers=np.where(answers >= 0, f.probs.argmax(-1), -1))) == 1


@pytest.mark.parametrize("n_heads", [1, 2, 4])
def test_the_heads_share_the_width(n_heads):
    p = initial(LearnSettings(n_heads=n_heads))
    assert p.W_Q.shape == p.W_K.shape == p.W_V.shape == (n_heads, 32, 32 // n_heads)
    assert p.W_O.shape == (32, 32)
    assert p.W_U.shape == (32, 10)

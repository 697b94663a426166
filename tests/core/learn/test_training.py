"""The recorded training: what is learned and what is not, the same again for a seed, and every number read off it."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from attention_core.learn import training
from attention_core.learn.backward import backward
from attention_core.learn.embeddings import gathering, noun_points
from attention_core.learn.held_out import HeldOut, held_out_answers, luck
from attention_core.learn.model import NAMES, initial
from attention_core.learn.one_weight import weight_gradient
from attention_core.learn.replay import replay, see
from attention_core.learn.settings import RATES, LearnSettings
from attention_core.learn.tasks import answers_of, read_sentence
from attention_core.learn.training import N_STEPS, STEPS, train
from attention_core.learn.vocabulary import load_vocabulary

DEFAULT = LearnSettings()
EXAMPLE = "我昨天买了一[?]红色的鞋"
LAST = len(STEPS) - 1


@cache
def run(**settings):
    return train(LearnSettings(**settings))


def on_deciding(text, **settings):
    """The gap's weight on the word that decides, mean of the heads, at every moment."""
    seen = replay(run(**settings), read_sentence(text, settings.get("task", "measure")))
    return seen.attn_weights[:, :, seen.typed.gap, seen.typed.deciding].mean(axis=1)


def test_the_gap_learns_to_look_at_the_noun_wherever_it_stands():
    assert run().losses[0] > 2
    assert run().losses[-20:].mean() < 0.05
    assert run().accuracies[0] < 0.3
    assert run().accuracies[-1] == 1
    for text in (EXAMPLE, "这里有一[?]书", "朋友送给我一[?]可爱的白色的猫", "我今天买了一[?]玫瑰送给妈妈"):
        looked = on_deciding(text)
        assert looked[0] < 0.35
        assert looked[-1] > 0.8
        assert replay(run(), read_sentence(text, "measure")).probs[-1].max() > 0.9


def test_a_noun_that_was_never_taught_is_not_known():
    assert run().held_out[-1] < 0.5 < run().accuracies[-1]
    answers = held_out_answers(run(), LAST)
    assert [noun for noun, *_ in answers] == list(load_vocabulary().held_out)
    assert sum(one.answer == one.right for one in answers) < 6
    for noun, answer, _, probability, weight in answers:
        seen = replay(run(), read_sentence(f"这里有一[?]{noun}", "measure"))
        probs = seen.probs[-1]
        assert (load_vocabulary().measures[probs.argmax()], probs.max()) == (answer, probability)
        assert seen.attn_weights[-1, :, seen.typed.gap, seen.typed.deciding].mean() == weight


def test_copying_needs_positions():
    with_positions, without = run(task="copy", rate=0.01), run(task="copy", rate=0.01, positions=False)
    assert with_positions.accuracies[-1] > 0.98
    assert without.accuracies[-1] < 0.3
    assert np.isnan(with_positions.held_out).all()
    looked = on_deciding(EXAMPLE, task="copy", rate=0.01)
    assert looked[-1] > looked[0] + 0.3


def test_what_is_drawn_by_lot_is_never_learned():
    lot = run(task="shuffled")
    assert lot.losses[-50:].mean() == pytest.approx(np.log(10), abs=0.1)
    assert lot.accuracies[-1] < 0.25
    assert on_deciding(EXAMPLE, task="shuffled")[-1] < 0.5


def test_a_rate_can_be_too_small_and_too_large():
    ends = [run(rate=rate).losses[-20:].mean() for rate in RATES]
    assert ends[1] < 0.1 > ends[2]
    assert ends[0] > 1.5
    assert ends[3] > 1
    assert all(np.isfinite(run(rate=rate).losses).all() for rate in RATES)


@pytest.mark.parametrize("changed", [{"n_heads": 1}, {"n_heads": 4}, {"scaled": False}, {"positions": False}])
def test_the_task_is_learned_without_this_too(changed):
    assert run(**changed).accuracies[-1] > 0.95


def test_training_is_the_same_again_even_with_another_one_beside_it():
    with ThreadPoolExecutor(2) as pool:
        other = pool.submit(train, LearnSettings(seed=7))
        again = train(DEFAULT)
        seven = other.result()
    for name in NAMES:
        assert (getattr(again.parameters, name) == getattr(run().parameters, name)).all()
        assert (getattr(seven.parameters, name) == getattr(run(seed=7).parameters, name)).all()
    assert (again.losses == run().losses).all()
    assert (seven.losses != again.losses).any()


def test_a_run_is_recorded_from_before_the_first_step_to_after_the_last():
    assert STEPS[0] == 0
    assert STEPS[-1] == N_STEPS
    assert 50 <= len(STEPS) <= 60
    assert len(run().losses) == N_STEPS
    for array in (run().accuracies, run().held_out, *(getattr(run().parameters, name) for name in NAMES)):
        assert len(array) == len(STEPS)
        assert not array.flags.writeable
    for name in NAMES:
        assert (getattr(run().at(0), name) == getattr(initial(DEFAULT), name)).all()
    assert run().nbytes < 6e6


def test_the_recorded_moment_is_the_one_after_its_steps(monkeypatch):
    monkeypatch.setattr(training, "N_STEPS", STEPS[9])
    monkeypatch.setattr(training, "STEPS", STEPS[:10])
    monkeypatch.setattr(training, "draw_sentences", first_steps)
    short = train(DEFAULT)
    for name in NAMES:
        assert (getattr(short.at(9), name) == getattr(run().at(9), name)).all()


def first_steps(task, shape, seed, name, **how):
    """The sentences of a whole training, of which a short one takes the first."""
    from attention_core.learn.tasks import draw_sentences

    return draw_sentences(task, (N_STEPS, *shape[1:]) if len(shape) > 1 else shape, seed, name, **how)


def test_a_replay_is_the_forward_pass_of_each_moment():
    typed = read_sentence(EXAMPLE, "measure")
    seen = replay(run(n_heads=4), typed)
    n = len(typed.words)
    assert seen.attn_weights.shape == (len(STEPS), 4, n, n)
    assert seen.probs.shape == (len(STEPS), 10)
    np.testing.assert_allclose(seen.attn_weights.sum(axis=-1), 1, rtol=1e-12)
    f = see(run(n_heads=4).at(11), typed, LearnSettings(n_heads=4))
    assert (seen.attn_weights[11] == f.attn_weights[:, 0]).all()
    np.testing.assert_allclose(seen.losses, -np.log(seen.probs[:, typed.answer]), rtol=1e-9)


def test_nouns_gather_and_their_axes_stay():
    points = noun_points(run())
    assert points.shape == (len(STEPS), 50, 2)
    vocabulary = load_vocabulary()
    E = run().parameters.E[:, list(vocabulary.ids(vocabulary.nouns))]
    centred = E[-1] - E[-1].mean(axis=0)
    spread = np.linalg.svd(centred, compute_uv=False)
    np.testing.assert_allclose(np.sqrt((points[-1, :40] ** 2).sum(axis=0)), spread[:2], rtol=1e-9)
    np.testing.assert_allclose(points[-1, :40].mean(axis=0), 0, atol=1e-12)
    moved = np.sqrt((np.diff(points[:, :40], axis=0) ** 2).sum(axis=-1))
    really = np.sqrt((np.diff(E, axis=0) ** 2).sum(axis=-1))
    assert (moved <= really + 1e-12).all()  # a projection never moves a point farther than its embedding moved
    assert (points[:, 40:] == points[0, 40:]).all()  # what is never taught stays where it was drawn

    ratio = gathering(run())
    assert ratio[0] == pytest.approx(1, abs=0.06)
    assert ratio[-1] < 0.7
    assert gathering(run(task="shuffled"))[-1] > 0.9


@pytest.mark.parametrize("settings", [{}, {"scaled": False, "n_heads": 4}, {"task": "copy", "n_heads": 1}])
@pytest.mark.parametrize("moment", [0, 20, 35])
def test_the_chain_of_one_weight_is_the_gradient_and_the_finite_difference(settings, moment):
    one = run(**settings)
    typed = read_sentence(EXAMPLE, one.settings.task)
    p = one.at(moment)
    whole = backward(p, see(p, typed, one.settings), scaled=one.settings.scaled).W_Q
    for head, row, column in ((0, 3, 5), (len(whole) - 1, 31, 0)):
        chain = weight_gradient(p, typed, one.settings, head, row, column)
        assert chain.gradient == pytest.approx(whole[head, row, column], rel=1e-9, abs=1e-16)
        assert chain.difference == pytest.approx(chain.gradient, rel=1e-4, abs=1e-9)
        assert chain.weight == p.W_Q[head, row, column]
        assert chain.dq == pytest.approx(float((chain.dscores * chain.k).sum()))
        assert chain.dscores.sum() == pytest.approx(0, abs=1e-12)  # a row of weights always sums to 1
        assert len(chain.dlogits) == len(answers_of(one.settings.task))
        assert chain.loss_up != chain.loss_down


@pytest.mark.parametrize("place", [(2, 0, 0), (0, 32, 0), (0, 0, 16), (-1, 0, 0)])
def test_a_number_that_is_not_there_has_no_gradient(place):
    with pytest.raises(IndexError, match="from 0"):
        weight_gradient(run().at(0), read_sentence(EXAMPLE, "measure"), DEFAULT, *place)


def test_the_settings_say_what_a_run_was_trained_with():
    assert run(seed=7).settings == replace(DEFAULT, seed=7)


@pytest.mark.parametrize(
    ("right", "chance"), [(0, 1.0), (1, 1 - 0.9**10), (9, 10 * 0.1**9 * 0.9 + 0.1**10), (10, 0.1**10)]
)
def test_luck_is_what_guessing_reaches_as_well(right, chance):
    answers = [
        HeldOut(noun, "双", "双" if at < right else "本", 0.5, 0.5) for at, noun in enumerate("鱼鞋书花车画树刀灯笔")
    ]
    assert luck(answers) == pytest.approx(chance)

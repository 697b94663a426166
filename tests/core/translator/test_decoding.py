"""Greedy and beam search, on small models that say all kinds of things."""

import math

import numpy as np
import pytest

from attention_core.errors import InputError
from attention_core.translator import Hypothesis, Translator, search
from attention_core.translator.decoding import beam, goes_in_circles, longest
from attention_core.translator.stepping import Stepper
from attention_core.words.word import Word
from tests.core.translator.conftest import small_weights, with_bias

WORDS = [Word("我"), Word("买"), Word("苹果")]
SEEDS = range(12)


def model_of(seed):
    return Translator(with_bias(small_weights(seed), end=-1.0))


def log_probability(model, source, pieces):
    return float(np.log(model.read(source, pieces).chosen).sum())


def test_a_step_computes_what_the_blocks_compute(small):
    source = small.encode(WORDS)
    pieces = ("▁I", "▁bought", "▁an", "▁appl", "es")
    stepper = Stepper(small, source)
    run = small.read(source, pieces)
    for step, number in enumerate([0, *run.ids[:-1]]):
        log_probs = stepper.step(np.array([number]))
        np.testing.assert_allclose(log_probs[0], np.log(run.probabilities[step]), atol=1e-5)


def test_hypotheses_go_on_side_by_side(small):
    source = small.encode(WORDS)
    stepper = Stepper(small, source)
    stepper.step(np.array([0]))
    stepper.keep([0, 0])
    stepper.step(np.array([6, 7]))
    stepper.keep([1, 0, 1])
    log_probs = stepper.step(np.array([8, 5, 4]))
    for row, pieces in enumerate([("▁an", "▁appl"), ("▁I", "es"), ("▁an", ".")]):
        run = small.read(source, (*pieces, "</s>"))
        np.testing.assert_allclose(log_probs[row], np.log(run.probabilities[2]), atol=1e-5)


@pytest.mark.parametrize("seed", SEEDS)
def test_greedy_takes_the_most_probable_piece(seed):
    model = model_of(seed)
    source = model.encode(WORDS)
    found = search(model, source)
    run = model.read(source, found.pieces)
    expected = [
        next(c.piece for c in run.candidates(step) if c.piece not in ("<s>", "<unk>"))
        for step in range(len(run.pieces))
    ]
    assert expected == list(found.pieces)
    assert found.log_probability == pytest.approx(log_probability(model, source, found.pieces), rel=1e-4)
    assert (found.stopped == "end") == run.ended


def test_beam_search_is_never_worse_than_greedy_and_sometimes_better():
    better = 0
    for seed in SEEDS:
        model = model_of(seed)
        source = model.encode(WORDS)
        greedy = search(model, source)
        for width in (2, 5):
            best = search(model, source, width)
            assert best.score >= greedy.score
            assert best.log_probability == pytest.approx(log_probability(model, source, best.pieces), rel=1e-4)
            better += best.score > greedy.score
    assert better


@pytest.mark.parametrize("width", [1, 3, 5])
def test_a_beam_ends_with_no_more_texts_than_its_width(width):
    for seed in SEEDS:
        model = model_of(seed)
        assert len({found.pieces for found in beam(model, model.encode(WORDS), width, ())}) == width


def test_prefix():
    model = model_of(3)
    source = model.encode(WORDS)
    for width in (1, 4):
        found = search(model, source, width, ("es", "es", "▁I"))
        assert found.pieces[:3] == ("es", "es", "▁I")
        assert found.log_probability == pytest.approx(log_probability(model, source, found.pieces), rel=1e-4)
    own = search(model, source)
    assert search(model, source, 1, own.pieces[:2]) == own
    ended = search(model, source, 1, ("▁I", "</s>"))
    assert (ended.pieces, ended.stopped) == (("▁I", "</s>"), "end")


def test_a_text_that_turns_in_circles_stops():
    model = Translator(with_bias(small_weights(1), es=50.0, end=-50.0))
    found = search(model, model.encode(WORDS))
    assert (found.pieces, found.stopped) == (("es",) * 4, "repetition")
    assert math.isfinite(found.score)


def test_score():
    """Wu et al. 2016, equation 14: seven pieces are twice as long as one, to the power 0.6."""
    assert Hypothesis((".",) * 7, -6.0, "end").score == pytest.approx(-6 / 2**0.6)
    assert Hypothesis((".",), -6.0, "end").score == -6


def test_circles():
    assert goes_in_circles("xabababab")
    assert not goes_in_circles("xababab")
    assert goes_in_circles("aaaa")
    assert not goes_in_circles("aaab")
    assert not goes_in_circles("")


def test_a_long_text_stops():
    model = Translator(with_bias(small_weights(5), end=-50.0))
    source = model.encode(WORDS)
    assert longest(source) == 18
    prefix = ["▁I", "▁bought", "▁an", "▁appl", "es", ".", "'s", "▁an", "▁I"] * 2
    found = search(model, source, 1, prefix)
    assert (len(found.pieces), found.stopped) == (18, "length")
    assert longest(model.encode([Word("我")] * 60)) == 100


@pytest.mark.parametrize(
    ("width", "prefix", "key"),
    [
        (0, (), "out_of_range"),
        (6, (), "out_of_range"),
        (1, ("We",), "unknown_piece"),
        (1, ("</s>", "."), "unknown_piece"),
        (1, (".",) * 101, "too_many_pieces"),
    ],
)
def test_what_is_refused(small, width, prefix, key):
    with pytest.raises(InputError) as error:
        search(small, small.encode(WORDS), width, prefix)
    assert error.value.key == key

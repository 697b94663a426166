"""The race: that it finishes and reports, what its two layers compute, and the slope. Never how fast they are."""

import numpy as np
import pytest

from attention_core.attention import scaled_dot_product_attention
from attention_core.race import Lap, fastest, growth, race, self_attention


def test_it_finishes_and_reports_every_length():
    laps = list(race((3, 5, 9), width=4))
    assert [lap.n for lap in laps] == [3, 5, 9]
    assert all(lap.rnn > 0 and lap.attention > 0 for lap in laps)


def test_it_ends_when_the_time_is_over():
    assert len(list(race((3, 5, 9), width=4, limit=0))) == 1


def test_its_attention_is_attention():
    draw = np.random.default_rng(1)
    x, (W_Q, W_K, W_V) = draw.normal(size=(5, 4)), draw.normal(size=(3, 4, 4))
    expected = scaled_dot_product_attention((x @ W_Q)[None], (x @ W_K)[None], (x @ W_V)[None]).z[0]
    np.testing.assert_allclose(self_attention(x, W_Q, W_K, W_V), expected)


def test_the_work_is_done_once_to_warm_up_and_then_so_many_times():
    done = []
    assert fastest(lambda: done.append(None), repeats=3) >= 0
    assert len(done) == 4


@pytest.mark.parametrize("power", [1, 2, 1.5])
def test_growth_is_the_power_of_n(power):
    n = np.array([8, 32, 64, 512])
    assert growth(n, 3e-6 * n**power) == pytest.approx(power)


def test_one_length_has_no_growth():
    with pytest.raises(ValueError, match="two different"):
        growth([8, 8], [1.0, 2.0])


def test_a_lap_holds_seconds_of_both():
    assert Lap(8, 0.5, 0.25) == Lap(n=8, rnn=0.5, attention=0.25)

"""How a dot product is shown: parts that add up."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from attention_app.figures.numbers import number
from attention_app.figures.products import MOST_TERMS, products, shown, units


def test_a_sum_worked_by_hand():
    # 1 x 2 + 0.5 x (-3) + 0.25 x 0.1 + bias 1 = 1.525
    made = products([1, 0.5, 0.25], [2, -3, 0.1], decimals=2, bias=1)
    assert [(term.at, term.left, term.right, term.whole) for term in made.terms] == [
        (0, 1, 2, 200),
        (1, 0.5, -3, -150),
        (2, 0.25, 0.1, 3),
    ]
    assert (made.rest, made.n_rest, made.bias, made.total, made.rounding) == (0, 0, 100, 153, 0)


def test_the_largest_by_size_stand_first_and_equals_keep_their_order():
    made = products([1] * 6, [1, -4, 2, 4, -0.5, 0], decimals=1, most=3)
    assert [term.at for term in made.terms] == [1, 3, 2]
    assert (made.n_rest, made.rest, made.total) == (3, 5, 25)


@pytest.mark.parametrize("k", [1, 2, 8, 9, 32, 64, 384])
@pytest.mark.parametrize("decimals", [0, 2, 4, 6])
def test_the_shown_parts_add_up_to_the_shown_total(k, decimals):
    rng = np.random.default_rng(k)
    for _ in range(20):
        a, b = rng.normal(size=(2, k)).astype(np.float32)
        total = float(a @ b)
        made = products(a, b, total, decimals=decimals)
        assert sum(term.whole for term in made.terms) + made.rest + made.rounding == made.total
        assert shown(made.total, decimals) == number_with_minus(total, decimals)
        assert len(made.terms) == min(k, MOST_TERMS)
        assert len(made.terms) + made.n_rest == k
        # half a unit for each number on the screen, the total too; float32 loses a little more at many decimals
        slack = 2 * 10**decimals * 1e-6 * float(np.abs(a * b).sum())
        assert abs(made.rounding) <= (len(made.terms) + (made.n_rest > 0) + 1) / 2 + slack


def number_with_minus(value: float, decimals: int) -> str:
    return shown(units(value, decimals), decimals)


@pytest.mark.parametrize(
    ("value", "decimals", "text"),
    [
        (0.145, 2, "0.15"),
        (-0.145, 2, "−0.15"),
        (-0.004, 2, "0.00"),
        (2.5, 0, "3"),
        (-2.5, 0, "−3"),
        (94.740004, 6, "94.740004"),
        (0.0, 3, "0.000"),
    ],
)
def test_a_number_is_rounded_as_on_paper(value, decimals, text):
    assert shown(units(value, decimals), decimals) == text


def test_weights_have_the_digits_they_have_elsewhere():
    for weight in np.random.default_rng(1).random(300):
        for decimals in range(2, 7):
            assert shown(units(weight, decimals), decimals) == number(weight, decimals)


def test_units_are_exact():
    for value in (0.1, 0.25, 123.456789):
        assert Fraction(units(value, 6), 10**6) == Fraction(str(value))


def test_what_does_not_belong_together_is_refused():
    with pytest.raises(ValueError, match="same length"):
        products([1, 2], [1], decimals=2)
    with pytest.raises(ValueError, match="add up to 3"):
        products([1, 2], [1, 1], 3.5, decimals=2)

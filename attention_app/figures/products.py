"""How a sum of many terms is shown: the largest ones, the rest in one line, and what rounding leaves over.

Everything is counted in units of the last shown decimal, as integers. So what is on the screen adds up exactly:

    shown terms + rest + bias + rounding = total

Each number is rounded on its own, as if it stood alone; `rounding` is what that leaves over, at most half a unit for
each number. The views compute the same in the browser (components/matrix/view.js), and tests compare the two.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from attention_app.figures.numbers import DIGITS, UNIT
from attention_core.trace import FloatArray

MOST_TERMS = 8  # as many lines as a reader takes in at once


def units(value: float, decimals: int) -> int:
    """The finite value in units of the last decimal; a half goes away from 0. units(0.145, 2) -> 15."""
    step: int = 10 ** (DIGITS - decimals)
    millionths = math.floor(abs(value) * UNIT + 0.5)
    whole: int = (2 * millionths + step) // (2 * step)
    return -whole if value < 0 else whole


def shown(whole: int, decimals: int) -> str:
    """Units as text, with a true minus sign. shown(-15, 2) -> "−0.15"."""
    text = f"{abs(whole) / 10**decimals:.{decimals}f}"
    return f"−{text}" if whole < 0 else text


@dataclass(frozen=True)
class Term:
    """One product of the sum: `at` is its place, left × right its factors, `whole` the product in units."""

    at: int
    left: float
    right: float
    whole: int


@dataclass(frozen=True)
class Products:
    """A dot product as it is shown; all but `terms` and `decimals` in units of the last decimal.

    terms     the largest products by size, largest first
    n_rest    how many other products `rest` is the sum of
    bias      what is added to the sum, 0 if nothing is
    rounding  what the shown numbers miss the total by
    total     the cell itself
    """

    terms: tuple[Term, ...]
    rest: int
    n_rest: int
    bias: int
    rounding: int
    total: int
    decimals: int


def products(
    left: FloatArray | Sequence[float],
    right: FloatArray | Sequence[float],
    total: float | None = None,
    *,
    decimals: int,
    bias: float = 0.0,
    most: int = MOST_TERMS,
) -> Products:
    """The dot product of left (k,) and right (k,), plus `bias`, for the cell whose value is `total`.

    Without `total` it is the sum itself. Products of equal size stand in their own order. ValueError if the lengths
    differ or if `total` is not what the products and the bias add up to.
    """
    a, b = np.asarray(left, dtype=np.float64), np.asarray(right, dtype=np.float64)
    if a.ndim != 1 or a.shape != b.shape:
        raise ValueError(f"two vectors of the same length are needed, not {a.shape} and {b.shape}")
    each = a * b
    exact = float(each.sum() + bias)
    if total is None:
        total = exact
    if not math.isclose(exact, total, rel_tol=1e-4, abs_tol=1e-4 * (1 + float(np.abs(each).sum()))):
        raise ValueError(f"the products add up to {exact}, not to {total}")
    order = np.argsort(-np.abs(each), kind="stable")
    terms = tuple(Term(int(i), float(a[i]), float(b[i]), units(float(each[i]), decimals)) for i in order[:most])
    others = np.sort(order[most:])
    rest, whole, of_bias = units(float(each[others].sum()), decimals), units(total, decimals), units(bias, decimals)
    rounding = whole - sum(term.whole for term in terms) - rest - of_bias
    return Products(terms, rest, len(others), of_bias, rounding, whole, decimals)

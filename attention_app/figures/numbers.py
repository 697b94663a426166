"""Weights as text and as integers: one rounding, so that every view shows the same digits."""

from __future__ import annotations

import numpy as np

from attention_core.trace import FloatArray

DIGITS = 6  # the most decimals a learner can choose; what travels to the browser has as many
UNIT = 10**DIGITS
HIDDEN = "?"  # stands for a number that is not revealed yet
_RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
_NUDGE = 1e-9  # a half that is a half only in decimal (0.145) goes up, as it does in the browser


def number(weight: float, decimals: int) -> str:
    return f"{round(float(weight), DIGITS) + _NUDGE:.{decimals}f}"


def signed(value: float, decimals: int) -> str:
    """A change with its sign, + or a true minus; what rounds to 0 has none."""
    text = number(abs(value), decimals)
    return text if not float(text) else ("−" if value < 0 else "+") + text


def power_of_ten(power: int) -> str:
    """10⁻⁷"""
    return "10" + str(power).translate(_RAISED)


def scientific(value: float, decimals: int) -> str:
    """8 × 10⁻⁷ on one line, its first factor with so many decimals."""
    factor, power = f"{value:.{decimals}e}".split("e")
    return f"{factor}\N{NO-BREAK SPACE}×\N{NO-BREAK SPACE}{power_of_ten(int(power))}"


def whole(weights: FloatArray) -> list[int]:
    """The weights in millionths, row after row: a third of the bytes of decimal fractions."""
    flat: list[int] = np.rint(weights.astype(np.float64) * UNIT).astype(int).ravel().tolist()
    return flat

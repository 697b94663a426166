"""Numbers as a line of a small chart, and numbers too small for the learner's decimals."""

from __future__ import annotations

from typing import Literal

from attention_app.components.curves import Curve
from attention_app.figures import numbers
from attention_app.ui import pictures, shown
from attention_core.trace import FloatArray


def line(name: str, values: FloatArray, stroke: Literal["plain", "dashed", "dotted"] = "plain") -> Curve:
    """values: (n_steps,)."""
    numbers = [shown.number(float(value)) for value in values]
    return {"name": name, "values": [round(float(value), 4) for value in values], "numbers": numbers, "stroke": stroke}


def small(value: float) -> str:
    """A rounding error: 8 × 10⁻⁷, or 0."""
    if not pictures.revealed():
        return pictures.HIDDEN
    return numbers.scientific(value, 0) if value else "0"

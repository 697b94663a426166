"""What one layer costs: table 1 of Vaswani et al. 2017 with numbers put in."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class LayerCost:
    """One row of the table.

    operations  multiplications of one layer, without the constant that the O leaves out
    sequential  steps that must wait for each other
    path        the longest way between two words
    """

    name: str
    operations: int
    sequential: int
    path: int


def layer_costs(n: int, d: int, k: int, r: int) -> tuple[LayerCost, ...]:
    """The four layers of table 1, in its order.

    n: words; d: width of a word; k: kernel width of the convolution, at least 2; r: words that restricted
    self-attention looks at. A neighbourhood wider than the sentence is the sentence. ValueError: a number is too small.
    """
    if min(n, d, r) < 1 or k < 2:
        raise ValueError(f"n, d, r must be at least 1 and k at least 2, not {n}, {d}, {r}, {k}")
    r = min(r, n)
    return (
        LayerCost("attention", n * n * d, 1, 1),
        LayerCost("recurrent", n * d * d, n, n),
        LayerCost("convolution", k * n * d * d, 1, _steps_to_cover(n, k)),
        LayerCost("restricted", r * n * d, 1, -(-n // r)),
    )


def _steps_to_cover(n: int, k: int) -> int:
    """log_k(n), rounded up: layers of dilated convolutions until n words are covered; at least 1."""
    steps, covered = 1, k
    while covered < n:
        steps, covered = steps + 1, covered * k
    return steps

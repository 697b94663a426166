"""Scores on one axis, beside the scores that were measured on other pairs: bands, a limit, and a dot for each row."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypedDict

from attention_app.components import register

_mount = register("spread")


class Band(TypedDict):
    """Where most scores of some pairs lie: its name, the two ends, the middle one, and the band as a sentence."""

    label: str
    low: float
    high: float
    middle: float
    spoken: str


class Dot(TypedDict):
    """One row's score: where it is, what it is called, and the score as shown."""

    at: float
    name: str
    number: str


def spread(
    key: str,
    bands: Sequence[Band],
    dots: Sequence[Dot],
    *,
    axis: tuple[float, float],
    limit: float,
    ticks: Sequence[float],
    best: int,
    texts: Mapping[str, str],
) -> None:
    """Show the axis from axis[0] to axis[1]. No dots while a class guesses.

    best   the row with the largest score, from 0
    texts  title, rows (the name of the dots' line), dot (with {name} and {number}), limit
    """
    data = {
        "bands": list(bands),
        "dots": list(dots),
        "axis": list(axis),
        "limit": limit,
        "ticks": list(ticks),
        "best": best,
        "texts": dict(texts),
    }
    _mount(key=key, data=data)

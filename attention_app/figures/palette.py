"""The colours a figure needs; their values live in .streamlit/config.toml and arrive through the ui."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Palette:
    """Hex colours of the theme in use.

    query, key: the two roles; paper: what a weight of 0 looks like; minus, plus: the two signs.
    """

    ink: str
    soft: str
    line: str
    paper: str
    query: str
    key: str
    minus: str
    plus: str

    @property
    def signed_scale(self) -> list[list[float | str]]:
        """-1 -> minus, 0 -> paper, 1 -> plus."""
        return [[0.0, self.minus], [0.5, self.paper], [1.0, self.plus]]

    @property
    def weight_scale(self) -> list[list[float | str]]:
        """0 -> paper, 1 -> key, straight through RGB: one hue, monotone in greyscale in light and dark."""
        return [[0.0, self.paper], [1.0, self.key]]

    def ink_on(self, weight: float) -> str:
        """The colour of a number on the cell of `weight`: black or white, whichever reads better (WCAG contrast)."""
        return self._ink(self.key, weight)

    def soft_ink_on(self, share: float) -> str:
        """The same on a grey cell: paper at 0, soft at 1."""
        return self._ink(self.soft, share)

    def _ink(self, color: str, share: float) -> str:
        ends = zip(channels(self.paper), channels(color), strict=True)
        return ink_upon([paper + share * (end - paper) for paper, end in ends])


def channels(color: str) -> list[int]:
    """Red, green and blue of a hex colour, 0-255."""
    return [int(color[i : i + 2], 16) for i in (1, 3, 5)]


def ink_upon(background: Sequence[float]) -> str:
    """Black or white, whichever reads better upon a colour given by its channels (WCAG contrast)."""
    light = _luminance(background)
    return "#ffffff" if 1.05 / (light + 0.05) > (light + 0.05) / 0.05 else "#000000"


def _luminance(channels: Sequence[float]) -> float:
    """Relative luminance of an sRGB colour, 0-1 (WCAG 2.2)."""
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in (v / 255 for v in channels)]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

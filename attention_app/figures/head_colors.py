"""Twelve colours for heads: head i has the same one on every page, and always its number beside it.

Found by search: the smallest distance between any two (in OKLab, also as seen without red, green or blue cones) is at
least 0.078, eight times what can just be told apart; contrast to the card is at least 2.3 in light and 3 in dark.
"""

from __future__ import annotations

from typing import NamedTuple

from attention_app.figures.palette import channels, ink_upon


class HeadColor(NamedTuple):
    """Hex colours of a head in the light and in the dark theme, and of a number written upon each."""

    light: str
    dark: str
    light_ink: str
    dark_ink: str


# fmt: off
_LIGHT = ("#2fb0e3", "#e69222", "#7e67a4", "#91a37d", "#a23c11", "#4152c0",
          "#ac7412", "#783d56", "#4176ed", "#592d26", "#5b4684", "#203476")
_DARK = ("#4ba6c0", "#c4ab7d", "#e9ddf3", "#acf29c", "#ac4f27", "#6a6987",
         "#fcc624", "#b88289", "#1169cd", "#e8742c", "#aeb3f8", "#8477fa")
# fmt: on


HEAD_COLORS = tuple(
    HeadColor(light, dark, ink_upon(channels(light)), ink_upon(channels(dark)))
    for light, dark in zip(_LIGHT, _DARK, strict=True)
)


def css_color(head: int) -> str:
    """The colour of a head (from 0) as CSS that follows the theme."""
    color = HEAD_COLORS[head]
    return f"light-dark({color.light}, {color.dark})"


def css_ink(head: int) -> str:
    """The colour of a number written upon it."""
    color = HEAD_COLORS[head]
    return f"light-dark({color.light_ink}, {color.dark_ink})"

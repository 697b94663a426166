"""Graphemes: what a reader calls one character, however many code points it takes (é, 🇨🇳, 👨‍👩‍👧)."""

from __future__ import annotations

import regex

# \X alone counts the flags before each flag again, which is quadratic in a long row of them: take them two by two.
_GRAPHEME = regex.compile(
    r"\p{Regional_Indicator}{2}[\p{GCB=Extend}\p{GCB=ZWJ}\p{GCB=SpacingMark}]*+|\X",
)


def graphemes(text: str) -> list[str]:
    """The extended grapheme clusters of `text` (Unicode UAX 29); joined they give `text` again."""
    found: list[str] = _GRAPHEME.findall(text)
    return found

"""Cleaning: the text as a reader sees it, without the characters nobody sees.

In order: lone surrogates become U+FFFD (they cannot be sent or saved), invisible characters go (zero-width, byte order
mark, direction marks, controls), full-width digits and letters become narrow, everything becomes NFC, and white space
of any kind and length becomes one space, none at the ends. Every step takes time linear in the text.
"""

from __future__ import annotations

import re
import unicodedata

import regex

from attention_core.words.graphemes import graphemes

# Never shown: controls that are not white space, noncharacters, the marks around an annotation, and what Unicode calls
# default-ignorable (zero-width characters, joiners, direction marks, variation selectors, Hangul fillers, tags ...).
_INVISIBLE = regex.compile(
    r"[[\p{Default_Ignorable_Code_Point}\p{Cc}\p{Noncharacter_Code_Point}\uFFF9-\uFFFB]--\p{White_Space}]", regex.V1
)
# In these graphemes a joiner, a variation selector or a tag changes the picture, so it stays.
_EMOJI = regex.compile(r"[\p{Extended_Pictographic}\p{Regional_Indicator}\u20E3]")
# What str.split() calls white space, and the blank Braille pattern, which looks the same.
_WHITE_SPACE = re.compile(r"[\s\u2800]+")
# Unicode's stream-safe limit: no language puts more than 30 marks on a letter, and putting them in order is quadratic.
_TOO_MANY_MARKS = regex.compile(r"(\p{M}{30})\p{M}++")
# Only digits and letters: NFKC would also turn ， into , and … into three dots.
_NARROW = {wide: wide - 0xFEE0 for first, last in ("０９", "ＡＺ", "ａｚ") for wide in range(ord(first), ord(last) + 1)}


def clean(sentence: str) -> str:
    """The text that is cut into words: visible characters and single spaces. May be empty."""
    # The round trip through UTF-16 also joins a surrogate pair that arrived as two halves.
    text = sentence.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    # Python counts the separators U+001C to U+001F as white space, Unicode as controls: white space it is.
    text = _WHITE_SPACE.sub(" ", text)
    if _INVISIBLE.search(text):
        text = "".join(_without_invisible(grapheme) for grapheme in graphemes(text))
    text = _TOO_MANY_MARKS.sub(r"\1", text.translate(_NARROW))
    return _WHITE_SPACE.sub(" ", unicodedata.normalize("NFC", text)).strip(" ")


def _without_invisible(grapheme: str) -> str:
    if _EMOJI.search(grapheme):
        return grapheme.rstrip("\u200d")  # a joiner that joins nothing
    visible: str = _INVISIBLE.sub("", grapheme)
    return visible

"""A copy of the text for the dictionary: simplified characters, one for each typed one.

The dictionary is simplified, so 蘋果 would fall into 蘋/果. Boundaries are found on the copy; what was typed stays.
"""

from __future__ import annotations

import functools
import unicodedata
from collections.abc import Callable

import regex

# Characters copied from a PDF are often Kangxi radicals: ⼈ looks like 人 and is another code point.
_RADICALS = range(0x2E80, 0x2FE0)
_HAN = regex.compile(r"\p{Han}")
# Read with other characters these are traditional, although GB 2312 has them too: 看著, 乾淨, 瞭解, 藉口.
_TWO_FACED = frozenset("著乾瞭藉")


def simplified(text: str) -> str:
    """`text` with traditional characters and radicals replaced; the same length, character by character."""
    copy = "".join(_unified(char) for char in text)
    if not any(_may_be_traditional(char) for char in _HAN.findall(copy)):
        return copy
    convert = _converter()
    whole = convert(copy)  # with its context: 乾淨 is 干净, 乾坤 stays
    return whole if len(whole) == len(copy) else "".join(_one(convert(char), char) for char in copy)


def _unified(char: str) -> str:
    return _one(unicodedata.normalize("NFKC", char), char) if ord(char) in _RADICALS else char


def _one(replacement: str, char: str) -> str:
    return replacement if len(replacement) == 1 else char


def _may_be_traditional(char: str) -> bool:
    """GB 2312 (1980) holds the simplified characters in common use: a Han character outside it may be traditional."""
    if char in _TWO_FACED:
        return True
    try:
        char.encode("gb2312")
    except UnicodeEncodeError:
        return True
    return False


@functools.cache
def _converter() -> Callable[[str], str]:
    """OpenCC, loaded at the first traditional character. `tw2s` also knows 看著 (着) from 著名."""
    import opencc

    convert: Callable[[str], str] = opencc.OpenCC("tw2s").convert
    return convert

"""What is taken whole before the dictionary is asked: emoji, addresses, tags, numbers, Latin words, runs of marks."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from typing import Any

import regex

_EMOJI = r"\p{Regional_Indicator}{2} | [#*0-9]\uFE0F?\u20E3 | (?=\p{Extended_Pictographic})\X"
_ADDRESS = r"""
    (?i:https?://|www\.)[!-~--[<>"\\^`{|}]]*[A-Za-z0-9/=&\#_~\-]    # a mark at the end belongs to the sentence
  | [A-Za-z0-9._%+\-]+@[A-Za-z0-9\-]+(?:\.[A-Za-z0-9\-]+)+
"""
_TAG = r"</?[A-Za-z][\w\-]*/?> | <\|[A-Za-z]\w*\|> | \[[A-Z]+\]"  # <b>, <br/>, <|end|>, [SEP]
# Letters of scripts that put spaces between words, and digits; Han and kana go by their own runs.
_LETTER = r"[[\p{L}\p{M}\p{N}_]--[\p{Han}\p{Hiragana}\p{Katakana}ー]]"
_NUMBER = rf"""
    (?<!{_LETTER})[+\-−±]?                                          # a sign, but not the one in 5-3
    (?:\d{{1,3}}(?:,\d{{3}})+ | \d+(?:[:/]\d+)*)(?:\.\d+)*[%％‰]?   # 1,234.56  10:30  3/4  23.4%
    (?!{_LETTER} | [\-'’\#+]{_LETTER})                              # 3D and 2024-05-01 are Latin words
"""
_LATIN = rf"""
    (?:[A-Za-z]\.){{2,}}(?!{_LETTER})                               # U.S.
  | {_LETTER}++(?: [\-'’]{_LETTER}++ | \.(?:(?=[a-z])|(?<=\d\.)(?=\d)){_LETTER}++ )*+   # Wi-Fi  didn't  GPT-3.5  app.py
    (?:(?:\+\+\d*|[+\#])(?!{_LETTER}))?                             # C++  C#  A+
"""
_KANA = r"\p{Hiragana}+ | [\p{Katakana}ー]+"
# The same mark again and again is one word (……, ——, ===), ？ and ！ in any mixture too; brackets and quotes are not.
_MARKS = r"""[？！?!]+ | (?P<mark>[[\p{P}\p{S}]--[\p{Ps}\p{Pe}\p{Pi}\p{Pf}"'<>]])(?P=mark)*"""


@functools.cache
def _pattern(mixed: tuple[str, ...]) -> Any:
    # Latin letters at an end of such a word must be a whole run of them: there is no B超 in USB超.
    words = "|".join(regex.escape(word) for word in sorted(mixed, key=len, reverse=True)) or r"(?!)"
    mixed_word = rf"(?:(?<!{_LETTER})|(?=\p{{Han}}))(?:{words})(?:(?!{_LETTER})|(?<=\p{{Han}}))"
    whole = "|".join((mixed_word, _EMOJI, _ADDRESS, _TAG, _NUMBER, _LATIN, _KANA, _MARKS))
    return regex.compile(
        rf"(?P<whole>{whole}) | (?P<han>(?:(?!{mixed_word})\p{{Han}})+) | \X", regex.V1 | regex.VERBOSE
    )


def runs(text: str, mixed: tuple[str, ...] = ()) -> Iterator[tuple[str, bool]]:
    """`text` (no white space) in parts: (part, True) is Han text for the dictionary, (part, False) is one word.

    mixed: dictionary words of more than one script (T恤, 卡拉OK); they win over everything else.
    """
    for match in _pattern(mixed).finditer(text):
        yield match.group(), match.group("han") is not None

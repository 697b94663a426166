"""From the dictionary's words to the lesson's: split what it glues together, join what it tears apart."""

from __future__ import annotations

import functools
from collections.abc import Iterable

from attention_core.words.counting import split_counted
from attention_core.words.dictionary import read_list

_PLURAL = "们"


@functools.cache
def _splits() -> dict[str, tuple[str, ...]]:
    """Dictionary entries that are more than one word for a learner: data/split_words.txt."""
    parts = [tuple(entry.split("/")) for entry in read_list("split_words.txt")]
    return {"".join(words): words for words in parts}


def regroup(words: Iterable[str]) -> list[str]:
    """The words of one Han run, regrouped: 看着 -> 看/着, 一只 -> 一/只, 老师/们 -> 老师们."""
    grouped: list[str] = []
    for word in words:
        if word == _PLURAL and grouped:
            grouped[-1] += word
        else:
            grouped += _splits().get(word) or split_counted(word)
    return grouped

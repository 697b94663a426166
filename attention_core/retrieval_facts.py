"""Which scores of the real model mean something (made by training/measure_retrieval.py).

Softmax always hands out 100 %, also where nothing fits. Whether something fits can only be seen in the raw score,
beside the scores of pairs that are known to have nothing to do with each other.
"""

from __future__ import annotations

import functools
import json
import re
import unicodedata
from dataclasses import dataclass
from importlib.resources import files
from typing import Literal, TypeAlias

Verdict: TypeAlias = Literal["fits", "unsure", "none", "unknown"]
LIMIT = 99  # the percentile of the unrelated pairs that is the limit
BAND = (5, 95)  # percentiles: how far most pairs reach
_HAN = re.compile(r"[\u3400-\u9fff]")
_ADDRESS_OR_TAG = re.compile(r"\S+://\S*|<[^<>]*>")
_WORDS = re.compile(r"[\u3400-\u9fff]|(?<![^\W\d_])[A-Za-z\u00c0-\u024f]{2,}")  # one letter is no English word


@dataclass(frozen=True)
class Spread:
    """Scores of many pairs: how many, how far those inside BAND reach, and the middle one."""

    pairs: int
    low: float
    middle: float
    high: float


@dataclass(frozen=True)
class Typical:
    """What scores are like between a request and a label in these languages.

    languages   "zh", "en", or "mixed": one Chinese, the other not
    topics      how many topics the pairs come from
    unrelated   requests with labels of other topics
    related     requests with the label of their own topic
    limit       the score that LIMIT % of the unrelated pairs stay below
    missed      the share of the related pairs (0-1) that stay below it as well
    """

    languages: str
    topics: int
    unrelated: Spread
    related: Spread
    limit: float
    missed: float

    def judge(self, score: float) -> Verdict:
        """ "fits": at least the limit; "none": no higher than 95 % of the unrelated pairs; "unsure": between."""
        return "fits" if score >= self.limit else "none" if score <= self.unrelated.high else "unsure"


@functools.cache
def retrieval_facts() -> dict[str, Typical]:
    """The shipped measurement by languages, read once."""
    found = json.loads(files("attention_core").joinpath("data/retrieval.json").read_text("utf-8"))
    return {
        name: Typical(
            languages=name,
            topics=entry["topics"],
            unrelated=Spread(**entry["unrelated"]),
            related=Spread(**entry["related"]),
            limit=entry["limit"],
            missed=entry["missed"],
        )
        for name, entry in found["languages"].items()
    }


def typical(query: str, key: str) -> Typical:
    """What was measured for the languages of these two texts."""
    chinese = [bool(_HAN.search(text)) for text in (query, key)]
    return retrieval_facts()["zh" if all(chinese) else "mixed" if any(chinese) else "en"]


def readable(text: str) -> bool:
    """Whether a text is Chinese or English, as those that were measured: words of these make up half of it or more.

    Addresses, tags, digits, spaces and punctuation do not count; signs (an emoji, $) and other scripts are against it.
    """
    text = _ADDRESS_OR_TAG.sub(" ", text)
    known = sum(len(word) for word in _WORDS.findall(text))
    counted = sum(unicodedata.category(character)[0] in "LMS" for character in text)
    return known > 0 and 2 * known >= counted


def verdict(query: str, key: str, score: float) -> Verdict:
    """As `Typical.judge` for these two texts; "unknown": one of them is not like any text that was measured."""
    return typical(query, key).judge(score) if readable(query) and readable(key) else "unknown"

"""Which scores of the real model mean something (made by training/measure_retrieval.py).

Softmax always hands out 100 %, also where nothing fits. Whether something fits can only be seen in the raw score,
beside the scores of pairs that are known to have nothing to do with each other.
"""

from __future__ import annotations

import functools
import json
import re
from dataclasses import dataclass
from importlib.resources import files
from typing import Literal, TypeAlias

Verdict: TypeAlias = Literal["fits", "unsure", "none"]
LIMIT = 99  # the percentile of the unrelated pairs that is the limit
BAND = (5, 95)  # percentiles: how far most pairs reach
_HAN = re.compile(r"[\u3400-\u9fff]")


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

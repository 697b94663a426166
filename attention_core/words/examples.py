"""The teaching sentences, each with what it shows and a question to ask a class."""

from __future__ import annotations

import csv
import functools
from dataclasses import dataclass
from importlib.resources import files


@dataclass(frozen=True)
class Example:
    """One sentence. `id` is stable (links use it), `language` is "zh" or "en".

    group: the name of what it shows, shared with the examples that stand beside it.
    gloss_en, gloss_zh: the sentence in the other language ("" in its own).
    """

    id: str
    language: str
    group: str
    sentence: str
    gloss_zh: str
    gloss_en: str
    phenomenon_zh: str
    phenomenon_en: str
    question_zh: str
    question_en: str


@functools.cache
def load_examples() -> tuple[Example, ...]:
    """All examples in the order of the lesson; the first is the default sentence."""
    text = (files("attention_core") / "data" / "examples.tsv").read_text(encoding="utf-8")
    rows = csv.DictReader(text.splitlines(), delimiter="\t", quoting=csv.QUOTE_NONE)
    return tuple(Example(**row) for row in rows)


def example_groups() -> tuple[str, ...]:
    """The groups, in the order in which a lesson meets them."""
    return tuple(dict.fromkeys(example.group for example in load_examples()))

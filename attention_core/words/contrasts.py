"""Ready pairs for comparing: two sentences that differ in one thing, or two cuts of one sentence."""

from __future__ import annotations

import csv
import functools
from dataclasses import dataclass
from importlib.resources import files


@dataclass(frozen=True)
class Contrast:
    """One pair. `id` is stable, `language` is "zh" or "en".

    kind        "sentences": a and b are sentences; "cuts": they are one sentence in the notation of words/notation.py
    word        the word of `a` whose row is worth looking at
    layer, head the head to look with, from 1; 0 for the one that is chosen already
    """

    id: str
    kind: str
    language: str
    a: str
    b: str
    word: str
    layer: int
    head: int
    question_zh: str
    question_en: str


@functools.cache
def load_contrasts() -> tuple[Contrast, ...]:
    """All pairs in the order of the lesson."""
    text = (files("attention_core") / "data" / "contrasts.tsv").read_text(encoding="utf-8")
    rows = csv.DictReader(text.splitlines(), delimiter="\t", quoting=csv.QUOTE_NONE)
    return tuple(Contrast(layer=int(row.pop("layer")), head=int(row.pop("head")), **row) for row in rows)

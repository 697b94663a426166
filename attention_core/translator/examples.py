"""Sentences that show what this translator can do and what it cannot, with what to notice."""

from __future__ import annotations

import csv
from dataclasses import dataclass
from functools import cache
from typing import Literal

from attention_core.translator.weights import FOLDER

_FILE = FOLDER.parent / "translation_examples.tsv"


@dataclass(frozen=True)
class TranslationExample:
    """kind: "works" or "fails"; translation: what the greedy search says; notice_zh, notice_en: what to look at."""

    sentence: str
    kind: Literal["works", "fails"]
    translation: str
    notice_zh: str
    notice_en: str


@cache
def load_translation_examples() -> tuple[TranslationExample, ...]:
    """All of them, in the order of the file."""
    with _FILE.open(encoding="utf-8", newline="") as file:
        return tuple(TranslationExample(**row) for row in csv.DictReader(file, delimiter="\t"))  # type: ignore[arg-type]

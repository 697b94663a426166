"""The words that the small model knows: measure words, the nouns that take them, adjectives, and sentence frames."""

from __future__ import annotations

import csv
import functools
from dataclasses import dataclass
from importlib.resources import files

PAD, GAP, DE = "", "[?]", "的"  # an empty place behind a shorter sentence; the place to fill; joins adjective and noun
SLOT = "*"  # where adjectives and the noun go in a frame


@dataclass(frozen=True)
class Vocabulary:
    """Everything in the order of data/measure_words.tsv, which is ours.

    measures    the measure words: the answers
    nouns       the nouns that are taught, four for each measure word
    held_out    one more noun for each measure word, in no training sentence
    adjectives  each is followed by 的
    frames      sentences as words, with GAP and SLOT
    words       every word that can stand in a sentence; a word's index here is its id
    measure_of  noun -> its usual measure word, held-out ones included
    english     word or frame -> what it means
    """

    measures: tuple[str, ...]
    nouns: tuple[str, ...]
    held_out: tuple[str, ...]
    adjectives: tuple[str, ...]
    frames: tuple[tuple[str, ...], ...]
    words: tuple[str, ...]
    measure_of: dict[str, str]
    english: dict[str, str]

    def ids(self, words: tuple[str, ...]) -> tuple[int, ...]:
        """The ids of words. KeyError: a word that is not in the vocabulary."""
        places = _places(self.words)
        return tuple(places[word] for word in words)


@functools.cache
def load_vocabulary() -> Vocabulary:
    """The vocabulary, read once."""
    text = (files("attention_core") / "data" / "measure_words.tsv").read_text(encoding="utf-8")
    rows = list(csv.DictReader(text.splitlines(), delimiter="\t", quoting=csv.QUOTE_NONE))

    def words_of(kind: str) -> tuple[str, ...]:
        return tuple(row["word"] for row in rows if row["kind"] == kind)

    frames = tuple(tuple(frame.split()) for frame in words_of("frame"))
    nouns, held_out, adjectives = words_of("noun"), words_of("held_out"), words_of("adjective")
    spoken = (word for frame in frames for word in frame if word not in (GAP, SLOT))
    return Vocabulary(
        measures=words_of("measure"),
        nouns=nouns,
        held_out=held_out,
        adjectives=adjectives,
        frames=frames,
        words=tuple(dict.fromkeys((PAD, GAP, DE, *nouns, *held_out, *adjectives, *spoken))),
        measure_of={row["word"]: row["measure"] for row in rows if row["measure"]},
        english={row["word"]: row["en"] for row in rows},
    )


@functools.cache
def _places(words: tuple[str, ...]) -> dict[str, int]:
    return {word: place for place, word in enumerate(words)}

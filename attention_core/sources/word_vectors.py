"""Real word vectors: 12,000 common Chinese words, 75 numbers each (origin and licence: data/word_vectors_12k.md)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from attention_core.sources import Settings, draw, source_info
from attention_core.trace import FloatArray, ReadOnlyArrays
from attention_core.words.word import Word

N_DIMENSIONS = 75
Kind: TypeAlias = Literal["word", "characters", "unknown"]
_FILE = Path(__file__).parents[1] / "data" / "word_vectors_12k.npz"


@dataclass(frozen=True, eq=False)
class Lookup(ReadOnlyArrays):
    """A word's vector and where it comes from.

    kind    "word": the word's own vector; "characters": the mean of its characters' vectors, because the word itself is
            not in the list; "unknown": a character is missing too, and the vector is all 0. A zero says "nothing is
            known" honestly, a drawn vector would pass for a real one; a screen must flag the word
    vector  (75,) float32
    """

    text: str
    kind: Kind
    vector: FloatArray


def lookup(text: str) -> Lookup:
    """The vector of a word. The first call reads the file (about 10 ms)."""
    table = _load()
    if text in table.rows:
        return Lookup(text, "word", table.vector(text))
    if all(character in table.rows for character in text) and text:
        return Lookup(text, "characters", np.mean([table.vector(c) for c in text], axis=0, dtype=np.float32))
    return Lookup(text, "unknown", np.zeros(N_DIMENSIONS, dtype=np.float32))


def unit_vectors(texts: Sequence[str], seed: int) -> FloatArray:
    """The vectors of `texts` brought to length 1, (n, 75) float64, for a network that no zero can pass through.

    An unknown word gets a vector drawn from its own text, and a screen must say so (see `unknown_words`).
    """
    found = [lookup(text) for text in texts]
    vectors = np.array(
        [
            2 * draw.uniform((N_DIMENSIONS,), seed, "unit", one.text) - 1 if one.kind == "unknown" else one.vector
            for one in found
        ],
        dtype=np.float64,
    )  # (n, 75)
    unit: FloatArray = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    return unit


def unknown_words(words: Sequence[Word], source: str, settings: Settings) -> tuple[str, ...]:
    """The different words that this source wanted a word vector of and found none: their numbers are all 0."""
    reads_vectors = "embedding" in source_info(source).settings and settings.embedding == "word_vectors"
    if source != "vectors" and not reads_vectors:
        return ()
    return tuple(text for text in dict.fromkeys(word.text for word in words) if lookup(text).kind == "unknown")


@dataclass(frozen=True, eq=False)
class _Table:
    rows: dict[str, int]
    q: NDArray[np.int8]  # (n_words, 75)
    s: NDArray[np.float16]  # (n_words,)

    def vector(self, text: str) -> FloatArray:
        row = self.rows[text]
        vector: FloatArray = self.q[row] * np.float32(self.s[row])  # (75,) float32
        return vector


@cache
def _load() -> _Table:
    with np.load(_FILE, allow_pickle=False) as file:
        words = file["w"].tobytes().decode("utf-8").split("\n")
        return _Table({word: row for row, word in enumerate(words)}, file["q"], file["s"])

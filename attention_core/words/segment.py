"""A sentence becomes words."""

from __future__ import annotations

import functools
import threading
from itertools import accumulate

from attention_core.errors import InputError
from attention_core.words.clean import clean
from attention_core.words.dictionary import load_tokenizer
from attention_core.words.graphemes import graphemes
from attention_core.words.limits import check_characters, check_words
from attention_core.words.regroup import regroup
from attention_core.words.simplified import simplified
from attention_core.words.whole import runs
from attention_core.words.word import Word

_FIRST_EAST_ASIAN = "\u2e80"


class Segmenter:
    """Cuts sentences with a tokenizer of its own. It never changes after __init__, so threads may share it."""

    def __init__(self) -> None:
        self._tokenizer = load_tokenizer()
        # Words such as T恤, which the search for Latin words would tear apart.
        self._mixed = tuple(
            sorted(word for word, frequency in self._tokenizer.FREQ.items() if frequency and _mixes_scripts(word))
        )

    def cut(self, sentence: str) -> tuple[Word, ...]:
        """The words of `sentence`; white space always ends a word. Raises InputError (see `segment`)."""
        check_characters(sentence)
        text = clean(sentence)
        if not text:
            raise InputError("empty")
        check_characters(text)  # NFC makes some characters longer
        words = tuple(
            Word(word, space_before=chunk_index > 0 and word_index == 0)
            for chunk_index, chunk in enumerate(text.split(" "))
            for word_index, word in enumerate(self._cut_chunk(chunk))
        )
        check_words(words)
        return words

    def _cut_chunk(self, chunk: str) -> list[str]:
        parts: list[str] = []
        for part, is_han in runs(simplified(chunk), self._mixed):
            parts += regroup(self._tokenizer.cut(part, HMM=False)) if is_han else [part]
        # The parts tell where to cut the typed text; never inside a grapheme.
        edges = set(accumulate(len(grapheme) for grapheme in graphemes(chunk)))
        ends = [end for end in accumulate(len(part) for part in parts) if end in edges]
        return [chunk[start:end] for start, end in zip([0, *ends], ends, strict=False)]


def _mixes_scripts(word: str) -> bool:
    """Latin at one end, Han at the other: enough for every entry, and quick over 150,000 of them."""
    return (word[0] < _FIRST_EAST_ASIAN) != (word[-1] < _FIRST_EAST_ASIAN)


_loading = threading.Lock()
_load = functools.cache(Segmenter)


def segmenter() -> Segmenter:
    """The segmenter of this process, built at the first call (about 0.3 s); later calls return the same one."""
    with _loading:  # functools.cache alone would let two first visitors load two dictionaries
        return _load()


def segment(sentence: str) -> tuple[Word, ...]:
    """The words of a typed sentence.

    Raises InputError: "too_many_characters" (before any other work), "empty" where nothing visible is left, and
    "too_many_words".
    """
    check_characters(sentence)  # also before the dictionary is loaded
    return segmenter().cut(sentence)

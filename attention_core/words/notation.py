r"""Words in one line of text, as a link or a file keeps them: 我/昨天/去.

A slash stands between two words, a space at the start of a word says that white space stood before it, and a slash or
backslash that belongs to a word is written \/ or \\.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from attention_core.errors import InputError
from attention_core.words.clean import clean
from attention_core.words.graphemes import graphemes
from attention_core.words.limits import check_characters, check_words
from attention_core.words.word import Word

_ESCAPED = re.compile(r"\\([/\\])")
_SEPARATOR_OR_ESCAPED = re.compile(r"/|\\[/\\]")


def format_words(words: Iterable[Word]) -> str:
    """The notation of `words`; parse_words gives them back."""
    return "/".join(" " * word.space_before + re.sub(r"[/\\]", r"\\\g<0>", word.text) for word in words)


def parse_words(text: str) -> tuple[Word, ...]:
    """The words written in `text`, cleaned like a typed sentence.

    White space inside a word cuts it, a slash inside a grapheme does not. A backslash before any other character is
    itself. The limit on characters counts neither separators nor escapes.
    Raises InputError: "too_many_characters", "empty" (no word at all), "empty_word" (position from 1) and
    "too_many_words".
    """
    written = _split(text)
    check_characters("".join(written))
    cleaned = [clean(word) for word in written]
    if not any(cleaned):
        raise InputError("empty") if len(cleaned) == 1 else InputError("empty_word", position=1)
    words: list[Word] = []
    space_before = False
    for position, (raw, word) in enumerate(zip(written, cleaned, strict=True), start=1):
        if not word:
            raise InputError("empty_word", position=position)
        space_before |= clean("." + raw).startswith(". ")  # white space at the start, whatever invisible precedes it
        for part in word.split(" "):
            _append(words, Word(part, space_before=space_before and bool(words)))
            space_before = True
        space_before = clean(raw + ".").endswith(" .")
    check_characters("".join(word.text for word in words))
    check_words(words)
    return tuple(words)


def _split(text: str) -> list[str]:
    """The words between the slashes, with their escapes undone."""
    parts, start = [], 0
    for match in _SEPARATOR_OR_ESCAPED.finditer(text):
        if match.group() == "/":
            parts.append(text[start : match.start()])
            start = match.end()
    return [_ESCAPED.sub(r"\1", part) for part in [*parts, text[start:]]]


def _append(words: list[Word], word: Word) -> None:
    """Add `word`, or join it to the word before where the two meet inside a grapheme (🇨/🇳)."""
    if words and not word.space_before:
        before = words[-1]
        joined = clean(before.text + word.text)
        if len(graphemes(joined)) < len(graphemes(before.text)) + len(graphemes(word.text)):
            words[-1] = Word(joined, before.space_before)
            return
    words.append(word)

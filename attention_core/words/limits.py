"""How much text fits: small enough that every picture stays readable and every answer comes at once."""

from __future__ import annotations

from collections.abc import Sequence

from attention_core.errors import InputError
from attention_core.words.word import Word

MAX_CHARACTERS = 200
MAX_WORDS = 64
MAX_PIECES = 128


def check_characters(sentence: str) -> None:
    """Refuse a sentence of more than MAX_CHARACTERS code points, counted as typed.

    Call it before any other work: cutting is quadratic in a run of rare characters.
    Raises InputError("too_many_characters").
    """
    if len(sentence) > MAX_CHARACTERS:
        raise InputError("too_many_characters", limit=MAX_CHARACTERS, count=len(sentence))


def check_words(words: Sequence[Word]) -> None:
    """Refuse more than MAX_WORDS words. Raises InputError("too_many_words")."""
    if len(words) > MAX_WORDS:
        raise InputError("too_many_words", limit=MAX_WORDS, count=len(words))

"""A word as the lesson sees it: one node of every picture."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True)
class Word:
    """One word of a sentence.

    text: the characters as shown, never empty, no white space inside or around it.
    space_before: True where the person typed white space before this word (the model's pieces depend on it).
    """

    text: str
    space_before: bool = False


def join_words(words: Iterable[Word]) -> str:
    """The sentence again: the words with one space where white space stood."""
    return "".join(" " * word.space_before + word.text for word in words)

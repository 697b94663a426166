"""What several commands read from their arguments."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, TypeAlias

from attention_core.errors import InputError
from attention_core.words.word import Word

if TYPE_CHECKING:
    Commands: TypeAlias = argparse._SubParsersAction[argparse.ArgumentParser]


class UsageError(Exception):
    """Arguments that cannot be used; the text is the line that the person reads."""


def add_sentence(parser: argparse.ArgumentParser) -> None:
    """SENTENCE or --words: what `words` reads."""
    parser.add_argument("sentence", metavar="SENTENCE", nargs="?", help="the sentence; it is cut into words")
    parser.add_argument("--words", metavar="A/B/C", help="the words, already cut: 我/昨天/去/超市")


def words(options: argparse.Namespace) -> tuple[Word, ...]:
    """The words of the sentence. UsageError: none or two are given, or it is no text; InputError as in `segment`."""
    if (options.sentence is None) == (options.words is None):
        raise UsageError("give either a SENTENCE or --words, exactly one of them")
    text: str = options.words if options.sentence is None else options.sentence
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:  # bytes of the shell that are no text
        raise UsageError("the text is not valid UTF-8") from None
    from attention_core.words import parse_words, segment  # the dictionary is read only when there is text to cut

    return parse_words(text) if options.sentence is None else segment(text)


def in_range(name: str, value: int | None, default: int, high: int) -> int:
    """`value`, or the default where none is given. InputError: it is not in 1 to `high`."""
    value = default if value is None else value
    if not 1 <= value <= high:
        if high == 1:
            raise InputError("only_value", name=name, low=1, value=value)
        raise InputError("out_of_range", name=name, low=1, high=high, value=value)
    return value

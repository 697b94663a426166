"""A sentence with one word taken away, replaced or moved. Places count from 0; each returns a new sentence.

White space belongs to the place, not to the word: a place that stood after a space does so in the new sentence too.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from attention_core.errors import InputError
from attention_core.words.clean import clean
from attention_core.words.limits import check_characters, check_words
from attention_core.words.word import Word


def without(words: Sequence[Word], place: int) -> tuple[Word, ...]:
    """InputError "empty": it is the only word; IndexError: no such word."""
    _check(words, place)
    if len(words) == 1:
        raise InputError("empty")
    kept = (*words[:place], *words[place + 1 :])
    return (replace(kept[0], space_before=False), *kept[1:])


def replaced(words: Sequence[Word], place: int, text: str) -> tuple[Word, ...]:
    """`text` as typed; white space in it cuts it into several words.

    InputError: "empty", "too_many_characters", "too_many_words"; IndexError: no such word.
    """
    _check(words, place)
    check_characters(text)
    typed = clean(text)
    if not typed:
        raise InputError("empty")
    first, *others = typed.split(" ")
    put = (replace(words[place], text=first), *(Word(other, space_before=True) for other in others))
    changed = (*words[:place], *put, *words[place + 1 :])
    check_characters("".join(word.text for word in changed))
    check_words(changed)
    return changed


def moved(words: Sequence[Word], place: int, to: int) -> tuple[Word, ...]:
    """The word at `place` stands at `to` afterwards. IndexError: no such word."""
    _check(words, place)
    _check(words, to)
    texts = [word.text for word in words]
    texts.insert(to, texts.pop(place))
    return tuple(replace(word, text=text) for word, text in zip(words, texts, strict=True))


def _check(words: Sequence[Word], place: int) -> None:
    if not 0 <= place < len(words):
        raise IndexError(f"word {place} does not exist: there are {len(words)}, counted from 0")

"""Boundaries that a person sets: where the words end, counted in graphemes.

A boundary is the number of graphemes before it, white space not counted: in "我 昨天去" boundary 3 stands after 天.
Nothing can be cut inside a grapheme, so 👨‍👩‍👧 and é never fall apart. White space always cuts, set or not, because a
word holds none.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import accumulate

from attention_core.errors import InputError
from attention_core.words.clean import clean
from attention_core.words.graphemes import graphemes
from attention_core.words.limits import check_characters, check_words
from attention_core.words.word import Word


def boundaries(words: Sequence[Word]) -> tuple[int, ...]:
    """Where `words` are cut; the start and the end of the sentence are not in the list."""
    return tuple(accumulate(len(graphemes(word.text)) for word in words))[:-1]


def cut_at(sentence: str, boundaries: Iterable[int]) -> tuple[Word, ...]:
    """The words of `sentence` cut at `boundaries` (in any order, repeats allowed) and at its white space.

    cut_at(sentence, boundaries(segment(sentence))) == segment(sentence).
    Raises InputError: "bad_boundary" where a position is not inside the sentence, and the limits and "empty" as in
    `segment`.
    """
    check_characters(sentence)
    text = clean(sentence)
    if not text:
        raise InputError("empty")
    check_characters(text)
    # Graphemes per chunk: a mark after a space stays a character of its own.
    chunks = [graphemes(chunk) for chunk in text.split(" ")]
    after_space = set(accumulate(len(chunk) for chunk in chunks))
    characters = [grapheme for chunk in chunks for grapheme in chunk]
    cuts = set(after_space)
    for position in boundaries:
        if not 0 < position < len(characters):
            raise InputError("bad_boundary", position=position)
        cuts.add(position)
    ends = sorted(cuts)
    words = tuple(
        Word("".join(characters[start:end]), space_before=start in after_space)
        for start, end in zip([0, *ends], ends, strict=False)
    )
    check_words(words)
    return words

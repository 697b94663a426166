"""The Chinese side: each word is one piece where the model knows the word, else its characters one by one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from attention_core.words.simplified import simplified
from attention_core.words.word import Word, join_words

UNKNOWN = "<unk>"

# Two forms of one mark are one thing to the model: what follows is read as its full-width form.
_MARKS = str.maketrans(",?!:;()．", "，？！：；（）。")


def read_as(words: Sequence[Word]) -> list[str]:
    """The words as the model reads them: simplified, marks full-width, Latin letters small. As many as came in."""
    sentence = join_words(words)
    plain = simplified(sentence).translate(_MARKS)  # the same length, so the words can be found again
    forms: list[str] = []
    end = 0
    for word in words:
        start = end + word.space_before
        end = start + len(word.text)
        form = plain[start:end].lower()
        forms.append("。" if form == "." else form)
    return forms


def source_pieces(words: Sequence[Word], ids: Mapping[str, int]) -> list[list[str]]:
    """The pieces of every word: [word] where it is in the vocabulary `ids`, else its characters.

    A character that the vocabulary lacks stays in the list as it is; its id is that of `<unk>`.
    """
    return [[form] if form in ids else list(form) for form in read_as(words)]

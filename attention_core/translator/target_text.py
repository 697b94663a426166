"""The English side: text to pieces and back, and which pieces make up a word.

A piece that follows a space begins with the mark `▁`, so the pieces joined give the text again. Marks and endings such
as 's are split off before byte-pair encoding: nothing is ever glued to the full stop.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import accumulate

from attention_core.translator.bpe import Pair, apply_merges
from attention_core.words.pieces import SPACE_MARK

START, END, UNKNOWN = "<s>", "</s>", "<unk>"

_ENDING = r"'(?:s|m|re|ve|ll|d)\b"
# A word may hold ' and - (don't, well-known), but not end with them.
_TOKEN = re.compile(rf"{SPACE_MARK}?(?:{_ENDING}|[^\W_]+(?:(?!{_ENDING})['-][^\W_]+)*|.)")
_CURLY = str.maketrans({"’": "'", "‘": "'", "“": '"', "”": '"', "…": "...", "–": "-", "—": "-"})


def marked(text: str) -> str:
    """`text` with plain quotation marks, and `▁` where a word begins after white space or at the start."""
    return "".join(SPACE_MARK + part for part in text.translate(_CURLY).split())


def tokens(text: str) -> list[str]:
    """Words, endings and marks of `text`, each with `▁` where a space stood before it: the units that BPE cuts."""
    found: list[str] = _TOKEN.findall(marked(text))
    return found


def target_pieces(text: str, ranks: Mapping[Pair, int]) -> list[str]:
    """The pieces of an English text; `plain_text` gives the text again."""
    return [piece for token in tokens(text) for piece in apply_merges(token, ranks)]


def plain_text(pieces: Sequence[str]) -> str:
    """The text that the pieces spell."""
    return "".join(pieces).replace(SPACE_MARK, " ").strip(" ")


def word_spans(pieces: Sequence[str]) -> list[tuple[int, int]]:
    """Which pieces make up each word of the text: (first, one past the last), in order; every piece is in one word.

    An ending stays with its word (I'm, Tom's). A piece that begins inside a word belongs to it.
    """
    text = "".join(pieces)
    starts = {match.start() for match in _TOKEN.finditer(text) if not re.fullmatch(_ENDING, match.group())}
    begins = [0, *accumulate(len(piece) for piece in pieces)][:-1]
    firsts = [index for index, begin in enumerate(begins) if begin in starts or index == 0]
    return list(zip(firsts, [*firsts[1:], len(pieces)], strict=True)) if pieces else []

"""Model pieces of a word: the unigram model of SentencePiece, run inside each word.

A piece is a character string the model has a vector for: `昨天`, `▁cat`, `.`. The mark `▁` stands for
a space before the word. Among all ways to cut a word into pieces the unigram model takes the one with
the highest sum of scores (log probabilities), found by the Viterbi algorithm
(Kudo 2018, "Subword Regularization", section 3.2; Kudo & Richardson 2018, "SentencePiece").

The packaged model runs it over a whole text. Here it runs inside each word, so that every piece belongs to
exactly one word of the lesson.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from attention_core.errors import InputError
from attention_core.words.limits import MAX_PIECES
from attention_core.words.word import Word

SPACE_MARK = "▁"
START, END, UNKNOWN = "<s>", "</s>", "<unk>"
SPECIAL_IDS = {START: 0, "<pad>": 1, END: 2, UNKNOWN: 3, "<mask>": 250001}


@dataclass(frozen=True, eq=False)
class PieceVocabulary:
    """What the model knows about text.

    scores         piece -> log probability. Special tokens are not in it: they score 0 and would always win.
    ids            piece or special token -> its row in the model's full vocabulary
    normaliser     code point -> what the model reads instead (full-width ？ -> ?, zero-width space -> a space)
    unknown_score  score of a single character that is no piece
    longest        length of the longest piece, in characters
    """

    scores: Mapping[str, float]
    ids: Mapping[str, int]
    normaliser: Mapping[int, str]
    unknown_score: float
    longest: int


def normalise(text: str, normaliser: Mapping[int, str]) -> str:
    """The characters the model reads for `text`: NFC, then the table, then runs of spaces become one inner `▁`.

    Spaces at both ends go, so a word of nothing but zero-width characters becomes "".
    """
    replaced = unicodedata.normalize("NFC", text).translate(normaliser)
    return SPACE_MARK.join(part for part in replaced.split(" ") if part)


def best_pieces(text: str, vocabulary: PieceVocabulary) -> list[str]:
    """The cut of `text` (already normalised) with the highest total score, by the Viterbi algorithm.

    best[end] is the score of the best cut of text[:end], cut_from[end] where its last piece starts. Only pieces
    up to the longest one are tried, so the time grows with len(text) * longest. A character that is no piece
    comes back as `<unk>`; neighbouring unknown characters stay apart.
    """
    scores, longest = vocabulary.scores, vocabulary.longest
    n_characters = len(text)
    best = [0.0] + [float("-inf")] * n_characters
    cut_from = [0] * (n_characters + 1)
    for start in range(n_characters):
        for end in range(start + 1, min(start + longest, n_characters) + 1):
            score = scores.get(text[start:end])
            if score is None:
                if end > start + 1:
                    continue
                score = vocabulary.unknown_score
            if best[start] + score > best[end]:
                best[end] = best[start] + score
                cut_from[end] = start

    pieces = []
    end = n_characters
    while end > 0:
        piece = text[cut_from[end] : end]
        pieces.append(piece if piece in scores else UNKNOWN)
        end = cut_from[end]
    return pieces[::-1]


def split_word(word: Word, vocabulary: PieceVocabulary, *, first: bool, position: int = 1) -> list[str]:
    """The pieces of one word, at least one.

    `▁` goes before the first word of a sentence and before a word that follows a space, and nowhere else.
    Raises InputError("empty_word", position) when nothing of the word is left after normalising.
    """
    text = normalise(word.text, vocabulary.normaliser)
    if not text:
        raise InputError("empty_word", position=position)
    mark = SPACE_MARK if first or word.space_before else ""
    return best_pieces(mark + text, vocabulary)


def split_words(words: Sequence[Word], vocabulary: PieceVocabulary) -> list[list[str]]:
    """The pieces of every word, without `<s>` and `</s>`.

    Raises InputError: "empty" without words, "empty_word" (position counted from 1), "too_many_pieces"
    (limit, count) over MAX_PIECES.
    """
    if not words:
        raise InputError("empty")
    pieces = [
        split_word(word, vocabulary, first=number == 1, position=number) for number, word in enumerate(words, start=1)
    ]
    count = sum(len(of_word) for of_word in pieces)
    if count > MAX_PIECES:
        raise InputError("too_many_pieces", limit=MAX_PIECES, count=count)
    return pieces

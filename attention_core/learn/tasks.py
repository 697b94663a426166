"""What there is to learn: sentences with their right answers, drawn from a seed. And a sentence that a person typed."""

from __future__ import annotations

import functools
import itertools
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from attention_core.errors import InputError
from attention_core.learn.vocabulary import DE, GAP, SLOT, Vocabulary, load_vocabulary
from attention_core.sources.draw import uniform
from attention_core.trace import ReadOnlyArrays

IntArray: TypeAlias = NDArray[np.intp]

NO_ANSWER = -1  # a place that nobody is asked about
MOST_WORDS = 16  # of a typed sentence; training sentences are shorter
MOST_CHARACTERS = 60
_COPY_LENGTHS = (6, 13)  # words of a sentence to copy: from, below
_ADJECTIVES = (0, 1, 2)
_ADJECTIVE_1, _ADJECTIVE_2, _NOUN = -1, -2, -3  # places of a template that are filled later


@dataclass(frozen=True, eq=False)
class Batch(ReadOnlyArrays):
    """Sentences of one training step, or of all steps.

    ids      (..., n) the words' places in the vocabulary; 0 = no word, behind a shorter sentence
    answers  (..., n) the right answer's place among the task's answers, or NO_ANSWER
    """

    ids: IntArray
    answers: IntArray


@dataclass(frozen=True)
class Typed:
    """A sentence with one gap. words: as in the vocabulary; gap: the place of [?]; answer: place of the right answer.

    deciding: the place of the word that decides, the noun (or in the task "copy" the word before the gap).
    """

    words: tuple[str, ...]
    gap: int
    answer: int
    deciding: int


def answers_of(task: str) -> tuple[str, ...]:
    """What can be answered: the measure words, or in the task "copy" any word."""
    vocabulary = load_vocabulary()
    return vocabulary.words[1:] if task == "copy" else vocabulary.measures


def draw_sentences(task: str, shape: tuple[int, ...], seed: int, name: str, *, held_out: bool = False) -> Batch:
    """Sentences of a task, `shape` of them, e.g. (n_steps, batch). They depend on the seed and the name only.

    held_out: with the nouns that are never taught, instead of the taught ones (not for "copy").
    """
    if task == "copy":
        return _copy_sentences(shape, seed, name)
    vocabulary = load_vocabulary()
    nouns = vocabulary.held_out if held_out else vocabulary.nouns
    templates, gaps = _templates()

    def pick(n: int, what: str) -> IntArray:
        return (uniform(shape, seed, name, what) * n).astype(np.intp)

    template, noun = pick(len(templates), "template"), pick(len(nouns), "noun")
    first = pick(len(vocabulary.adjectives), "adjective")
    second = (first + 1 + pick(len(vocabulary.adjectives) - 1, "other")) % len(vocabulary.adjectives)  # another one
    ids = templates[template]  # (..., n), a copy
    for place, words, drawn in (
        (_ADJECTIVE_1, vocabulary.adjectives, first),
        (_ADJECTIVE_2, vocabulary.adjectives, second),
        (_NOUN, nouns, noun),
    ):
        ids = np.where(ids == place, np.array(vocabulary.ids(words))[drawn][..., None], ids)
    right = _measure_ids(vocabulary, nouns)[noun]
    if task == "shuffled":
        right = pick(len(vocabulary.measures), "lot")
    answers = np.full(ids.shape, NO_ANSWER)
    np.put_along_axis(answers, gaps[template][..., None], right[..., None], axis=-1)
    return Batch(ids, answers)


def _copy_sentences(shape: tuple[int, ...], seed: int, name: str) -> Batch:
    """Any words in any order, so that nothing but the place tells which one stood before; one of them is the gap."""
    low, high = _COPY_LENGTHS
    n_words, n = len(load_vocabulary().words), high - 1
    length = low + (uniform(shape, seed, name, "length") * (high - low)).astype(np.intp)
    ids = 2 + (uniform((*shape, n), seed, name, "words") * (n_words - 2)).astype(np.intp)  # neither PAD nor GAP
    gap = 1 + (uniform(shape, seed, name, "gap") * (length - 1)).astype(np.intp)
    np.put_along_axis(ids, gap[..., None], 1, axis=-1)
    inside = np.arange(n) < length[..., None]  # (..., n)
    ids = np.where(inside, ids, 0)
    before = np.roll(ids, 1, axis=-1) - 1  # the answers leave out PAD
    answers = np.where(inside & (np.arange(n) > 0), before, NO_ANSWER)
    return Batch(ids, answers)


@functools.cache
def _templates() -> tuple[IntArray, IntArray]:
    """Every frame with 0, 1 and 2 adjectives, as ids with places to fill, and where the gap is."""
    vocabulary = load_vocabulary()
    de, filled = vocabulary.ids((DE,))[0], []
    for frame, count in itertools.product(vocabulary.frames, _ADJECTIVES):
        inside = [part for place in (_ADJECTIVE_1, _ADJECTIVE_2)[:count] for part in (place, de)] + [_NOUN]
        at = frame.index(SLOT)
        filled.append([*vocabulary.ids(frame[:at]), *inside, *vocabulary.ids(frame[at + 1 :])])
    longest = max(map(len, filled))
    templates = np.array([ids + [0] * (longest - len(ids)) for ids in filled])
    return templates, np.argmax(templates == vocabulary.ids((GAP,))[0], axis=1)


def _measure_ids(vocabulary: Vocabulary, nouns: tuple[str, ...]) -> IntArray:
    return np.array([vocabulary.measures.index(vocabulary.measure_of[noun]) for noun in nouns])


def read_sentence(text: str, task: str) -> Typed:
    """A typed sentence cut into words of the vocabulary, with its right answer.

    Of all ways to cut it the one with the fewest unknown characters counts, then the one with the fewest words; white
    space and punctuation part words and are left out. In the task "copy" the answer is the word before the gap, else
    the measure word of the first noun behind it (in "shuffled", too: there is no other right one).

    InputError: nothing typed, too long, unknown words (named), not exactly one [?], no noun behind it, or nothing
    before it.
    """
    if not text.strip():
        raise InputError("empty")
    if len(text) > MOST_CHARACTERS:
        raise InputError("too_many_characters", limit=MOST_CHARACTERS, count=len(text))
    for written in ("【？】", "［？］", "[？]", "［?］", "【?】"):
        text = text.replace(written, GAP)
    vocabulary = load_vocabulary()
    words, unknown = _cut(text, vocabulary)
    if unknown:
        raise InputError("unknown_words", words="、".join(dict.fromkeys(unknown)))
    if words.count(GAP) != 1:
        raise InputError("one_gap", count=words.count(GAP))
    if len(words) > MOST_WORDS:
        raise InputError("too_many_words", limit=MOST_WORDS, count=len(words))
    gap = words.index(GAP)
    if task == "copy":
        if gap == 0:
            raise InputError("nothing_before")
        return Typed(words, gap, answers_of(task).index(words[gap - 1]), gap - 1)
    nouns = [place for place, word in enumerate(words) if word in vocabulary.measure_of and place > gap]
    if not nouns:
        raise InputError("no_noun")
    return Typed(words, gap, vocabulary.measures.index(vocabulary.measure_of[words[nouns[0]]]), nouns[0])


def _cut(text: str, vocabulary: Vocabulary) -> tuple[tuple[str, ...], list[str]]:
    """The words, and what is no word. best[end]: unknown characters, parts, where the last part began."""
    known = {word for word in vocabulary.words if word}
    longest = max(map(len, known))
    best: list[tuple[int, int, int]] = [(0, 0, 0)]
    for end in range(1, len(text) + 1):
        unknown, count, _ = best[end - 1]
        options = [(unknown + text[end - 1].isalnum(), count + 1, end - 1)]
        for start in range(max(0, end - longest), end):
            if text[start:end] in known:
                options.append((best[start][0], best[start][1] + 1, start))
        best.append(min(options))
    words: list[str] = []
    unknown_at: list[int] = []
    end = len(text)
    while end:
        start = best[end][2]
        if text[start:end] in known:
            words.append(text[start:end])
        elif best[end][0] > best[start][0]:
            unknown_at.append(start)
        end = start
    return tuple(reversed(words)), _stretches(text, sorted(unknown_at))


def _stretches(text: str, places: list[int]) -> list[str]:
    """Characters that stand side by side, together."""
    grouped: list[str] = []
    for i, place in enumerate(places):
        if i and places[i - 1] == place - 1:
            grouped[-1] += text[place]
        else:
            grouped.append(text[place])
    return grouped

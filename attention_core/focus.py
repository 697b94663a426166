"""Which words attention goes to: how much each one receives from the others, content words against function words."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Literal, TypeAlias

import numpy as np

from attention_core.trace import FloatArray
from attention_core.words.dictionary import read_list
from attention_core.words.simplified import simplified
from attention_core.words.word import Word

Kind: TypeAlias = Literal["content", "function", "mark"]


def kind(word: Word) -> Kind:
    """What sort of word it is, by data/function_words.txt and without its sentence: a list cannot know more.

    "mark": a punctuation mark, nothing in it is a letter or a digit.
    """
    if not any(character.isalnum() for character in word.text):
        return "mark"
    return "function" if simplified(word.text).lower() in _function_words() else "content"


def received(attn_weights: FloatArray) -> FloatArray:
    """How much each word receives from another word, on average over the heads and over the other words.

    attn_weights: (n_layers, n_heads, n, n) between words, special tokens left out. A word's weight on itself does not
    count. Returns (n_layers, n). ValueError: fewer than two words.
    """
    n = attn_weights.shape[-1]
    if n < 2:
        raise ValueError("a single word receives nothing from others")
    of_heads = attn_weights.mean(axis=1, dtype=np.float64)  # (n_layers, n, n)
    others: FloatArray = of_heads.sum(axis=-2) - np.diagonal(of_heads, axis1=-2, axis2=-1)  # (n_layers, n)
    mean: FloatArray = others / (n - 1)
    return mean


def mean_of(received: FloatArray, kinds: Sequence[Kind], which: Kind) -> FloatArray:
    """What a word of one kind receives on average. received: (n_layers, n). Returns (n_layers,); NaN: there is none."""
    chosen = received[:, [at for at, one in enumerate(kinds) if one == which]]
    return chosen.mean(axis=-1) if chosen.shape[1] else np.full(len(received), np.nan)


def exceptions(received: FloatArray, kinds: Sequence[Kind]) -> tuple[int, ...]:
    """The words that do not do what their kind does, from 0: over all layers, a function word that receives more than
    the average content word, or a content word that receives less than the average function word.

    received: (n_layers, n).
    """
    mean = received.mean(axis=0)  # (n,)
    content, function = (float(mean_of(received, kinds, which).mean()) for which in ("content", "function"))
    return tuple(
        at
        for at, one in enumerate(kinds)
        if (one == "function" and mean[at] > content) or (one == "content" and mean[at] < function)
    )


@cache
def _function_words() -> frozenset[str]:
    return frozenset(read_list("function_words.txt"))

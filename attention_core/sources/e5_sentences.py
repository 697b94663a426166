"""One vector for a whole text, as the real model was trained to make them: for searching, not for looking inside.

E5 reads a request behind the prefix "query: " and a text that may answer it behind "passage: ". The vector is the mean
of the last layer over all positions, special tokens included, brought to length 1 (Wang et al. 2022, "Text Embeddings
by Weakly-Supervised Contrastive Pre-training"; Wang et al. 2024, "Multilingual E5 Text Embeddings"). The dot product
of two such vectors is their cosine.

Here the model reads the text as it was trained to, uncut: the only words are the stretches between spaces.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from attention_core.errors import InputError
from attention_core.sources.e5 import Model, load_model
from attention_core.sources.e5_forward import Change, forward
from attention_core.trace import FloatArray
from attention_core.words.clean import clean
from attention_core.words.limits import check_characters
from attention_core.words.pieces import END, START, split_words
from attention_core.words.word import Word

Kind: TypeAlias = Literal["query", "passage"]
POSITIONS_AT_ONCE = 160  # of all texts of one pass: beyond it reading the weights once saves nothing more


def prefixed(text: str, kind: Kind) -> tuple[Word, ...]:
    """The text behind its prefix, one "word" for each stretch between spaces.

    A piece never holds a space inside, so these words have the pieces that the whole text has. InputError: "empty",
    "too_many_characters".
    """
    check_characters(text)
    content = clean(text)
    if not content:
        raise InputError("empty")
    return (Word(f"{kind}:"), *(Word(stretch, space_before=True) for stretch in content.split(" ")))


def pieces_of(text: str, kind: Kind) -> tuple[str, ...]:
    """The model's pieces of a text with its prefix, `<s>` and `</s>` around them.

    InputError: "empty", also where the model reads nothing at all, "too_many_characters", "too_many_pieces".
    """
    try:
        of_words = split_words(prefixed(text, kind), load_model().weights.vocabulary)
    except InputError as error:
        raise InputError("empty") if error.key == "empty_word" else error from None
    return (START, *(piece for of_word in of_words for piece in of_word), END)


def sentence_vectors(texts: Sequence[str], kind: Kind, change: Change | None = None) -> FloatArray:
    """The texts' vectors of length 1: (n_texts, d_model), float32. InputError as in `pieces_of`.

    change: as in `forward`, for what the vectors would be if some heads were off.
    """
    model = load_model()
    ids = [
        np.array([model.weights.vocabulary.ids[piece] for piece in pieces_of(text, kind)], dtype=np.int32)
        for text in texts
    ]
    vectors = np.empty((len(texts), model.d_model), dtype=np.float32)
    for start, stop in _passes([len(of_text) for of_text in ids]):
        vectors[start:stop] = _together(model, ids[start:stop], change)
    return vectors


def _passes(lengths: Sequence[int]) -> list[tuple[int, int]]:
    """First and one past the last text of each pass; a text longer than a pass goes alone."""
    passes: list[tuple[int, int]] = []
    start = held = 0
    for at, length in enumerate(lengths):
        if at > start and held + length > POSITIONS_AT_ONCE:
            passes.append((start, at))
            start, held = at, 0
        held += length
    return [*passes, (start, len(lengths))] if lengths else []


def _together(model: Model, ids: Sequence[NDArray[np.int32]], change: Change | None) -> FloatArray:
    """Several texts in one pass, side by side; a mask keeps each one's positions to itself."""
    owner = np.repeat(np.arange(len(ids)), [len(of_text) for of_text in ids])  # (n,): whose position it is
    mask = owner[:, None] == owner  # (n, n)
    x = np.concatenate([model.embedding(of_text).normed for of_text in ids])  # (n, d_model)
    hidden, _ = forward(x, model.weights.layers, model.n_heads, model.weights.eps, change=change, mask=mask)
    means = np.stack([hidden[-1, owner == text].mean(axis=0) for text in range(len(ids))])  # (n_texts, d_model)
    vectors: FloatArray = means / np.linalg.norm(means, axis=1, keepdims=True)
    return vectors

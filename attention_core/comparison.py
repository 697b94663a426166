"""Two sentences side by side: which word answers to which, and how far apart what they look at is."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import SequenceMatcher

import numpy as np
from numpy.typing import ArrayLike

from attention_core.contributions import cosines
from attention_core.trace import FloatArray

MOST_REPLACED = 2  # words between the same neighbours that answer to each other though they differ
Pairs = tuple[tuple[int, int], ...]


def match_words(a: Sequence[str], b: Sequence[str]) -> Pairs:
    """Which word of `a` answers to which word of `b`: pairs of places, from 0, in the order of `a`.

    Equal words answer to each other: first the long runs in the same order (Ratcliff and Metzener 1988), then the words
    that moved (把 and 被 turn their sentence round). Of the rest, one or two words between the same neighbours do too:
    饱 and 凉 in two sentences that differ in nothing else. Other words answer to none: longer stretches that differ
    have only their length in common.
    """
    operations = SequenceMatcher(None, list(a), list(b), autojunk=False).get_opcodes()
    pairs: dict[int, int] = {}
    for what, start, stop, other, _ in operations:
        if what == "equal":
            pairs |= zip(range(start, stop), range(other, other + stop - start), strict=True)
    free = [place for place in range(len(b)) if place not in pairs.values()]
    for place, word in enumerate(a):
        same = [other for other in free if b[other] == word] if place not in pairs else []
        if same:
            pairs[place] = same[0]
            free.remove(same[0])
    for what, start, stop, other, other_stop in operations:
        left = [place for place in range(start, stop) if place not in pairs]
        right = [place for place in range(other, other_stop) if place not in pairs.values()]
        if what == "replace" and len(left) == len(right) <= MOST_REPLACED:
            pairs |= zip(left, right, strict=True)
    return tuple(sorted(pairs.items()))


def differences(a: ArrayLike, b: ArrayLike, pairs: Pairs) -> FloatArray:
    """b - a where rows and columns answer to each other. a: (..., n_a, n_a), b: (..., n_b, n_b).

    Returns (..., len(pairs), len(pairs)): above 0 where the second sentence looks more.
    """
    of_a, of_b = (np.array(places, dtype=int) for places in ([p[0] for p in pairs], [p[1] for p in pairs]))
    x, y = np.asarray(a, dtype=np.float64), np.asarray(b, dtype=np.float64)
    return y[..., of_b[:, None], of_b] - x[..., of_a[:, None], of_a]


def row_change(
    a: ArrayLike, b: ArrayLike, special_a: ArrayLike, special_b: ArrayLike, pair: tuple[int, int], pairs: Pairs
) -> FloatArray:
    """How far apart the rows of two words are: half the sum of |b - a| over all keys (the total variation distance).

    a: (..., n_a, n_a), special_a: (..., n_a, n_special), and so for b; pair: the two rows. A key that answers to none
    exists in one sentence only. Returns (...), from 0 (the same row) to 1 (no key in common).
    """
    rows = [np.asarray(w, dtype=np.float64)[..., row, :] for w, row in ((a, pair[0]), (b, pair[1]))]
    special = [np.asarray(s, dtype=np.float64)[..., row, :] for s, row in ((special_a, pair[0]), (special_b, pair[1]))]
    of_a, of_b = (np.array(places, dtype=int) for places in ([p[0] for p in pairs], [p[1] for p in pairs]))
    shared = np.abs(rows[1][..., of_b] - rows[0][..., of_a]).sum(axis=-1)  # (...)
    alone = sum(
        np.delete(row, places, axis=-1).sum(axis=-1) for row, places in zip(rows, (of_a, of_b), strict=True)
    )  # (...)
    specials = np.abs(special[1] - special[0]).sum(axis=-1)  # (...)
    change: FloatArray = (shared + alone + specials) / 2
    return change


def word_vectors(hidden: ArrayLike, span: tuple[int, int]) -> FloatArray:
    """A word's vector at every depth, the mean over its pieces.

    hidden: (n_layers + 1, n, d_model), as in EncoderRun. Returns (n_layers + 1, d_model).
    """
    start, stop = span
    vectors: FloatArray = np.asarray(hidden, dtype=np.float64)[:, start:stop].mean(axis=1)
    return vectors


def cosine_per_layer(a: ArrayLike, b: ArrayLike) -> FloatArray:
    """How alike two words are at every depth, from their `word_vectors`: (n_layers + 1,)."""
    return cosines(a, b)

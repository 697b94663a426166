"""One head's weights as JSON holds them: on the command line, and in the file that a page gives away."""

from __future__ import annotations

from collections.abc import Sequence

from attention_core.trace import FloatArray
from attention_core.words.word import Word

DECIMALS = 6


def json_form(
    words: Sequence[Word],
    pieces: Sequence[str],
    source: str,
    head: tuple[int, int],
    weights: FloatArray,
    special: FloatArray,
) -> dict[str, object]:
    """head: layer and head from 0; JSON counts from 1. weights (n, n) and special (n, n_special) keep 6 decimals.

    A leading space in a word means that a space stood before it.
    """
    layer, number = head
    return {
        "words": [" " * word.space_before + word.text for word in words],
        "pieces": list(pieces),
        "source": source,
        "layer": layer + 1,
        "head": number + 1,
        "weights": rounded(weights),
        "special": rounded(special),
    }


def rounded(weights: FloatArray) -> list[list[float]]:
    """The rows of a matrix, each number with 6 decimals."""
    return [[round(weight, DECIMALS) for weight in row] for row in weights.tolist()]

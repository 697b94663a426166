"""Names of words in pictures: repeated words stay apart by a small number, 我₁ 喜欢 我₂."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

_SUBSCRIPT = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")


def labels(texts: Sequence[str]) -> list[str]:
    """One label per word: the word itself, with its occurrence as a subscript if it stands there more than once."""
    total = Counter(texts)
    seen: Counter[str] = Counter()
    names = []
    for text in texts:
        seen[text] += 1
        names.append(f"{text}{str(seen[text]).translate(_SUBSCRIPT)}" if total[text] > 1 else text)
    return names

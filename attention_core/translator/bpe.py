"""Byte-pair encoding: frequent words stay whole, rare ones fall into parts.

Sennrich, Haddow and Birch 2016, "Neural Machine Translation of Rare Words with Subword Units", section 3.2.

Training starts from characters and merges the most frequent neighbours again and again; the list of merges is the
model. To cut a word, the merges are done in the order in which they were learned.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from itertools import pairwise

Pair = tuple[str, str]


def apply_merges(token: str, ranks: Mapping[Pair, int]) -> list[str]:
    """The pieces of `token`; joined they give it again. ranks: pair -> its place in the list of merges."""
    pieces = list(token)
    while len(pieces) > 1:
        best = min(pairwise(pieces), key=lambda pair: ranks.get(pair, len(ranks)))
        if best not in ranks:
            break
        pieces = merged(pieces, best)
    return pieces


def merged(pieces: Sequence[str], pair: Pair) -> list[str]:
    """`pieces` with every neighbouring `pair`, from the left, made one."""
    result: list[str] = []
    position = 0
    while position < len(pieces):
        if tuple(pieces[position : position + 2]) == pair:
            result.append(pair[0] + pair[1])
            position += 2
        else:
            result.append(pieces[position])
            position += 1
    return result


def learn_merges(tokens: Mapping[str, int], n_pieces: int) -> list[Pair]:
    """The merges that make at most `n_pieces` pieces (characters included) from tokens with their counts.

    Of equally frequent pairs the first in the order of the alphabet is merged. A pair met once is never merged.
    """
    cuts = {token: list(token) for token in tokens}
    counts: Counter[Pair] = Counter()
    found_in: defaultdict[Pair, set[str]] = defaultdict(set)
    for token, pieces in cuts.items():
        for pair in pairwise(pieces):
            counts[pair] += tokens[token]
            found_in[pair].add(token)
    merges: list[Pair] = []
    n_characters = len({character for token in tokens for character in token})
    while n_characters + len(merges) < n_pieces and counts:
        best = min(counts, key=lambda pair: (-counts[pair], pair))
        if counts[best] < 2:
            break
        merges.append(best)
        for token in sorted(found_in.pop(best)):
            for pair in pairwise(cuts[token]):
                counts[pair] -= tokens[token]
            cuts[token] = merged(cuts[token], best)
            for pair in pairwise(cuts[token]):
                counts[pair] += tokens[token]
                found_in[pair].add(token)
        counts = +counts
    return merges

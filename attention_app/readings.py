"""What to say about a picture: the keys of sentences and their numbers, never prose."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from attention_core.attention_map import AttentionMap
from attention_core.measures import ranked

MOST = 0.5  # a share above it is "most"


@dataclass(frozen=True)
class RowReading:
    """A sentence about one row or column. `key` is a text key below `explore.say` or `lines.say`.

    indices  field -> index of a row or column (0-based), or of a special token for the field "token"
    numbers  field -> a weight; between 0 and 1 but for the sum of a column
    """

    key: str
    indices: Mapping[str, int]
    numbers: Mapping[str, float]


def row_reading(picture: AttentionMap, row: int, decimals: int) -> RowReading:
    """Which sentence fits a row of the picture (from 0): its strongest keys and its special tokens.

    A weight that is 0 at this many decimals is not spoken of, and of equal ones none is called the largest.
    """
    weights = picture.weights[row]  # (n,)
    special = picture.special[row]  # (n_special,)
    entries = ranked(weights, special)
    words = [entry for entry in entries if not entry.special]
    first = entries[0]
    if first.weight == 0:
        return RowReading("nothing", {"query": row}, {})

    indices, numbers = {"query": row}, {}
    if first.special and len(words) > 1:
        numbers["token_value"] = first.weight
        numbers["special"] = float(special.sum())
        tied = len(special) > 1 and _same(special[0], special[1], decimals)
        if not tied:
            indices["token"] = first.place
        key = "special_tied" if tied else "special_first"
        if _is_zero(words[0].weight, decimals):
            return RowReading(f"{key}_only", indices, numbers)
        return RowReading(key, {**indices, "key": words[0].place}, {**numbers, "value": words[0].weight})

    indices["key"] = words[0].place
    numbers["value"] = words[0].weight
    plain = _is_zero(special.sum(), decimals)
    if not plain:
        numbers["special"] = float(special.sum())
    ending = "_plain" if plain else ""
    if len(words) == 1:
        return RowReading(f"only{ending}", indices, numbers)
    if _is_zero(words[1].weight, decimals):
        return RowReading(f"top_one{ending}", indices, numbers)
    indices["key2"] = words[1].place
    numbers["value2"] = words[1].weight
    return RowReading(f"top_two{ending}", indices, numbers)


def column_reading(picture: AttentionMap, column: int, decimals: int) -> RowReading:
    """Who looks most at a word (from 0). A column is no distribution: it may add up to more or less than 1."""
    words = ranked(picture.weights[:, column])
    numbers = {"sum": float(picture.weights[:, column].sum())}
    if _is_zero(words[0].weight, decimals):
        return RowReading("seen_by_none", {"key": column}, numbers)
    indices = {"key": column, "query": words[0].place}
    numbers["value"] = words[0].weight
    if len(words) == 1:
        return RowReading("seen_only", indices, numbers)
    if _is_zero(words[1].weight, decimals):
        return RowReading("seen_top_one", indices, numbers)
    indices["query2"] = words[1].place
    numbers["value2"] = words[1].weight
    return RowReading("seen_top_two", indices, numbers)


def special_note(picture: AttentionMap, row: int) -> tuple[str, float] | None:
    """What must be added about the special tokens of a row, and their mass; None if nothing.

    "most": shown, and more than half of the row. "hidden": removed and the rest scaled up; "hidden_most": more than
    half was removed, so that what remains is a small part.
    """
    removed = float(picture.removed[row])
    if removed > 0:
        return ("hidden_most" if removed > MOST else "hidden"), removed
    mass = float(picture.special[row].sum())
    return ("most", mass) if mass > MOST else None


def _is_zero(weight: float, decimals: int) -> bool:
    """Whether it is written 0.00 with so many decimals."""
    return bool(weight < 0.5 * 10**-decimals)


def _same(one: float, other: float, decimals: int) -> bool:
    """Whether two weights are written alike; a half may round either way and is taken for a difference."""
    return f"{one:.{decimals}f}" == f"{other:.{decimals}f}"

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


def row_reading(picture: AttentionMap, row: int) -> RowReading:
    """Which sentence fits a row of the picture (from 0): its strongest keys and its special tokens."""
    weights = picture.weights[row]  # (n,)
    special = picture.special[row]  # (n_special,)
    words = [entry for entry in ranked(weights, special) if not entry.special]
    first = ranked(weights, special)[0]
    indices = {"query": row, "key": words[0].place}
    numbers = {"value": words[0].weight}
    if special.size:
        numbers["special"] = float(special.sum())
    plain = "" if special.size else "_plain"

    if first.weight == 0:
        return RowReading("nothing", {"query": row}, {})
    if len(words) == 1:
        return RowReading(f"only{plain}", indices, numbers)
    if first.special:
        indices["token"] = first.place
        numbers["token_value"] = first.weight
        return RowReading("special_first", indices, numbers)
    indices["key2"] = words[1].place
    numbers["value2"] = words[1].weight
    return RowReading(f"top_two{plain}", indices, numbers)


def column_reading(picture: AttentionMap, column: int) -> RowReading:
    """Who looks most at a word (from 0). A column is no distribution: it may add up to more or less than 1."""
    words = ranked(picture.weights[:, column])
    indices = {"key": column, "query": words[0].place}
    numbers = {"value": words[0].weight, "sum": float(picture.weights[:, column].sum())}
    if len(words) == 1:
        return RowReading("seen_only", indices, numbers)
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

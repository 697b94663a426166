"""What to say about a picture: the key of a sentence and its numbers, never prose."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from attention_core.attention_map import AttentionMap
from attention_core.measures import ranked


@dataclass(frozen=True)
class RowReading:
    """A sentence about one row. `key` is a text key below `explore.say`, `indices` and `numbers` its fields.

    indices  field -> index of a row or column (0-based), or of a special token for the field "token"
    numbers  field -> a weight between 0 and 1
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

    if len(words) == 1:
        return RowReading(f"only{plain}", indices, numbers)
    if first.special:
        indices["token"] = first.place
        numbers["token_value"] = first.weight
        return RowReading("special_first", indices, numbers)
    indices["key2"] = words[1].place
    numbers["value2"] = words[1].weight
    return RowReading(f"top_two{plain}", indices, numbers)

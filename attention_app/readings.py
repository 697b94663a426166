"""What to say about a picture: the key of a sentence and its numbers, never prose."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from attention_core.measures import ranked
from attention_core.trace import WordAttention


@dataclass(frozen=True)
class RowReading:
    """A sentence about one row. `key` is a text key below `explore.say`, `indices` and `numbers` its fields.

    indices  field -> index of a word (0-based), or of a special token for the field "token"
    numbers  field -> a weight between 0 and 1
    """

    key: str
    indices: Mapping[str, int]
    numbers: Mapping[str, float]


def row_reading(attention: WordAttention, layer: int, head: int, word: int) -> RowReading:
    """Which sentence fits the row of `word` (layer, head, word 0-based): its strongest keys and its special tokens."""
    row = attention.weights[layer, head, word]  # (n_words,)
    special = attention.special[layer, head, word]  # (n_special,)
    words = [entry for entry in ranked(row, special) if not entry.special]
    first = ranked(row, special)[0]
    indices = {"query": word, "key": words[0].place}
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

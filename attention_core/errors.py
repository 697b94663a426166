"""The one exception for text that a person typed and that cannot be used.

The core says what is wrong as a key with numbers; a screen puts it into the reader's language, the
command line prints the English sentence below.
"""

from __future__ import annotations

MESSAGES = {
    "empty": "There is nothing to look at yet: type at least one word.",
    "too_many_characters": "At most {limit} characters fit; this text has {count}.",
    "too_many_words": "At most {limit} words fit; this sentence has {count}.",
    "too_many_pieces": "At most {limit} model pieces fit; this sentence has {count}.",
    "unknown_piece": "The translator has no such piece here: {piece}.",
    "empty_word": "Word {position} has no visible character.",
    "bad_boundary": "There is no place to cut at position {position}.",
    "unknown_words": "These words are not in the vocabulary: {words}.",
    "one_gap": "The sentence needs exactly one [?]; this one has {count}.",
    "no_noun": "After [?] there must be a noun of the vocabulary.",
    "nothing_before": "Before [?] there must be a word.",
    "out_of_range": "{name} must lie between {low} and {high}, not {value}.",
    "only_value": "{name} can only be {low}, not {value}.",
    "unknown_choice": "{name} must be one of {choices}, not {value}.",
}


class InputError(ValueError):
    """Unusable input. `key` names the message in `MESSAGES`, `values` are the numbers to put into it."""

    def __init__(self, key: str, **values: object) -> None:
        self.key = key
        self.values = values
        super().__init__(MESSAGES[key].format(**values))

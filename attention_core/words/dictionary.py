"""The dictionary and jieba's tokenizer over it: the only file that imports jieba.

The tokenizer is our own object, filled from our own file. jieba's module-level functions would read and trust a cache
in the temp folder that any user of the machine can write, and would share one visitor's words with everybody.
"""

from __future__ import annotations

import gzip
import io
import warnings
from importlib.resources import files
from typing import Any

# An extra word counts as often as a dictionary word of middling frequency: enough to win over its single characters.
_EXTRA_FREQUENCY = 1000
_SILENT = 60  # above logging.CRITICAL: jieba reports to stderr by itself


def load_tokenizer() -> Any:
    """A jieba.Tokenizer over data/dictionary.txt.gz and data/extra_words.txt, ready to cut (about 0.3 s)."""
    with warnings.catch_warnings():
        # invalid escapes in jieba's sources (Python 3.12), and pkg_resources where setuptools still has it
        warnings.simplefilter("ignore")
        import jieba
    jieba.setLogLevel(_SILENT)
    tokenizer = jieba.Tokenizer()
    dictionary = (files("attention_core") / "data" / "dictionary.txt.gz").read_bytes()
    tokenizer.FREQ, tokenizer.total = tokenizer.gen_pfdict(io.BytesIO(gzip.decompress(dictionary)))
    # A phrase that is split after cutting (说/的/话) must be found as a whole first.
    phrases = [entry.replace("/", "") for entry in read_list("split_words.txt")]
    for word in (*read_list("extra_words.txt"), *phrases):
        _add(tokenizer, word)
    tokenizer.initialized = True  # otherwise the first cut would load jieba's default dictionary and write its cache
    return tokenizer


def _add(tokenizer: Any, word: str) -> None:
    """Add a word that the dictionary lacks, and its beginnings, without which the search stops before its end."""
    if tokenizer.FREQ.get(word):
        return
    tokenizer.FREQ[word] = _EXTRA_FREQUENCY
    tokenizer.total += _EXTRA_FREQUENCY
    for end in range(1, len(word)):
        tokenizer.FREQ.setdefault(word[:end], 0)


def read_list(name: str) -> tuple[str, ...]:
    """The words of attention_core/data/<name>, in order; white space separates, a line from # on is a note."""
    text = (files("attention_core") / "data" / name).read_text(encoding="utf-8")
    return tuple(word for line in text.splitlines() if not line.startswith("#") for word in line.split())

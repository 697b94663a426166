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
    """A jieba.Tokenizer over data/dictionary.txt.gz and data/extra_words.txt, ready to cut (about 0.2 s)."""
    with warnings.catch_warnings():
        # invalid escapes in jieba's sources (Python 3.12), and pkg_resources where setuptools still has it
        warnings.simplefilter("ignore")
        import jieba
    jieba.setLogLevel(_SILENT)
    lines = gzip.decompress((files("attention_core") / "data" / "dictionary.txt.gz").read_bytes())
    known = {line.split(b" ")[0].decode() for line in lines.splitlines()}
    phrases = (entry.replace("/", "") for entry in read_list("split_words.txt"))
    extra = [word for word in (*read_list("extra_words.txt"), *phrases) if word not in known]
    lines += "".join(f"{word} {_EXTRA_FREQUENCY}\n" for word in extra).encode()
    tokenizer = jieba.Tokenizer()
    tokenizer.FREQ, tokenizer.total = tokenizer.gen_pfdict(io.BytesIO(lines))
    tokenizer.initialized = True  # otherwise the first cut would load jieba's default dictionary and write its cache
    return tokenizer


def read_list(name: str) -> tuple[str, ...]:
    """The words of attention_core/data/<name>, in order; white space separates, a line from # on is a note."""
    text = (files("attention_core") / "data" / name).read_text(encoding="utf-8")
    return tuple(word for line in text.splitlines() if not line.startswith("#") for word in line.split())

"""The computation behind every picture, in NumPy: words in, attention with every intermediate out.

    from attention_core import attend, segment

    attention = attend(segment("我昨天去超市买了苹果。"))
    attention.weights[6, 2]  # layer 7, head 3: (n_words, n_words), row = who looks, column = at whom

Importing this package loads neither the dictionary nor any weights; the first call that needs them does.
"""

from attention_core.attend import attend
from attention_core.errors import InputError
from attention_core.sources import SOURCES, Settings, SourceInfo, source_info
from attention_core.trace import WordAttention
from attention_core.words import Word, format_words, parse_words, segment

__version__ = "0.1.0"
__all__ = [
    "SOURCES",
    "InputError",
    "Settings",
    "SourceInfo",
    "Word",
    "WordAttention",
    "attend",
    "format_words",
    "parse_words",
    "segment",
    "source_info",
]

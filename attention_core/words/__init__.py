"""Words: from the typed sentence to the nodes of every picture, and back.

Importing this package does no work: jieba, the dictionary and OpenCC are loaded by the first sentence that needs them.
"""

from attention_core.words.boundaries import boundaries, cut_at
from attention_core.words.clean import clean
from attention_core.words.contrasts import Contrast, load_contrasts
from attention_core.words.examples import Example, example_groups, load_examples
from attention_core.words.graphemes import graphemes
from attention_core.words.limits import MAX_CHARACTERS, MAX_PIECES, MAX_WORDS, check_characters, check_words
from attention_core.words.notation import format_words, parse_words
from attention_core.words.segment import Segmenter, segment, segmenter
from attention_core.words.word import Word, join_words

__all__ = [
    "MAX_CHARACTERS",
    "MAX_PIECES",
    "MAX_WORDS",
    "Contrast",
    "Example",
    "Segmenter",
    "Word",
    "boundaries",
    "check_characters",
    "check_words",
    "clean",
    "cut_at",
    "example_groups",
    "format_words",
    "graphemes",
    "join_words",
    "load_contrasts",
    "load_examples",
    "parse_words",
    "segment",
    "segmenter",
]

"""The translator: Mandarin to English by a small encoder-decoder, with every weight of its attention.

    result = translate(segment("我昨天去超市买了苹果。"))
    result.run.text                                  the translation
    target_words(result.run).cross_attention[-1]     last layer: (n_heads, n_words, n_source_words)

Read it in this order: source_text, target_text, bpe (text to pieces), weights, model and runs (the encoder, and the
decoder over all steps at once), stepping and decoding (finding the translation), word_level (back to words).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from attention_core.translator.decoding import MAX_WIDTH, Hypothesis, search
from attention_core.translator.model import MAX_STEPS, Translator, load_translator
from attention_core.translator.runs import Candidate, InputTrace, SourceRun, TargetRun
from attention_core.translator.weights import load_facts
from attention_core.translator.word_level import TargetWords, fold, source_attention, target_words
from attention_core.words.word import Word

__all__ = [
    "MAX_STEPS",
    "MAX_WIDTH",
    "Candidate",
    "Hypothesis",
    "InputTrace",
    "SourceRun",
    "TargetRun",
    "TargetWords",
    "Translation",
    "Translator",
    "fold",
    "load_facts",
    "load_translator",
    "search",
    "source_attention",
    "target_words",
    "translate",
]


@dataclass(frozen=True, eq=False)
class Translation:
    """What the search found, and the whole computation of its steps."""

    found: Hypothesis
    run: TargetRun


def translate(words: Sequence[Word], width: int = 1, prefix: Sequence[str] = ()) -> Translation:
    """Translate a Chinese sentence: greedily, or with a beam of up to 5; the first pieces may be given.

    InputError as in `Translator.encode` and `search`.
    """
    model = load_translator()
    source = model.encode(words)
    found = search(model, source, width, prefix)
    return Translation(found, model.read(source, found.pieces))

"""One call for every source: words in, attention between the words out."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from attention_core.errors import InputError
from attention_core.sources import Settings, paper, source_info, toy, vectors
from attention_core.sources.source_trace import SourceTrace
from attention_core.trace import WordAttention
from attention_core.words.word import Word

TRACES: dict[str, Callable[[Sequence[Word], Settings], SourceTrace]] = {
    "toy": toy.trace,
    "paper": paper.trace,
    "vectors": vectors.trace,
}


def attend(words: Sequence[Word], source: str = "real", settings: Settings | None = None) -> WordAttention:
    """Who looks at whom, in every layer and head of a source.

    words: what `segment` or `parse_words` returned. settings: for the untrained sources; None = the defaults.
    Returns weights (n_layers, n_heads, n, n), raw: with a row's special tokens they sum to 1.
    InputError: no words, an unknown source, or more pieces than the real model takes.
    """
    settings = Settings() if settings is None else settings
    info = source_info(source, settings)
    words = tuple(words)
    if not words:
        raise InputError("empty")
    if source == "real":
        from attention_core.sources.e5 import attend as attend_real  # 25 MB of weights, for those who ask for them

        return attend_real(words)
    attn_weights = TRACES[source](words, settings).multi_head.attention.attn_weights  # (n_heads, n, n)
    return WordAttention(
        words=words,
        pieces=tuple(word.text for word in words),
        source=source,
        trained=info.trained,
        weights=attn_weights[None],  # (1, n_heads, n, n)
        special=np.zeros((1, info.n_heads, len(words), 0), dtype=attn_weights.dtype),
        special_names=(),
    )

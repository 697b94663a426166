"""Query, key and value with whole texts: which of some labels fits a request, and what comes out of the contents.

The same computation as inside a head, softmax(q Kᵀ / temperature) V (Vaswani et al. 2017, equation 1, where the
temperature is √d_k), with sentence vectors of the real model in place of projected words.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from attention_core.errors import InputError
from attention_core.json_form import DECIMALS
from attention_core.ops import softmax
from attention_core.retrieval_facts import verdict
from attention_core.sources.e5_sentences import Kind, sentence_vectors
from attention_core.trace import FloatArray, ReadOnlyArrays

# The scores of E5 lie close together, most of them between 0.7 and 0.9: at temperature 1 all weights are nearly equal.
# The model was trained under a softmax with this temperature, which its authors name as the reason (the model card of
# multilingual-e5-small, "Why does the cosine similarity scores distribute around 0.7 to 1.0?").
TEMPERATURE = 0.01
LOWEST, HIGHEST = 0.001, 100.0
MAX_KEYS = 64


@dataclass(frozen=True, eq=False)
class RetrievalTrace(ReadOnlyArrays):
    """One request against n labels. All vectors have length 1, but the mixture.

    query, keys, values   the texts
    temperature           what the scores are divided by
    q                     (d_model,)     of the request, read as "query: "
    k, v                  (n, d_model)   of the labels and of the contents, read as "passage: "
    scores                (n,)           q · k, between -1 and 1
    scaled_scores         (n,)           scores / temperature
    attn_weights          (n,)           softmax of them, sum to 1
    z                     (d_model,)     the mixture of the values by weight
    distances             (n,)           from the mixture to each value, the length of z - v
    cosines               (n,)           between the mixture and each value
    """

    query: str
    keys: tuple[str, ...]
    values: tuple[str, ...]
    temperature: float
    q: FloatArray
    k: FloatArray
    v: FloatArray
    scores: FloatArray
    scaled_scores: FloatArray
    attn_weights: FloatArray
    z: FloatArray
    distances: FloatArray
    cosines: FloatArray

    @property
    def best(self) -> int:
        """The label with the largest weight, from 0; the first one of several."""
        return int(self.scores.argmax())


def retrieve(
    query: str,
    keys: Sequence[str],
    values: Sequence[str] | None = None,
    *,
    temperature: float = TEMPERATURE,
    encode: Callable[[Sequence[str], Kind], FloatArray] = sentence_vectors,
) -> RetrievalTrace:
    """The request against the labels. values: the contents, one for each label; None: the labels themselves.

    encode: texts and their kind -> vectors of length 1, (n_texts, d_model); a cache may stand in for the model.
    InputError: no labels or too many, a temperature out of its range, and for the texts as in `pieces_of`.
    ValueError: not one value for each label.
    """
    keys = tuple(keys)
    values = keys if values is None else tuple(values)
    if len(values) != len(keys):
        raise ValueError(f"{len(keys)} keys need as many values, not {len(values)}")
    if not keys:
        raise InputError("empty")
    if len(keys) > MAX_KEYS:
        raise InputError("out_of_range", name="number of keys", low=1, high=MAX_KEYS, value=len(keys))
    if not LOWEST <= temperature <= HIGHEST:
        raise InputError("out_of_range", name="temperature", low=LOWEST, high=HIGHEST, value=temperature)
    q = encode([query], "query")[0].astype(np.float64)  # (d_model,)
    passages = encode([*keys, *values], "passage").astype(np.float64)
    k, v = passages[: len(keys)], passages[len(keys) :]  # each (n, d_model)

    scores = k @ q  # (n,)
    scaled_scores = scores / temperature  # (n,)
    attn_weights = softmax(scaled_scores)  # (n,)
    z = attn_weights @ v  # (d_model,)
    return RetrievalTrace(
        query=query,
        keys=keys,
        values=values,
        temperature=temperature,
        q=q,
        k=k,
        v=v,
        scores=scores,
        scaled_scores=scaled_scores,
        attn_weights=attn_weights,
        z=z,
        distances=np.linalg.norm(z - v, axis=1),  # (n,)
        cosines=v @ z / np.linalg.norm(z),  # (n,)
    )


def json_form(trace: RetrievalTrace) -> dict[str, object]:
    """Scores and weights as JSON holds them, on the command line and in the file that a page gives away: 6 decimals."""
    return {
        "query": trace.query,
        "keys": list(trace.keys),
        "scores": [round(float(score), DECIMALS) for score in trace.scores],
        "weights": [round(float(weight), DECIMALS) for weight in trace.attn_weights],
        "temperature": trace.temperature,
        "best": trace.keys[trace.best],
        "fits": verdict(trace.query, trace.keys[trace.best], float(trace.scores[trace.best])),
    }

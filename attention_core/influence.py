"""Which word can influence which, and how much: one word is swapped, and what changes elsewhere is measured.

In a network that reads left to right a word reaches the words behind it step by step, and never one before it. In
self-attention every word reaches every word in one step (Vaswani et al. 2017, section 4, "maximum path length").
"""

from __future__ import annotations

import numpy as np

from attention_core.attention import multi_head_attention
from attention_core.rnn import RnnWeights, hidden_states
from attention_core.sources.e5 import EncoderRun, load_model
from attention_core.trace import FloatArray
from attention_core.words.pieces import split_words
from attention_core.words.word import Word

ATTENTION_STEPS = 1  # between any two words


def rnn_steps(start: int, end: int) -> int | None:
    """Steps of the network from word `start` until word `end` can know of it; None: never, it was read earlier."""
    return end - start if end >= start else None


def longest_rnn_path(n: int) -> int:
    """Steps from the first of n words to the last one."""
    return n - 1


def rnn_changes(x: FloatArray, other: FloatArray, weights: RnnWeights) -> FloatArray:
    """How far each hidden state moves when one word is swapped.

    x: (n, d_in); other: (n, d_in), row j replaces word j, one at a time. Returns (n, n): row t, column j is the length
    of the change of h_t when word j is swapped; exactly 0 for t < j.
    """
    n = len(x)
    swapped = np.repeat(x[None], n, axis=0)  # (n, n, d_in)
    swapped[np.arange(n), np.arange(n)] = other
    moved = hidden_states(swapped, weights) - hidden_states(x, weights)  # (n swaps, n states, d_hidden)
    changes: FloatArray = np.linalg.norm(moved, axis=-1).T  # (n states, n swaps)
    return changes


def survival(changes: FloatArray) -> FloatArray:
    """What is left of each word's mark on the hidden state, step after step: 1 where the word was read.

    changes: (n, n) of `rnn_changes`. Returns (n, n): row t, column j is the change of h_t over the change of h_j. NaN
    where swapping changed nothing at all.
    """
    first = np.diagonal(changes)  # (n,)
    left: FloatArray = changes / np.where(first > 0, first, np.nan)
    return left


def attention_changes(run: EncoderRun, word: int, other: Word) -> tuple[FloatArray, FloatArray]:
    """How far the first attention layer of the real model moves when one word is swapped.

    run: the sentence; `word` counts from 0; every piece of it is replaced by the first piece of `other`, so that all
    other words stay where they are. Returns, each (n_words,), the length of the change of every word's attn_out (mean
    of its pieces) and the length of that attn_out itself. InputError as in `split_words`.
    """
    model = load_model()
    ((piece, *_),) = split_words([other], model.weights.vocabulary)
    start, stop = run.alignment.spans[word]
    ids = run.ids.copy()
    ids[start:stop] = model.weights.vocabulary.ids[piece]
    weights = model.block_weights(0).multi_head
    before, after = (
        multi_head_attention(x, x, weights).attn_out for x in (run.hidden[0], model.embedding(ids).normed)
    )  # (n_positions, d_model)

    def of_words(out: FloatArray) -> FloatArray:
        return np.stack([out[slice(*span)].mean(axis=0) for span in run.alignment.spans])  # (n_words, d_model)

    moved: FloatArray = np.linalg.norm(of_words(after - before), axis=-1)
    size: FloatArray = np.linalg.norm(of_words(before), axis=-1)
    return moved, size

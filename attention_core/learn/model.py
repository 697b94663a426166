"""One attention layer that answers: embed, attend, read the answer off. No residual, no bias: nothing to hide behind.

Beside it stands backward.py with one line for every line of `forward`. Heads come first, as everywhere in this package;
sentences come as a batch, so there is one axis more:

    h heads · B sentences · n words · d = d_model · d_head = d / h · C answers
"""

from __future__ import annotations

import math
from dataclasses import dataclass, fields

import numpy as np

from attention_core.learn.settings import LearnSettings
from attention_core.learn.tasks import NO_ANSWER, IntArray, answers_of
from attention_core.learn.vocabulary import load_vocabulary
from attention_core.ops import softmax
from attention_core.positional import positional_encoding
from attention_core.sources.draw import xavier_uniform
from attention_core.trace import BoolArray, FloatArray, ReadOnlyArrays

D_MODEL = 32


@dataclass(frozen=True, eq=False)
class Parameters(ReadOnlyArrays):
    """Everything that is learned; gradients and Adam's moments have the same form.

    E             (n_vocabulary, d)  a row for each word
    W_Q, W_K, W_V (h, d, d_head)     projections
    W_O           (h * d_head, d)    output projection
    W_U           (d, C)             from the output to a score for each answer
    """

    E: FloatArray
    W_Q: FloatArray
    W_K: FloatArray
    W_V: FloatArray
    W_O: FloatArray
    W_U: FloatArray


NAMES = tuple(field.name for field in fields(Parameters))


@dataclass(frozen=True, eq=False)
class Forward(ReadOnlyArrays):
    """Every intermediate of the forward pass, in its order.

    ids, answers   (B, n)          what was asked
    x              (B, n, d)       embeddings, with positions if they are on
    q, k, v        (h, B, n, d_head)
    scores, scaled_scores, attn_weights (h, B, n, n)
    z              (h, B, n, d_head)
    concat         (B, n, h * d_head)
    attn_out       (B, n, d)
    logits, probs  (B, n, C)
    loss           mean over all places that have an answer of -ln(probability of the right one)
    """

    ids: IntArray
    answers: IntArray
    x: FloatArray
    q: FloatArray
    k: FloatArray
    v: FloatArray
    scores: FloatArray
    scaled_scores: FloatArray
    attn_weights: FloatArray
    z: FloatArray
    concat: FloatArray
    attn_out: FloatArray
    logits: FloatArray
    probs: FloatArray
    loss: float


def initial(settings: LearnSettings) -> Parameters:
    """Parameters before the first step, float64: all in +-sqrt(6 / (n_in + n_out)) (Glorot and Bengio 2010)."""
    h, d, seed = settings.n_heads, D_MODEL, settings.seed
    d_head, n_words, n_answers = d // h, len(load_vocabulary().words), len(answers_of(settings.task))
    return Parameters(
        E=xavier_uniform(d, d, (n_words, d), seed, "learn", "E"),
        W_Q=xavier_uniform(d, d, (h, d, d_head), seed, "learn", "W_Q"),
        W_K=xavier_uniform(d, d, (h, d, d_head), seed, "learn", "W_K"),
        W_V=xavier_uniform(d, d, (h, d, d_head), seed, "learn", "W_V"),
        W_O=xavier_uniform(d, d, (h * d_head, d), seed, "learn", "W_O"),
        W_U=xavier_uniform(d, n_answers, (d, n_answers), seed, "learn", "W_U"),
    )


def project(x: FloatArray, W: FloatArray) -> FloatArray:
    """x (B, n, d) times every head's W (h, d, d_head). Returns (h, B, n, d_head)."""
    y = x.reshape(-1, x.shape[-1]) @ W  # (h, B * n, d_head): all words of all sentences in one product
    return y.reshape(len(W), *x.shape[:2], W.shape[-1])


def scale_of(p: Parameters, *, scaled: bool) -> float:
    """What the scores are multiplied by: 1 / sqrt(d_head), or 1."""
    return 1 / math.sqrt(p.W_Q.shape[-1]) if scaled else 1.0


def forward(p: Parameters, ids: IntArray, answers: IntArray, *, positions: bool, scaled: bool) -> Forward:
    """From words to a probability for every answer, and the loss (Vaswani et al. 2017, section 3.2).

    ids, answers: (B, n), as in tasks.Batch; at least one place must have an answer.
    """
    x = p.E[ids]  # (B, n, d)
    if positions:
        x = x + positional_encoding(*x.shape[1:])
    q = project(x, p.W_Q)  # (h, B, n, d_head)
    k = project(x, p.W_K)  # (h, B, n, d_head)
    v = project(x, p.W_V)  # (h, B, n, d_head)
    scores = q @ k.swapaxes(-1, -2)  # (h, B, n, n)
    scaled_scores = scores * scale_of(p, scaled=scaled)  # (h, B, n, n)
    may = (ids > 0)[:, None, :]  # (B, 1, n): no word looks behind the end of its sentence
    attn_weights = softmax(np.where(may, scaled_scores, -np.inf))  # (h, B, n, n), rows sum to 1
    z = attn_weights @ v  # (h, B, n, d_head)
    concat = z.transpose(1, 2, 0, 3).reshape(*ids.shape, -1)  # (B, n, h * d_head)
    attn_out = concat @ p.W_O  # (B, n, d)
    logits = attn_out @ p.W_U  # (B, n, C)
    probs = softmax(logits)  # (B, n, C)
    asked = answers != NO_ANSWER  # (B, n)
    loss = float(surprise(logits[asked], answers[asked]).mean())
    return Forward(
        ids, answers, x, q, k, v, scores, scaled_scores, attn_weights, z, concat, attn_out, logits, probs, loss
    )


def surprise(logits: FloatArray, right: IntArray) -> FloatArray:
    """-ln softmax(logits)[right] for each row, finite even where that probability is too small for a float.

    logits: (N, C); right: (N,). Returns (N,).
    """
    peak = logits.max(axis=-1)  # (N,)
    total: FloatArray = peak + np.log(np.exp(logits - peak[:, None]).sum(axis=-1))  # (N,), ln of the softmax's divisor
    return total - np.take_along_axis(logits, right[:, None], axis=-1)[:, 0]


def accuracy(f: Forward) -> float:
    """How many of the asked places have their right answer on top, 0 to 1."""
    asked: BoolArray = f.answers != NO_ANSWER
    return float((f.probs[asked].argmax(axis=-1) == f.answers[asked]).mean())

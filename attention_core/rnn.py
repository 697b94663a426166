"""A small recurrent network: one word after another, all that came before folded into one hidden state.

    h_t = tanh(x_t W_x + h_{t-1} W_h + b),   h_0 = 0        (Elman 1990, "Finding structure in time", figure 2)

It stands beside attention to show what attention is for; nothing in this project was trained with it.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from attention_core.sources import draw
from attention_core.trace import FloatArray, ReadOnlyArrays, frozen


@dataclass(frozen=True, eq=False)
class RnnWeights(ReadOnlyArrays):
    """W_x (d_in, d_hidden), W_h (d_hidden, d_hidden), b (d_hidden,)."""

    W_x: FloatArray
    W_h: FloatArray
    b: FloatArray


@dataclass(frozen=True, eq=False)
class RnnTrace(ReadOnlyArrays):
    """One sentence through the network, word by word.

    x       (n, d_in)
    pre     (n, d_hidden)  x_t W_x + h_{t-1} W_h + b
    h       (n, d_hidden)  tanh(pre): the hidden state after each word, the last one is all that is left at the end
    """

    x: FloatArray
    weights: RnnWeights
    pre: FloatArray
    h: FloatArray


def seeded_weights(d_in: int, d_hidden: int, *, gain: float, seed: int) -> RnnWeights:
    """Untrained weights. W_h is an orthogonal matrix times `gain`.

    An orthogonal matrix turns a vector and keeps its length (Saxe, McClelland and Ganguli 2014). Therefore one step
    multiplies every difference between two states by exactly `gain`, before tanh, which only shrinks: below 1 the past
    fades, above 1 it grows. (A matrix of a given spectral radius could still stretch a vector for some steps first.)
    The same seed turns the same way at every gain, so that nothing but the gain differs. b is 0.
    """
    q, r = np.linalg.qr(2 * draw.uniform((d_hidden, d_hidden), seed, "rnn", "W_h") - 1)
    turn = q * np.sign(np.diag(r))  # the sign that LAPACK may choose freely
    W_x = draw.xavier_uniform(d_in, d_hidden, (d_in, d_hidden), seed, "rnn", "W_x")
    return RnnWeights(W_x, gain * turn, np.zeros(d_hidden))


def pre_activations(x: FloatArray, weights: RnnWeights) -> FloatArray:
    """x_t W_x + h_{t-1} W_h + b of every step. x: (..., n, d_in). Returns (..., n, d_hidden).

    The loop cannot be avoided: each step needs the state that the step before it made.
    """
    pre: FloatArray = x @ weights.W_x + weights.b  # (..., n, d_hidden): this part needs no loop
    for t in range(1, x.shape[-2]):
        # A row by itself, not all sentences in one product: equal sentences then give equal numbers to the last bit.
        pre[..., t : t + 1, :] += np.tanh(pre[..., t - 1 : t, :]) @ weights.W_h
    return pre


def hidden_states(x: FloatArray, weights: RnnWeights) -> FloatArray:
    """h after every word. x: (..., n, d_in). Returns (..., n, d_hidden)."""
    return np.tanh(pre_activations(x, weights))


def rnn(x: FloatArray, weights: RnnWeights) -> RnnTrace:
    """One sentence through the network. x: (n, d_in), n at least 1. ValueError: another shape."""
    if x.ndim != 2 or not len(x) or x.shape[1] != len(weights.W_x):
        raise ValueError(f"x must be (n, {len(weights.W_x)}) with n > 0, not {x.shape}")
    pre = pre_activations(x, weights)
    return RnnTrace(frozen(x), weights, pre, np.tanh(pre))

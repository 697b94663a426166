"""The gradient of a single number of W_Q with every number on the way, and the same by trying it out.

The sentence has one answer, in its gap, so of all queries only the gap's reaches the loss:

    dW_Q[row, column] = x[gap, row] * dq[gap, column]
    dq[gap, column]   = sum over the words of dscores[gap, word] * k[word, column]
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from attention_core.learn.model import Parameters, scale_of
from attention_core.learn.replay import see
from attention_core.learn.settings import LearnSettings
from attention_core.learn.tasks import Typed
from attention_core.trace import FloatArray, ReadOnlyArrays

NUDGE = 1e-4


@dataclass(frozen=True, eq=False)
class WeightGradient(ReadOnlyArrays):
    """The chain for W_Q[head, row, column], back from the loss. Arrays of n numbers have one for each word.

    dlogits          (C,) probabilities minus 1 at the right answer
    dz               (d_head,) of this head at the gap
    attn_weights     (n,) the gap's row in this head
    dattn_weights    (n,) dz times each word's v: would more weight on this word raise the loss?
    dscaled_scores   (n,) back through the softmax
    dscores          (n,) times scale
    k                (n,) this column of the keys
    dq               the sum of dscores * k
    x                this row of the gap's x
    gradient         x * dq
    loss             of the sentence; loss_up, loss_down: with this number NUDGE larger and smaller
    """

    weight: float
    dlogits: FloatArray
    dz: FloatArray
    attn_weights: FloatArray
    dattn_weights: FloatArray
    dscaled_scores: FloatArray
    scale: float
    dscores: FloatArray
    k: FloatArray
    dq: float
    x: float
    gradient: float
    loss: float
    loss_up: float
    loss_down: float

    @property
    def difference(self) -> float:
        """The gradient without any calculus: (loss_up - loss_down) / (2 NUDGE)."""
        return (self.loss_up - self.loss_down) / (2 * NUDGE)


def weight_gradient(
    p: Parameters, typed: Typed, settings: LearnSettings, head: int, row: int, column: int
) -> WeightGradient:
    """head, row, column from 0. IndexError: no such number in W_Q."""
    h, d, d_head = p.W_Q.shape
    if not (0 <= head < h and 0 <= row < d and 0 <= column < d_head):
        raise IndexError(f"W_Q {p.W_Q.shape} has no number at head {head}, row {row}, column {column} (from 0)")
    f, gap = see(p, typed, settings), typed.gap
    dlogits = f.probs[0, gap].copy()  # (C,)
    dlogits[typed.answer] -= 1
    dconcat = p.W_O @ (p.W_U @ dlogits)  # (h * d_head,)
    dz = dconcat[head * d_head : (head + 1) * d_head]  # (d_head,)
    attn_weights = f.attn_weights[head, 0, gap]  # (n,)
    dattn_weights = f.v[head, 0] @ dz  # (n,)
    dscaled_scores = attn_weights * (dattn_weights - attn_weights @ dattn_weights)  # (n,)
    scale = scale_of(p, scaled=settings.scaled)
    dscores = dscaled_scores * scale  # (n,)
    k = f.k[head, 0, :, column]  # (n,)
    dq = float(dscores @ k)
    x = float(f.x[0, gap, row])

    def loss_with(nudge: float) -> float:
        W_Q = np.array(p.W_Q)
        W_Q[head, row, column] += nudge
        return see(replace(p, W_Q=W_Q), typed, settings).loss

    return WeightGradient(
        weight=float(p.W_Q[head, row, column]),
        dlogits=dlogits,
        dz=dz,
        attn_weights=attn_weights,
        dattn_weights=dattn_weights,
        dscaled_scores=dscaled_scores,
        scale=scale,
        dscores=dscores,
        k=k,
        dq=dq,
        x=x,
        gradient=x * dq,
        loss=f.loss,
        loss_up=loss_with(NUDGE),
        loss_down=loss_with(-NUDGE),
    )

"""The gradients of model.forward by hand, last line first. dy is short for dloss/dy and has the shape of y.

Three rules make all of it:

    y = a @ b          da = dy @ b^T        db = a^T @ dy
    y = softmax(a)     da = y * (dy - sum(dy * y))        (along the softmax's axis)
    y = a * number     da = dy * number
"""

from __future__ import annotations

import numpy as np

from attention_core.learn.model import Forward, Parameters, scale_of
from attention_core.learn.tasks import NO_ANSWER
from attention_core.trace import FloatArray


def backward(p: Parameters, f: Forward, *, scaled: bool) -> Parameters:
    """dloss/dparameter for every parameter. f: what model.forward made of these parameters."""
    asked = f.answers != NO_ANSWER  # (B, n)

    # loss = mean(-ln probs[right]), probs = softmax(logits)   =>   dlogits = (probs - one_hot(right)) / count
    dlogits: FloatArray = np.where(asked[..., None], f.probs, 0.0)  # (B, n, C)
    dlogits[asked, f.answers[asked]] -= 1.0
    dlogits /= asked.sum()
    # logits = attn_out @ W_U
    dW_U = _flat(f.attn_out).T @ _flat(dlogits)  # (d, C)
    dattn_out = dlogits @ p.W_U.T  # (B, n, d)
    # attn_out = concat @ W_O
    dW_O = _flat(f.concat).T @ _flat(dattn_out)  # (h * d_head, d)
    dconcat = dattn_out @ p.W_O.T  # (B, n, h * d_head)
    # concat = the heads' z side by side
    h, B, n, d_head = f.z.shape
    dz = dconcat.reshape(B, n, h, d_head).transpose(2, 0, 1, 3)  # (h, B, n, d_head)
    # z = attn_weights @ v
    dattn_weights = dz @ f.v.swapaxes(-1, -2)  # (h, B, n, n)
    dv = f.attn_weights.swapaxes(-1, -2) @ dz  # (h, B, n, d_head)
    # attn_weights = softmax(scaled_scores); where a weight is 0 because of the mask, so is its gradient
    mean = (dattn_weights * f.attn_weights).sum(axis=-1, keepdims=True)  # (h, B, n, 1)
    dscaled_scores = f.attn_weights * (dattn_weights - mean)  # (h, B, n, n)
    # scaled_scores = scores * scale
    dscores = dscaled_scores * scale_of(p, scaled=scaled)  # (h, B, n, n)
    # scores = q @ k^T
    dq = dscores @ f.k  # (h, B, n, d_head)
    dk = dscores.swapaxes(-1, -2) @ f.q  # (h, B, n, d_head)
    # q = x @ W_Q, k = x @ W_K, v = x @ W_V
    x = _flat(f.x)  # (B * n, d), and the same for dq, dk, dv: (h, B * n, d_head)
    dq, dk, dv = (dy.reshape(h, B * n, d_head) for dy in (dq, dk, dv))
    dW_Q, dW_K, dW_V = x.T @ dq, x.T @ dk, x.T @ dv  # (h, d, d_head) each
    dx = dq @ p.W_Q.swapaxes(-1, -2) + dk @ p.W_K.swapaxes(-1, -2) + dv @ p.W_V.swapaxes(-1, -2)  # (h, B * n, d)
    # x = E[ids] (+ positions): a row of E collects from every place where its word stands
    one_hot = f.ids.ravel()[:, None] == np.arange(len(p.E))  # (B * n, n_vocabulary)
    dE = one_hot.T.astype(x.dtype) @ dx.sum(axis=0)  # (n_vocabulary, d)
    return Parameters(E=dE, W_Q=dW_Q, W_K=dW_K, W_V=dW_V, W_O=dW_O, W_U=dW_U)


def _flat(array: FloatArray) -> FloatArray:
    """(B, n, d) -> (B * n, d): all words of all sentences one below the other."""
    return array.reshape(-1, array.shape[-1])

"""The decoder one step at a time: the same numbers as `decoder_block`, for the newest position only.

The mask makes it possible: earlier positions never see the new one, so their keys and values stay what they were and
are kept. One step costs the same however long the text is, but for the attention itself.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from attention_core.attention import MultiHeadWeights
from attention_core.ops import layer_norm, linear, relu, softmax
from attention_core.trace import FloatArray
from attention_core.translator.model import Translator
from attention_core.translator.runs import SourceRun


class Stepper:
    """Some hypotheses about one source sentence, all of the same length; each step adds one piece to each of them."""

    def __init__(self, model: Translator, source: SourceRun) -> None:
        self._model = model
        self._n = 0  # pieces read so far
        empty = np.empty((model.n_heads, 1, 0, model.d_head), dtype=np.float32)
        self._keys = [empty] * model.n_layers  # each (n_heads, n_hypotheses, n, d_head)
        self._values = [empty] * model.n_layers
        crosses = [block.cross_attention for block in model.weights.decoder]
        memory = source.memory  # (n_source, d_model)
        self._memory_keys = [memory @ w.W_K + w.b_K[:, None] for w in crosses]  # (n_heads, n_source, d_head)
        self._memory_values = [memory @ w.W_V + w.b_V[:, None] for w in crosses]

    def keep(self, hypotheses: Sequence[int]) -> None:
        """Go on with these hypotheses; one that is named twice splits in two."""
        rows = list(hypotheses)
        self._keys = [keys[:, rows] for keys in self._keys]
        self._values = [values[:, rows] for values in self._values]

    def step(self, ids: NDArray[np.int32]) -> FloatArray:
        """Read one piece for each hypothesis, (n_hypotheses,); returns (n_hypotheses, n_target) log probabilities."""
        model = self._model
        x = model.weights.target_embedding[ids] * math.sqrt(model.d_model) + model.positions[self._n]
        self._n += 1
        for layer, w in enumerate(model.weights.decoder):
            x = layer_norm(x + self._self_attention(layer, x), w.norm_attn_gain, w.norm_attn_bias, w.eps)
            x = layer_norm(x + self._cross_attention(layer, x), w.norm_cross_gain, w.norm_cross_bias, w.eps)
            ffn = linear(relu(linear(x, w.W_1, w.b_1)), w.W_2, w.b_2)
            x = layer_norm(x + ffn, w.norm_ffn_gain, w.norm_ffn_bias, w.eps)
        return _log_softmax(model.logits(x))

    def _self_attention(self, layer: int, x: FloatArray) -> FloatArray:
        w = self._model.weights.decoder[layer].self_attention
        q, k, v = (_heads(x, W, b)[:, :, None] for W, b in ((w.W_Q, w.b_Q), (w.W_K, w.b_K), (w.W_V, w.b_V)))
        self._keys[layer] = np.concatenate([self._keys[layer], k], axis=2)
        self._values[layer] = np.concatenate([self._values[layer], v], axis=2)
        scores = q @ self._keys[layer].swapaxes(-1, -2) / math.sqrt(self._model.d_head)
        z = softmax(scores) @ self._values[layer]  # (n_heads, n_hypotheses, 1, d_head)
        return _joined(z[:, :, 0], w)

    def _cross_attention(self, layer: int, x: FloatArray) -> FloatArray:
        w = self._model.weights.decoder[layer].cross_attention
        q = _heads(x, w.W_Q, w.b_Q)  # (n_heads, n_hypotheses, d_head)
        scores = q @ self._memory_keys[layer].swapaxes(-1, -2) / math.sqrt(self._model.d_head)
        return _joined(softmax(scores) @ self._memory_values[layer], w)


def _log_softmax(logits: FloatArray) -> FloatArray:
    """log(softmax) without ever taking the logarithm of a number that was rounded to 0."""
    shifted = logits - logits.max(axis=-1, keepdims=True)
    log_probs: FloatArray = shifted - np.log(np.exp(shifted).sum(axis=-1, keepdims=True))
    return log_probs


def _heads(x: FloatArray, W: FloatArray, b: FloatArray) -> FloatArray:
    """(n_hypotheses, d_model) -> (n_heads, n_hypotheses, d_head)."""
    return x @ W + b[:, None]


def _joined(z: FloatArray, w: MultiHeadWeights) -> FloatArray:
    """The heads side by side, through W_O: (n_heads, n_hypotheses, d_head) -> (n_hypotheses, d_model)."""
    return linear(z.transpose(1, 0, 2).reshape(z.shape[1], -1), w.W_O, w.b_O)

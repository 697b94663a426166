"""What if: heads switched off and rows set by hand, and everything above them computed anew.

    run_changed(model, run, Changes(off=frozenset({(6, 2)})))

The layers below the first change are those of the run; with no change at all the run itself comes back.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from attention_core.contributions import cosines
from attention_core.ops import linear
from attention_core.sources.e5 import EncoderRun, Model
from attention_core.sources.e5_forward import forward
from attention_core.trace import FloatArray, ReadOnlyArrays


@dataclass(frozen=True)
class RowChange:
    """The row of one query in one head: `weights` on all positions, at least 0, with the sum 1 (else ValueError)."""

    layer: int
    head: int
    query: int
    weights: tuple[float, ...]

    def __post_init__(self) -> None:
        row = np.asarray(self.weights)
        if not (np.isfinite(row).all() and (row >= 0).all() and abs(row.sum() - 1) < 1e-4):
            raise ValueError("a row of attention weights is at least 0 everywhere and sums to 1")


@dataclass(frozen=True)
class Changes:
    """What is changed; layers and heads are counted from 0. off: (layer, head) of each head that adds nothing."""

    off: frozenset[tuple[int, int]] = field(default_factory=frozenset)
    rows: tuple[RowChange, ...] = ()

    @property
    def first_layer(self) -> int | None:
        """The lowest layer with a change; None when there is none."""
        layers = [layer for layer, _ in self.off] + [row.layer for row in self.rows]
        return min(layers, default=None)

    @property
    def heads_off(self) -> Changes:
        """The part that means the same in every sentence."""
        return Changes(self.off)

    def apply(self, layer: int, weights: FloatArray) -> None:
        """Change the attention weights of one layer, (n_heads, n, n), in place. A head that is off has all weights 0:
        its z is 0, and so is what it adds (Michel, Levy and Neubig 2019)."""
        for row in self.rows:
            if row.layer == layer:
                weights[row.head, row.query] = row.weights
        for at, head in self.off:
            if at == layer:
                weights[head] = 0


def run_changed(model: Model, run: EncoderRun, changes: Changes) -> EncoderRun:
    """The run as it is with the changes. IndexError: no such layer, head or position; ValueError: a row's length."""
    first = changes.first_layer
    if first is None:
        return run
    _check(model, len(run.pieces), changes)
    hidden, attn_weights = run.hidden.copy(), run.attn_weights.copy()
    hidden[first:], attn_weights[first:] = forward(
        run.hidden[first],
        model.weights.layers[first:],
        model.n_heads,
        model.weights.eps,
        change=lambda layer, weights: changes.apply(first + layer, weights),
    )
    for array in (hidden, attn_weights):
        array.setflags(write=False)
    return replace(run, hidden=hidden, attn_weights=attn_weights)


def word_row(run: EncoderRun, layer: int, head: int, word: int, weights: Sequence[float]) -> tuple[RowChange, ...]:
    """The changes that make a word's row what somebody wants at word level.

    weights: on `<s>`, on every word and on `</s>`, with the sum 1. What a word gets is shared out among its pieces as
    the model did, evenly where it gave them nothing; every piece of the looking word gets the same row.
    IndexError: no such word; ValueError: another number of weights.
    """
    if not 0 <= word < len(run.words):
        raise IndexError(f"word {word} does not exist: there are {len(run.words)}, counted from 0")
    n = len(run.pieces)
    spans = [(0, 1), *run.alignment.spans, (n - 1, n)]
    if len(weights) != len(spans):
        raise ValueError(f"a row has {len(spans)} weights here, not {len(weights)}")
    changes = []
    for query in range(*run.alignment.spans[word]):
        row = np.zeros(n)
        for (start, stop), weight in zip(spans, weights, strict=True):
            own = run.attn_weights[layer, head, query, start:stop].astype(np.float64)
            shares = own / own.sum() if own.sum() > 0 else np.full(stop - start, 1 / (stop - start))
            row[start:stop] = weight * shares
        changes.append(RowChange(layer, head, query, tuple(row.tolist())))
    return tuple(changes)


def head_effects(model: Model, run: EncoderRun) -> Iterator[FloatArray]:
    """What each head does to the sentence vector: its cosine with and without that one head, layer after layer.

    Yields (n_heads,) for each layer, so that who waits can be shown how far it has come (Michel, Levy and Neubig 2019
    ask the same of a task's score). The sentence vector is the mean of the last layer over all positions.
    """
    whole = run.hidden[-1].mean(axis=0)[None]
    for layer in range(model.n_layers):
        without = [
            run_changed(model, run, Changes(frozenset({(layer, head)}))).hidden[-1].mean(axis=0)
            for head in range(model.n_heads)
        ]
        yield cosines(np.broadcast_to(whole, (model.n_heads, model.d_model)), np.array(without))


@dataclass(frozen=True, eq=False)
class HeadOutput(ReadOnlyArrays):
    """What one head makes of a run, and what its block hands on.

    z     (n, d_head)   the weights of the run times V
    part  (n, d_model)  z W_O[head], what the head adds to attn_out
    out   (n, d_model)  the block's output
    """

    z: FloatArray
    part: FloatArray
    out: FloatArray


def head_output(model: Model, run: EncoderRun, layer: int, head: int) -> HeadOutput:
    """From the run's own weights, changed or not. IndexError: no such layer or head."""
    weights = model.block_weights(layer).multi_head
    v = linear(run.hidden[layer], weights.W_V[head], weights.b_V[head])  # (n, d_head)
    z = run.attn_weights[layer, head] @ v  # (n, d_head)
    part = z @ weights.W_O.reshape(model.n_heads, model.d_head, -1)[head]  # (n, d_model)
    return HeadOutput(z=z, part=part, out=run.hidden[layer + 1])


def _check(model: Model, n: int, changes: Changes) -> None:
    heads = [*changes.off, *((row.layer, row.head) for row in changes.rows)]
    for layer, head in heads:
        if not (0 <= layer < model.n_layers and 0 <= head < model.n_heads):
            raise IndexError(f"head {layer}.{head} does not exist: {model.n_layers} layers of {model.n_heads}, from 0")
    for row in changes.rows:
        if not 0 <= row.query < n:
            raise IndexError(f"position {row.query} does not exist: there are {n}, counted from 0")
        if len(row.weights) != n:
            raise ValueError(f"a row has {n} weights here, not {len(row.weights)}")

"""All heads of a sentence as small pictures: a few kilobytes that the browser unpacks and paints.

Numbers only, no plotly: 144 figures would be slower than everything else on the page together.
"""

from __future__ import annotations

import base64
import zlib
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from attention_core.attention_map import every_map
from attention_core.measures import Peak, peaks
from attention_core.trace import FloatArray, WordAttention

MOST_CELLS = 24  # a side of a small map; more cells would be less than 2 px wide
STEPS = 31  # shades from 0 to 1: in a cell of 2 px nobody tells 0.50 from 0.53, and 32 values are few bytes


@dataclass(frozen=True)
class Thumbnails:
    """The maps as one string: base64 of zlib of one byte (0 to STEPS) a cell, head after head, column after column:
    a column holds what many words give to one, which is much alike and therefore compresses better than a row.

    rows, columns  cells of a map without special tokens: the number of words, at most MOST_CELLS
    special        columns of special tokens: the first one before the words, the others after them
    """

    rows: int
    columns: int
    special: int
    data: str


@dataclass(frozen=True)
class SmallMaps:
    """The maps of all heads with what is said about each, head after head.

    peaks    the strongest word
    special  mean weight on the special tokens, shown or hidden
    """

    thumbnails: Thumbnails
    peaks: tuple[Peak, ...]
    special: tuple[float, ...]


def small_maps(attention: WordAttention, *, show_special: bool) -> SmallMaps:
    """All heads as the large picture would show them, with special tokens or renormalised without."""
    weights, special = every_map(attention, show_special=show_special)
    mean = attention.special.sum(axis=-1).mean(axis=-1)  # (n_layers, n_heads)
    return SmallMaps(thumbnails(weights, special), peaks(weights), tuple(mean.ravel().tolist()))


def thumbnails(weights: FloatArray, special: FloatArray, most: int = MOST_CELLS) -> Thumbnails:
    """weights (n_layers, n_heads, n, n) and special (n_layers, n_heads, n, n_special), all between 0 and 1.

    Of a sentence with more than `most` words each cell shows the largest of the weights it stands for: a thin diagonal
    stays visible, and no cell is darker than the darkest weight in it.
    """
    words = _pooled(_pooled(weights, most, axis=-2), most, axis=-1)
    tokens = _pooled(special, most, axis=-2)
    cells = np.concatenate([tokens[..., :1], words, tokens[..., 1:]], axis=-1)
    shades: NDArray[np.uint8] = np.rint(np.clip(cells, 0, 1) * STEPS).astype(np.uint8)
    data = base64.b64encode(zlib.compress(shades.swapaxes(-1, -2).tobytes())).decode("ascii")
    return Thumbnails(rows=words.shape[-2], columns=words.shape[-1], special=tokens.shape[-1], data=data)


def _pooled(array: FloatArray, most: int, *, axis: int) -> FloatArray:
    """The axis shortened to at most `most` places, each with the largest of its neighbours."""
    n = array.shape[axis]
    if n <= most:
        return array
    starts = np.arange(most) * n // most
    pooled: FloatArray = np.maximum.reduceat(array, starts, axis=axis)
    return pooled

"""Masks say who may look at whom: boolean, (n_q, n_k), True = may attend. Two masks are joined with `&`.

PyTorch has both conventions: `scaled_dot_product_attention` reads a boolean mask as we do, while the masks of
`nn.MultiheadAttention` mean the opposite (True = hidden).
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from attention_core.trace import BoolArray


def causal_mask(n_q: int, n_k: int | None = None) -> BoolArray:
    """No looking ahead: query i may attend to keys 0 ... i (Vaswani et al. 2017, section 3.2.3).

    Returns (n_q, n_k), with n_k = n_q unless given. Queries and keys are both counted from the first position.
    """
    queries = np.arange(n_q)[:, None]  # (n_q, 1)
    keys = np.arange(n_q if n_k is None else n_k)[None, :]  # (1, n_k)
    return keys <= queries  # (n_q, n_k)


def padding_mask(real: int | NDArray[np.bool_], n_k: int | None = None, n_q: int | None = None) -> BoolArray:
    """Hide the keys that only fill the sequence up.

    real: a boolean vector (n_k,), True = a real position; or the number of real positions at the start, and then
    n_k, the padded length, must be given. Returns (n_q, n_k), with n_q = n_k unless given: every query, a padding one
    too, may attend to the real keys. ValueError when the arguments do not fit together.
    """
    if isinstance(real, int | np.integer):
        if n_k is None or not 0 <= real <= n_k:
            raise ValueError(f"padding_mask: {real} real positions need an n_k of at least {real}; given n_k = {n_k}")
        real = np.arange(n_k) < real  # (n_k,)
    real = np.asarray(real)
    if real.dtype != np.bool_ or real.ndim != 1:
        raise ValueError(
            f"padding_mask: real must be a boolean vector (n_k,), True = real; given {real.dtype} of shape {real.shape}"
        )
    if n_k is not None and n_k != real.size:
        raise ValueError(f"padding_mask: n_k = {n_k}, but real has {real.size} positions")
    n_q = real.size if n_q is None else n_q
    return np.tile(real, (n_q, 1))  # (n_q, n_k)


def closed_by(masks: Mapping[str, BoolArray]) -> dict[tuple[int, int], tuple[str, ...]]:
    """Why each closed cell of joined masks is closed: {(query, key): names of the masks that hide it}.

    masks: name -> mask, all of one shape (n_q, n_k). ValueError: different shapes.
    """
    if len({mask.shape for mask in masks.values()}) > 1:
        raise ValueError(f"masks of shapes {[mask.shape for mask in masks.values()]} cannot be joined")
    reasons: dict[tuple[int, int], tuple[str, ...]] = {}
    for name, mask in masks.items():
        for query, key in np.argwhere(~mask):
            cell = (int(query), int(key))
            reasons[cell] = (*reasons.get(cell, ()), name)
    return reasons

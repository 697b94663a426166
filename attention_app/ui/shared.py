"""Results that a whole class shares: how much memory each takes for itself, and that nobody can write to it."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from attention_core.trace import frozen

COPIED = ("W_Q", "b_Q")  # the real model makes these anew for every layer trace (sources/e5.py, block_weights)


def own_bytes(result: object) -> int:
    """Bytes of the arrays in a trace, in traces within it, or in a tuple of these; each array once.

    Weights and biases are left out: their source keeps one copy of them for everybody.
    """
    return sum(_arrays(result, ()).values())


def real_bytes(result: object) -> int:
    """The same for a trace of the real model, with the weights that were made for it alone."""
    return sum(_arrays(result, COPIED).values())


def closed(result: object) -> object:
    """A result, or a tuple of them, whose arrays nobody can write to. Traces are so by themselves."""
    if isinstance(result, np.ndarray):
        return frozen(result)
    return tuple(map(closed, result)) if isinstance(result, tuple) else result


def _arrays(result: object, copied: tuple[str, ...]) -> dict[int, int]:
    """Where in memory the arrays begin, and their bytes: x_q and x_kv of self-attention are one."""
    found: dict[int, int] = {}
    for name, part in _parts(result):
        if isinstance(part, np.ndarray):
            if name in copied or not name.startswith(("W_", "b_")):
                place = part.__array_interface__["data"][0]
                found[place] = max(found.get(place, 0), part.nbytes)
        elif not isinstance(part, str | int | float):
            found |= _arrays(part, copied)
    return found


def _parts(result: object) -> Iterator[tuple[str, object]]:
    """The fields of a trace; what is in a tuple, and an array, has no name."""
    if isinstance(result, np.ndarray):
        yield "", result
    elif isinstance(result, tuple):
        yield from (("", part) for part in result)
    else:
        yield from getattr(result, "__dict__", {}).items()

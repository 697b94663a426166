"""A figure that is sent as it was made.

plotly's own Figure compares every property with its schema and copies the whole figure twice, which took a fifth of
the server's time for a new sentence. Our figures have the same few properties in every run: the tests put each through
plotly's check, the server does not.
"""

from __future__ import annotations

import base64
from collections.abc import Mapping, Sequence

import numpy as np
from plotly.basedatatypes import BaseFigure


class Finished(BaseFigure):  # type: ignore[misc]
    """Traces and layout as plotly's JavaScript takes them, for whoever accepts a plotly figure and sends it."""

    def __init__(self, traces: Sequence[Mapping[str, object]], layout: Mapping[str, object]) -> None:
        # Nothing of the base: it is what checks and copies.
        self._spec: dict[str, object] = {
            "data": [{name: _packed(value) for name, value in trace.items()} for trace in traces],
            "layout": dict(layout),
        }

    def to_dict(self) -> dict[str, object]:
        return self._spec


def _packed(value: object) -> object:
    """An array in plotly's form for typed arrays: base64 of its bytes, a third of the length of its digits."""
    if not isinstance(value, np.ndarray):
        return value
    data = base64.b64encode(value.tobytes()).decode("ascii")
    return {"dtype": value.dtype.str[1:], "bdata": data, "shape": ", ".join(map(str, value.shape))}

"""A small map for every head of every layer, and for the mean of each layer; a click chooses one."""

from __future__ import annotations

import base64
from collections.abc import Callable, Mapping

import numpy as np
import streamlit as st

from attention_app.components import is_index, register
from attention_core.trace import FloatArray

_KEY = "tiles"
_mount = register("tiles")


def tiles(
    maps: FloatArray,
    chosen: tuple[int, int],
    *,
    texts: Mapping[str, str],
    on_tile: Callable[[int, int], None],
) -> None:
    """Show maps (n_layers, n_tiles, n_rows, n_columns), each number between 0 and 1; the first of a layer is the mean.

    chosen   layer and tile, counted from 0, as on_tile gets them in a callback
    texts    title; mean with {layer}; head with {layer} and {head}
    """
    n_layers, n_tiles, n_rows, n_columns = maps.shape

    def clicked() -> None:
        sent = st.session_state[_KEY].get("tile")
        if isinstance(sent, list) and len(sent) == 2:
            layer, tile = sent
            if is_index(layer, n_layers) and is_index(tile, n_tiles):
                on_tile(layer, tile)

    packed = base64.b64encode(np.rint(maps * 255).astype(np.uint8).tobytes()).decode("ascii")
    data = {"packed": packed, "shape": [n_layers, n_tiles, n_rows, n_columns], "chosen": list(chosen)}
    _mount(key=_KEY, data={**data, "texts": dict(texts)}, on_tile_change=clicked)

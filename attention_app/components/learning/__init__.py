"""The recording of a training, played in the browser: what one sentence's gap looks at and answers at every moment.

The whole recording comes in at once, apart from what a click changes; playing, stepping and pointing ask nobody. Only
where a person comes to rest is told to the server, for what is computed there.
"""

from __future__ import annotations

import base64
import zlib
from collections.abc import Callable, Mapping, Sequence
from typing import TypedDict

import numpy as np
import streamlit as st

from attention_app.components import is_index, register
from attention_app.components.given import give
from attention_core.trace import FloatArray

_KEY = "learning"
_DEEPEST = 2**16 - 1  # a weight of 1 in a map
PLACES = 2**12 - 1  # across the picture of the nouns
_mount = register("learning")

Said = tuple[str, dict[str, str]]  # a key of `says`, and its fields


class Recording(TypedDict):
    """What was recorded, for R moments. All numbers are as they are drawn; chance: the accuracy of guessing."""

    name: str
    steps: list[int]
    losses: list[float]
    guessing: float
    accuracies: list[float]
    held_out: list[float] | None
    chance: float
    measures: list[str]
    nouns: list[tuple[str, int, bool]]  # name, place of its measure word, never taught
    points: list[int]  # x and y of each noun, moment after moment


class Sentence(TypedDict):
    """One sentence of n words at R moments: weights and probabilities in millionths, moment after moment."""

    words: list[str]
    gap: int
    deciding: int
    maps: str  # of `packed_maps`
    rows: list[int]  # R x heads x n, the gap's row in each head
    answers: list[str]
    right: int  # place of the right answer; -1 for none
    probs: list[int]  # R x answers


def learning(
    recording: Recording,
    sentence: Sentence,
    heads: Sequence[Mapping[str, str]],
    said: Sequence[Sequence[Said]],
    *,
    at: int | None,
    decimals: int,
    hidden: bool,
    texts: Mapping[str, str],
    says: Mapping[str, str],
    on_moment: Callable[[int], None],
) -> None:
    """Show the player.

    heads      one {"color", "ink"} for each head
    said       what is said about each moment
    at         the moment to rest at; None: play from the start (with reduced motion: rest there)
    hidden     nothing shows who looks at whom, or the answer
    texts      the view's own words, their fields still open
    says       the sentences that `said` names, their fields still open
    on_moment  gets the moment at which a person came to rest, before the next run
    """

    def rested() -> None:
        moment = st.session_state[_KEY].get("moment")
        if is_index(moment, len(recording["steps"])):
            on_moment(moment)

    given = {
        "recording": dict(recording),
        "sentence": dict(sentence),
        "heads": [dict(head) for head in heads],
        "said": [[list(one) for one in moment] for moment in said],
        "texts": dict(texts),
        "says": dict(says),
    }
    data = {"key": _KEY, "id": give(_KEY, given), "at": at, "decimals": decimals, "hidden": hidden}
    _mount(key=_KEY, data=data, on_moment_change=rested)


def packed_maps(attn_weights: FloatArray) -> str:
    """Weights (R, h, n, n) as base64 of zlib of two bytes each, the lower one first."""
    whole = np.rint(attn_weights * _DEEPEST).astype("<u2")
    return base64.b64encode(zlib.compress(whole.tobytes(), 6)).decode()


def placed(points: FloatArray) -> list[int]:
    """Points (R, n, 2) in whole numbers, y upwards: the wider direction from 0 to PLACES, the other to its scale."""
    low, high = points.min(axis=(0, 1)), points.max(axis=(0, 1))  # (2,)
    scale = PLACES / max(float((high - low).max()), 1e-12)
    flat: list[int] = np.rint((points - low) * scale).astype(int).ravel().tolist()
    return flat

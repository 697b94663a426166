"""What all cards about the scene speak of: its shelf, what the model computes for it, and names short enough to say."""

from __future__ import annotations

import re
from contextlib import nullcontext
from dataclasses import dataclass
from functools import cached_property

import streamlit as st

from attention_app.labels import labels
from attention_app.text import Text
from attention_app.ui import cache, pictures, state
from attention_app.ui.qkv import editing
from attention_app.ui.qkv.editing import Scene
from attention_core.retrieval_facts import Typical, typical
from attention_core.retrieve import RetrievalTrace, retrieve

MANY_TEXTS = 12  # new ones take up to a second on a busy machine: more show that something is going on
SCORE_DECIMALS = 3  # at least: scores lie close together
_TITLE = re.compile(r"[^：:]+(?=[：:].)")


@dataclass(frozen=True, eq=False)
class Search:
    """A scene and its numbers; rows from 0.

    names  of the rows: what stands before a colon in the key; alike ones are told apart
    """

    scene: Scene
    trace: RetrievalTrace
    names: tuple[str, ...]

    @property
    def best(self) -> int:
        return self.trace.best

    @cached_property
    def typical(self) -> Typical:
        """What is known of scores in the languages of the request and the best key."""
        return typical(self.trace.query, self.trace.keys[self.best])


def current(t: Text) -> Search:
    """The scene with its numbers for the state of this run."""
    scene = editing.current(t)
    keys, values = zip(*scene.shelf.rows, strict=True)
    many = cache.unread_texts([*keys, *values], "passage") > MANY_TEXTS
    with st.spinner(t("qkv.reading")) if many else nullcontext():
        trace = retrieve(scene.shelf.query, keys, values, temperature=temperature(), encode=cache.text_vectors)
    return Search(scene, trace, tuple(labels([_short(key) for key in keys])))


def temperature() -> float:
    return float(str(state.get("tau")))


def score(value: float) -> str:
    """A score as it is shown; hidden while a class guesses."""
    return pictures.number(value, least=SCORE_DECIMALS)


def _short(key: str) -> str:
    found = _TITLE.match(key)
    return (found[0] if found else key).strip()

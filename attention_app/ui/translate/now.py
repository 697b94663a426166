"""What the learner sees in this run: the translation, the layer and head that are looked at, and the step."""

from __future__ import annotations

import functools
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from attention_app.labels import labels
from attention_app.ui import state
from attention_app.ui.lesson import Lesson
from attention_app.ui.packed import unpack
from attention_app.ui.translate import cache
from attention_core.errors import InputError
from attention_core.trace import DecoderBlockTrace, FloatArray
from attention_core.translator import Hypothesis, TargetRun, TargetWords, fold, load_facts, target_words
from attention_core.translator.target_text import END, START, plain_text
from attention_core.words.pieces import SPACE_MARK

OUTSIDE = "…"  # stands where a piece goes on with the word before it


@dataclass(frozen=True, eq=False)
class Now:
    """Everything counted from 0. A step produces one piece.

    found   the translation, and `run` its whole computation
    prefix  its first pieces, as far as the learner fixed them
    layer   of the decoder; head: None for the mean of all heads
    made    how many steps are taken
    end     what the end of the sentence is called
    """

    lesson: Lesson
    found: Hypothesis
    run: TargetRun
    prefix: tuple[str, ...]
    width: int
    layer: int
    head: int | None
    made: int
    end: str

    @property
    def n(self) -> int:
        return len(self.run.pieces)

    @property
    def step(self) -> int:
        """The step that is talked about: the last one taken, or the first one if none is."""
        return max(0, self.made - 1)

    @cached_property
    def words(self) -> TargetWords:
        return target_words(self.run)

    @property
    def spans(self) -> tuple[tuple[int, int], ...]:
        """The steps of every word, and of the end."""
        end = ((self.n - 1, self.n),) if self.run.ended else ()
        return (*self.words.spans, *end)

    @property
    def targets(self) -> tuple[str, ...]:
        """The words that were produced, and the end; equal ones numbered."""
        return (*labels(self.words.words), *((self.end,) if self.run.ended else ()))

    def cross(self, spans: tuple[tuple[int, int], ...]) -> FloatArray:
        """(len(spans), n_source_words): cross-attention of the chosen layer and head, for these spans of steps."""
        return fold(self.of_head(self.run.cross_attention), spans, self.run.source.spans)

    def of_head(self, weights: FloatArray) -> FloatArray:
        """(n_layers, n_heads, n, m) -> (n, m): the chosen layer, the chosen head or the mean of all heads."""
        layer: FloatArray = weights[self.layer]
        chosen: FloatArray = layer.mean(axis=0) if self.head is None else layer[self.head]
        return chosen

    @property
    def trace(self) -> DecoderBlockTrace:
        """Every intermediate of the chosen layer."""
        return cache.decoder_layer(self.lesson.words, self.run.pieces, self.layer)

    def shown(self, piece: str) -> str:
        """A piece as it is shown: one that goes on with a word begins with `…`."""
        if piece == END:
            return self.end
        if piece == START:
            return START
        text = plain_text([piece])
        return text if piece.startswith(SPACE_MARK) or not text[:1].isalnum() else OUTSIDE + text

    @property
    def inputs(self) -> tuple[str, ...]:
        """What each step reads."""
        return tuple(labels([self.shown(piece) for piece in self.run.inputs]))

    @property
    def outputs(self) -> tuple[str, ...]:
        """What each step produces."""
        return tuple(labels([self.shown(piece) for piece in self.run.pieces]))


def current(lesson: Lesson, end: str) -> Now:
    """The translation for the state of this run. InputError: the sentence has too many pieces for the translator."""
    first = state.recall("translated") is None
    if not first and state.recall("translated") != lesson.words:  # what was fixed belongs to its sentence
        for name in ("prefix", "made"):
            state.put(name, state.SCHEMA[name].default)
        state.remember("prefixes", ())
    state.remember("translated", lesson.words)
    cache.source(lesson.words)
    width = int(str(state.get("beam")))
    prefix, found = _found(lesson, width, first)
    run = cache.run(lesson.words, found.pieces)
    n_layers, n_heads = run.cross_attention.shape[:2]
    state.fit("decoder_layer", n_layers, facts()["alignment"]["best layer"], tell=first)
    state.fit("decoder_head", n_heads, 0, tell=first)
    head = int(str(state.get("decoder_head")))
    return Now(
        lesson=lesson,
        found=found,
        run=run,
        prefix=prefix,
        width=width,
        layer=int(str(state.get("decoder_layer"))) - 1,
        head=head - 1 if head else None,
        made=min(int(str(state.get("made"))), len(run.pieces)),
        end=end,
    )


@functools.cache
def facts() -> dict[str, Any]:
    """What is known about the model: its sizes, its training, and what was measured."""
    return load_facts()


def _found(lesson: Lesson, width: int, first: bool) -> tuple[tuple[str, ...], Hypothesis]:
    """The translation that begins as the link says; a beginning that the model cannot say is put back, with a note."""
    try:
        prefix = tuple(filter(None, unpack(str(state.get("prefix"))).split("\n")))
        return prefix, cache.found(lesson.words, width, prefix)
    except (ValueError, InputError):
        state.reject("prefix", tell=first)
        return (), cache.found(lesson.words, width, ())

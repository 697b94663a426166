"""What follows from a plan: the run as it was and as it is, and how far everything moved."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from attention_app.labels import labels
from attention_app.ui import cache
from attention_app.ui.lesson import Lesson
from attention_app.ui.whatif import plan as plans
from attention_app.ui.whatif.plan import Plan
from attention_core.attention_map import AttentionMap, attention_map
from attention_core.changes import Changes
from attention_core.comparison import Pairs, cosine_per_layer, match_words, word_vectors
from attention_core.errors import InputError
from attention_core.head_facts import FIRST
from attention_core.measures import sharpest_row
from attention_core.sources import e5
from attention_core.sources.e5 import EncoderRun
from attention_core.trace import FloatArray, WordAttention


@dataclass(frozen=True, eq=False)
class Effect:
    """Everything counted from 0.

    before, after  the model's runs; the same object where nothing changed
    old, new       names of the words in pictures
    pairs          which old word became which new one
    layer, head    what the page looks at
    word, partner  the chosen old word, and what became of it; None: it is gone
    idle           places in the plan of changes that do not fit the sentence
    problem        why the changed sentence cannot be read, so that its words stay as they were; or None
    """

    plan: Plan
    before: EncoderRun
    after: EncoderRun
    changes: Changes
    old: tuple[str, ...]
    new: tuple[str, ...]
    pairs: Pairs
    layer: int
    head: int
    word: int
    partner: int | None
    idle: frozenset[int]
    problem: InputError | None

    @property
    def same(self) -> bool:
        return self.after is self.before

    @cached_property
    def ripples(self) -> FloatArray:
        """1 - cosine of each word's vector before and after, at every depth: (n_pairs, n_layers + 1)."""
        moved = [
            cosine_per_layer(
                word_vectors(self.before.hidden, self.before.alignment.spans[a]),
                word_vectors(self.after.hidden, self.after.alignment.spans[b]),
            )
            for a, b in self.pairs
        ]
        distances: FloatArray = np.maximum(0, 1 - np.array(moved)) if moved else np.zeros((0, len(self.before.hidden)))
        return distances

    @cached_property
    def sentence_cosine(self) -> float:
        """Between the means of the last layer over all positions, as a sentence vector is made."""
        ends = [run.hidden[-1].astype(np.float64).mean(axis=0) for run in (self.before, self.after)]
        return float(np.clip(ends[0] @ ends[1] / np.linalg.norm(ends[0]) / np.linalg.norm(ends[1]), -1, 1))

    def attention(self, after: bool) -> WordAttention:
        return e5.word_attention(self.after if after else self.before)

    def picture(self, after: bool) -> AttentionMap:
        """The chosen head between words."""
        return attention_map(self.attention(after), [(self.layer, self.head)])


def current(lesson: Lesson) -> Effect:
    """The effect of the plan in the link on the lesson's sentence. InputError: the real model cannot read that."""
    return of(lesson, plans.current())


def of(lesson: Lesson, plan: Plan) -> Effect:
    """The effect of a plan, from what is small enough to be kept."""
    before = cache.encoder_run(lesson.words)
    carried, problem = plans.rewrite(lesson.words, plan), None
    try:
        run = cache.encoder_run(carried.words)
    except InputError as error:
        carried, run, problem = plans.without_rewriting(lesson.words, plan), before, error
    words = carried.words
    changes = plans.in_model(run, plan, carried.idle)
    after = before if words == lesson.words and changes.first_layer is None else cache.changed_run(words, changes)
    pairs = match_words([word.text for word in lesson.words], [word.text for word in words])
    layer, head = (lesson.layer, lesson.head) if lesson.source == "real" else FIRST
    word = lesson.word
    if word is None:
        word = sharpest_row(attention_map(e5.word_attention(before), [(layer, head)]).weights)
    return Effect(
        plan=plan,
        before=before,
        after=after,
        changes=changes,
        old=lesson.labels,
        new=tuple(labels([word.text for word in words])),
        pairs=pairs,
        layer=layer,
        head=head,
        word=word,
        partner=dict(pairs).get(word),
        idle=carried.idle,
        problem=problem,
    )

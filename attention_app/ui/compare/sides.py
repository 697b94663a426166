"""The two sides of a comparison: the sentence of the lesson, and what it is held against."""

from __future__ import annotations

from dataclasses import dataclass

from attention_app.labels import labels
from attention_app.ui import cache, state
from attention_app.ui.lesson import Lesson
from attention_core.attention_map import AttentionMap, attention_map
from attention_core.comparison import Pairs, differences, match_words, row_change
from attention_core.errors import InputError
from attention_core.measures import sharpest_row
from attention_core.sources import Settings
from attention_core.trace import FloatArray, WordAttention
from attention_core.words import Word, cut_at, graphemes, join_words, load_contrasts, segment


@dataclass(frozen=True)
class Side:
    """One side: its words, their names in pictures, where its numbers come from, the head (from 0), what it shows."""

    words: tuple[Word, ...]
    labels: tuple[str, ...]
    source: str
    settings: Settings
    layer: int
    head: int
    map: AttentionMap

    @property
    def attention(self) -> WordAttention:
        """Asked of the cache each time, as in Lesson."""
        return cache.word_attention(self.words, self.source, self.settings)


@dataclass(frozen=True)
class Both:
    """upper and lower, as they stand on the page; pairs of words that belong together; the words that look, from 0.

    partner  the word below that belongs to the chosen one; None where there is none
    by_hand  the pairs are the learner's
    """

    versus: str
    upper: Side
    lower: Side
    pairs: Pairs
    word: int
    partner: int | None
    by_hand: bool

    @property
    def difference(self) -> FloatArray:
        """lower - upper between the pairs: (n_pairs, n_pairs)."""
        return differences(self.upper.map.weights, self.lower.map.weights, self.pairs)

    @property
    def row(self) -> int | None:
        """The chosen word's place among the pairs."""
        return next((at for at, pair in enumerate(self.pairs) if pair[0] == self.word), None)

    def changes(self) -> FloatArray | None:
        """How far the chosen word's row lies from its partner's in every head: (n_layers, n_heads); None: no partner.

        Between two heads of one sentence: how far every head's row lies from the upper head's.
        """
        if self.partner is None:
            return None
        a, b = self.upper.attention, self.lower.attention
        pair = (self.word, self.partner)
        if self.versus == "heads":
            at = (self.upper.layer, self.upper.head)
            return row_change(a.weights[at], b.weights, a.special[at], b.special, pair, self.pairs)
        return row_change(a.weights, b.weights, a.special, b.special, pair, self.pairs)


def current(lesson: Lesson) -> Both:
    """Both sides for the state of this run. What a link asks for and cannot be used is put back, with a note."""
    versus = str(state.get("versus"))
    attention = lesson.attention if not lesson.unfolded else _attention(lesson.words, lesson)
    upper = _side(lesson.words, lesson, lesson.layer, lesson.head)
    word = sharpest_row(upper.map.weights) if lesson.word is None else lesson.word
    if versus == "heads":
        for name, count in (("other_layer", attention.n_layers), ("other_head", attention.n_heads)):
            state.fit(name, count, min(int(str(state.SCHEMA[name].default)), count), tell=_first())
        layer, head = (int(str(state.get(name))) - 1 for name in ("other_layer", "other_head"))
        lower = _side(lesson.words, lesson, layer, head)
    else:
        words = _other_words(lesson) if versus == "sentences" else _other_cut(lesson)
        lower = _side(words, lesson, lesson.layer, lesson.head)
    pairs = match_words([word.text for word in upper.words], [word.text for word in lower.words])
    chosen = _by_hand(len(upper.words), len(lower.words)) if versus != "heads" else None
    shown = pairs if chosen is None else chosen
    return Both(versus, upper, lower, shown, word, dict(shown).get(word), chosen is not None)


def read_other(text: str, source: str) -> tuple[Word, ...]:
    """The words of another sentence. InputError: it cannot be used, as in the sentence box."""
    words = segment(text)
    cache.word_attention(words, source, state.settings())
    return words


def pair_text(pairs: Pairs) -> str:
    """Pairs as the parameter `pairs` holds them, from 1; "0" for none at all."""
    return ".".join(f"{a + 1}-{b + 1}" for a, b in pairs) or "0"


def partner_sentence(text: str) -> str | None:
    """What the sentence makes a ready pair with, if there is one."""
    for pair in load_contrasts():
        if pair.kind == "sentences" and text in (pair.a, pair.b):
            return pair.b if text == pair.a else pair.a
    return None


def _side(words: tuple[Word, ...], lesson: Lesson, layer: int, head: int) -> Side:
    shown = attention_map(_attention(words, lesson), [(layer, head)])
    names = tuple(labels([word.text for word in words]))
    return Side(words, names, lesson.source, lesson.settings, layer, head, shown)


def _attention(words: tuple[Word, ...], lesson: Lesson) -> WordAttention:
    return cache.word_attention(words, lesson.source, lesson.settings)


def _other_words(lesson: Lesson) -> tuple[Word, ...]:
    """The sentence chosen to compare with; without one the other half of a ready pair, or the same one to change."""
    text = str(state.get("other"))
    if text:
        try:
            return read_other(text, lesson.source)
        except InputError:
            state.reject("other", tell=True)
    partner = partner_sentence(join_words(lesson.words))
    return segment(partner) if partner else lesson.words


def _other_cut(lesson: Lesson) -> tuple[Word, ...]:
    """The sentence of the lesson, cut as the parameter says.

    Without one: jieba's cut if the lesson's is the learner's own, else every character by itself where that fits.
    """
    text = join_words(lesson.words)
    cut = str(state.get("other_cut"))
    try:
        if cut:
            words = cut_at(text, [int(position) for position in cut.split(".") if position != "0"])
        elif lesson.by_hand:
            words = segment(text)
        else:
            words = cut_at(text, range(1, sum(len(graphemes(word.text)) for word in lesson.words)))
        cache.word_attention(words, lesson.source, lesson.settings)
    except InputError:
        if cut:
            state.reject("other_cut", tell=_first())  # else the sentence has changed
        return segment(text)
    return words


def _by_hand(n_upper: int, n_lower: int) -> Pairs | None:
    """The learner's own pairs; None where there are none, or where they belong to other sentences."""
    raw = str(state.get("pairs"))
    if not raw:
        return None
    pairs = [] if raw == "0" else [tuple(int(number) - 1 for number in pair.split("-")) for pair in raw.split(".")]
    uppers, lowers = ({pair[side] for pair in pairs} for side in (0, 1))
    fits = all(0 <= a < n_upper and 0 <= b < n_lower for a, b in pairs)
    if not fits or not len(uppers) == len(lowers) == len(pairs):
        state.reject("pairs", tell=_first())
        return None
    return tuple(sorted((a, b) for a, b in pairs))


def _first() -> bool:
    """Whether the page is shown for the first time: only then a value that is put back came with a link."""
    return state.recall("compared") is None

"""What the learner is looking at in this run: the words, their attention, and the chosen heads and word."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass

from attention_app.labels import labels
from attention_app.ui import cache, history, state
from attention_core.attention_map import AttentionMap, attention_map
from attention_core.errors import InputError
from attention_core.head_facts import FIRST
from attention_core.measures import sharpest_row
from attention_core.sources import Settings
from attention_core.sources.source_trace import SourceTrace
from attention_core.trace import MultiHeadTrace, WordAttention
from attention_core.words import Word, boundaries, cut_at, join_words, segment

_UNCUT = "0"  # the parameter `cut` of a sentence without boundaries; "" is jieba's cut


@dataclass(frozen=True)
class Lesson:
    """Everything counted from 0 here.

    words       the sentence; `labels` are their names in pictures
    source      where the weights come from, under the settings
    rows        names of the rows and columns of the picture
    starts      first row of each word (the word's own index unless unfolded)
    heads       the heads averaged in the picture; the first one is (layer, head)
    map         the picture's numbers
    word, row   the locked word and its first row, or None
    by_hand     the cut is not jieba's
    problem     why the typed sentence is not the one shown, or None
    """

    words: tuple[Word, ...]
    labels: tuple[str, ...]
    source: str
    settings: Settings
    rows: tuple[str, ...]
    starts: tuple[int, ...]
    heads: tuple[tuple[int, int], ...]
    map: AttentionMap
    word: int | None
    unfolded: bool
    by_hand: bool
    problem: InputError | None

    @property
    def attention(self) -> WordAttention:
        """Between the rows of the picture: the words, or with `unfolded` the pieces of the real model.

        Asked of the cache each time: a lesson lives as long as its session, in callbacks and downloads, and would
        keep the run's megabytes in memory.
        """
        if self.unfolded:
            return cache.piece_attention(self.words)
        return cache.word_attention(self.words, self.source, self.settings)

    @property
    def layer_trace(self) -> MultiHeadTrace:
        """The chosen layer with all its heads."""
        source = self.source_trace
        return source.multi_head if source else cache.layer_trace(self.words, self.layer)

    @property
    def source_trace(self) -> SourceTrace | None:
        """Everything an untrained source computes; None for the real model."""
        return None if self.source == "real" else cache.source_trace(self.words, self.source, self.settings)

    @property
    def place(self) -> str:
        """What a text calls the place of the numbers by: "mean" of several heads, else the source."""
        return "mean" if len(self.heads) > 1 else self.source

    @property
    def layer(self) -> int:
        return self.heads[0][0]

    @property
    def head(self) -> int:
        return self.heads[0][1]

    @property
    def row(self) -> int | None:
        return None if self.word is None else self.starts[self.word]

    def word_of_row(self, row: int) -> int:
        """The word a row belongs to."""
        return max(word for word, start in enumerate(self.starts) if start <= row)


def current() -> Lesson:
    """The lesson for the state of this run; one that cannot be used leaves another in the picture."""
    first = state.recall("source") is None
    source, settings = str(state.get("source")), state.settings()
    words, problem = _words(first, source, settings)
    attention = cache.word_attention(words, source, settings)
    names = tuple(labels([word.text for word in words]))

    _follow_source(source, first)
    state.fit("layer", attention.n_layers, _start(source)[0], tell=first)
    state.fit("head", attention.n_heads, _start(source)[1], tell=first)
    heads = _heads(attention, first)

    if first and problem:
        state.put("word", None)  # the link's word is one of a sentence that is not shown
    elif not first and state.recall("words") != words:
        state.put("word", _same_place(words))
    sharpest = _sharpest_word(words, attention_map(attention, heads))
    state.fit("word", len(words), sharpest + 1, tell=first)
    state.remember("words", words)
    locked = int(str(state.get("word")))

    unfolded = source == "real" and bool(state.get("pieces"))
    rows, starts = names, tuple(range(len(words)))
    if unfolded:
        attention = cache.piece_attention(words)
        rows = tuple(labels([piece.text for piece in attention.words]))
        starts = tuple(start - 1 for start, _ in cache.encoder_run(words).alignment.spans)  # row 0 is position 1
    return Lesson(
        words=words,
        labels=names,
        source=source,
        settings=settings,
        rows=rows,
        starts=starts,
        heads=heads,
        map=attention_map(attention, heads, show_special=bool(state.get("special"))),
        word=locked - 1 if locked else None,
        unfolded=unfolded,
        by_hand=_by_hand(words, str(state.recall("shown_text"))),
        problem=problem,
    )


def _words(first: bool, source: str, settings: Settings) -> tuple[tuple[Word, ...], InputError | None]:
    """The words to show, and why they are not those of the typed sentence, if so."""
    text = str(state.get("text"))
    if not first and text != state.recall("typed"):
        state.put("cut", "")  # a cut belongs to its sentence
    state.remember("typed", text)
    problem: InputError | None = None
    try:
        words = _cut(text, first)
        cache.word_attention(words, source, settings)  # it has limits of its own; the caller finds it in the cache
        shown = history.Step(text, str(state.get("cut")))
    except InputError as error:
        problem = error
        words, shown = _instead(source, settings)
    history.note(shown)
    state.remember("shown", shown)
    state.remember("shown_text", shown.text)
    state.remember("shown_cut", shown.cut)
    return words, problem


def _instead(source: str, settings: Settings) -> tuple[tuple[Word, ...], history.Step]:
    """The last sentence that was shown; the first lesson's, if there is none or the source in use cannot take it."""
    last = state.recall("shown")
    if isinstance(last, history.Step):
        try:
            words = cut_at(last.text, _positions(last.cut)) if last.cut else segment(last.text)
            cache.word_attention(words, source, settings)
        except InputError:
            pass
        else:
            return words, last
    return segment(state.DEFAULT_SENTENCE), history.Step(state.DEFAULT_SENTENCE, "")


def _cut(text: str, first: bool) -> tuple[Word, ...]:
    cut = str(state.get("cut"))
    if cut:
        try:
            words = cut_at(text, _positions(cut))
        except InputError as error:
            if error.key != "bad_boundary":
                raise
            state.reject("cut", tell=first)
        else:
            if not _by_hand(words, text):
                state.put("cut", "")
            return words
    return segment(text)


def _positions(cut: str) -> list[int]:
    return [int(position) for position in cut.split(".") if position and cut != _UNCUT]


def cut_text(words: tuple[Word, ...]) -> str:
    """The words' boundaries as the parameter `cut` holds them; "0" for a sentence that is one word by hand."""
    return ".".join(map(str, boundaries(words))) or _UNCUT


def _by_hand(words: tuple[Word, ...], text: str) -> bool:
    """Whether these are not jieba's words. A cut by hand may fit where jieba's has too many words."""
    try:
        return words != segment(text)
    except InputError:
        return True


def _sharpest_word(words: tuple[Word, ...], picture: AttentionMap) -> int:
    """The word to open on: the sharpest row, a punctuation mark's only where there is nothing else."""
    spoken = [i for i, word in enumerate(words) if any(character.isalnum() for character in word.text)]
    candidates = spoken or list(range(len(words)))
    return candidates[sharpest_row(picture.weights[candidates])]


def _same_place(words: tuple[Word, ...]) -> int | None:
    """The word, from 1, that now holds the first character of the locked one; 0 if none is; None in a new sentence."""
    before = state.recall("words")
    if not isinstance(before, tuple) or join_words(before) != join_words(words):
        return None
    locked = int(str(state.get("word") or 0))
    if not 0 < locked <= len(before):
        return 0
    start = (0, *boundaries(before))[locked - 1]
    return bisect_right(boundaries(words), start) + 1


def _heads(attention: WordAttention, first: bool) -> tuple[tuple[int, int], ...]:
    """The chosen head, and those that are averaged with it."""
    chosen = (int(str(state.get("layer"))) - 1, int(str(state.get("head"))) - 1)
    heads = [chosen]
    for pair in filter(None, str(state.get("mean")).split(".")):
        layer, head = (int(number) - 1 for number in pair.split("-"))
        if not (0 <= layer < attention.n_layers and 0 <= head < attention.n_heads):
            state.reject("mean", tell=first)
            return (chosen,)
        if (layer, head) not in heads:
            heads.append((layer, head))
    return tuple(heads)


def _follow_source(source: str, first: bool) -> None:
    """Each source keeps its own layer and head: who comes back to the real model finds the head that was left."""
    left = state.recall("source")
    kept = state.recall("heads")
    heads: dict[str, tuple[object, object]] = dict(kept) if isinstance(kept, dict) else {}
    if not first and left != source:
        layer, head = heads.get(source, _start(source))
        state.put("layer", layer)
        state.put("head", head)
        state.put("mean", "")
    heads[source] = (state.get("layer"), state.get("head"))
    state.remember("heads", heads)
    state.remember("source", source)


def _start(source: str) -> tuple[int, int]:
    return (FIRST[0] + 1, FIRST[1] + 1) if source == "real" else (1, 1)

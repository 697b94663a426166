"""What the learner has chosen: one schema, kept in the session, read from the URL once and written back after each run.

Streamlit drops a bad value of a bound widget silently; therefore a link is read and checked here before any widget
exists, and every value that had to be replaced leaves a note. Widgets use the parameter's name as their key.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

import streamlit as st

from attention_app.boxes import BOXES
from attention_app.text import LANGUAGES
from attention_core.head_facts import FIRST
from attention_core.learn.settings import HEADS, RATES, TASKS, LearnSettings
from attention_core.learn.settings import MAX_SEED as MAX_LEARN_SEED
from attention_core.learn.tasks import MOST_CHARACTERS
from attention_core.learn.training import N_STEPS
from attention_core.sources import D_MODELS, EMBEDDINGS, MAX_SEED, PROJECTIONS, SOURCES, Settings
from attention_core.translator import MAX_STEPS, MAX_WIDTH
from attention_core.words import MAX_WORDS

DEFAULT_SENTENCE = "我昨天去超市买了苹果。"  # the first example
DEFAULT_GAP = "我昨天买了一[?]红色的鞋"
MASKS = ("none", "causal", "padding", "hand")
GAINS = ("0.2", "0.4", "0.5", "0.6", "0.7", "0.8", "0.9", "1", "1.1", "1.2", "1.5", "2", "3")
MOST_SPOKEN = 120  # characters of a sentence of the page Transformer 结构
MOST_WIDE = 100_000  # n, d, k and r of the cost table
TEMPERATURES = ("0.01", "0.02", "0.05", "0.1", "0.2", "0.5", "1", "2", "5", "10", "20", "50", "100")
SCENES = ("library", "chat")
TAUS = ("0.005", "0.01", "0.02", "0.05", "0.1", "0.2", "0.5", "1")
STAGES = ("self", "norm_self", "cross", "norm_cross", "ffn", "norm_ffn", "out")
_PACKED = r"[A-Za-z0-9_-]{0,2000}"
_MOST_LAYERS, _MOST_HEADS = 6, 16  # of any translator; the page knows how many its own has
_CELL = r"[1-9]\d{0,2}-[1-9]\d{0,2}"  # row and column, from 1
_SPOKEN = rf".{{1,{MOST_SPOKEN}}}"
_CUT = r"(\d{1,3}(\.\d{1,3}){0,62})?"
_DEFAULTS = Settings()
_LEARN = LearnSettings()


@dataclass(frozen=True)
class Param:
    """One parameter of the URL.

    choices  the values it may take, or () for an integer between `low` and `high`, or for text
    pattern  what text must look like, as a regular expression; "" for any
    always   written into the URL even when it holds its default
    """

    name: str
    default: str | int | bool | None
    choices: tuple[str | int | bool, ...] = ()
    low: int = 0
    high: int = 0
    pattern: str = ""
    always: bool = False

    def read(self, raw: str) -> str | int | bool:
        """The value that `raw` stands for; ValueError if it stands for none."""
        if self.choices:
            for choice in self.choices:
                if self.write(choice) == raw:
                    return choice
            raise ValueError(self.name)
        if not self.high:
            if self.pattern and not re.fullmatch(self.pattern, raw):
                raise ValueError(self.name)
            return raw
        if not re.fullmatch(r"[0-9]{1,6}", raw) or not self.low <= int(raw) <= self.high:
            raise ValueError(self.name)
        return int(raw)

    def write(self, value: object) -> str:
        return {True: "on", False: "off"}[value] if isinstance(value, bool) else str(value)


@dataclass(frozen=True)
class Note:
    """A value in the link that was replaced: a text key below `note` and the parameter with its limits."""

    key: str
    param: Param


SCHEMA = {
    param.name: param
    for param in (
        Param("lang", "zh", LANGUAGES),
        Param("text", DEFAULT_SENTENCE, always=True),
        Param("source", "real", tuple(SOURCES), always=True),
        Param("layer", FIRST[0] + 1, low=1, high=max(source.n_layers for source in SOURCES.values()), always=True),
        Param("head", FIRST[1] + 1, low=1, high=max(source.n_heads for source in SOURCES.values()), always=True),
        Param("word", None, low=0, high=MAX_WORDS, always=True),  # 0: no word is locked
        Param("cut", "", pattern=_CUT),  # boundaries set by hand, in graphemes
        Param(
            "mean", "", pattern=r"(\d{1,2}-\d{1,2}(\.\d{1,2}-\d{1,2}){0,142})?"
        ),  # heads averaged with layer and head
        Param("special", True, (True, False)),
        Param("pieces", False, (True, False)),
        Param("direction", "out", ("out", "in")),
        Param("scale", "fixed", ("fixed", "row")),
        Param("decimals", 2, (2, 3, 4, 5, 6)),
        Param("least", 1, low=0, high=50),  # hundredths: weaker lines are not drawn
        Param("present", False, (True, False)),
        Param("numbers", True, (True, False)),
        Param("d_model", _DEFAULTS.d_model, D_MODELS),
        Param("embedding", _DEFAULTS.embedding, EMBEDDINGS),
        Param("positions", _DEFAULTS.positions, (True, False)),
        Param("projection", _DEFAULTS.projection, PROJECTIONS),
        Param("seed", _DEFAULTS.seed, low=0, high=MAX_SEED),
        # The page 一步一步.
        Param("step", 1, low=0, high=7),  # 0: all of them on one page
        Param("way", "all", ("all", "one")),  # all words, or the chosen one alone
        Param("part", "q", ("q", "k", "v")),  # of the step that makes Q, K and V
        Param("scaled", True, (True, False)),
        Param("mask", "none", MASKS),
        Param("pad", 1, low=1, high=MAX_WORDS - 1),  # words at the end that only fill up
        Param("hidden", "", pattern=rf"({_CELL}(\.{_CELL}){{0,299}})?"),  # cells masked by hand
        Param("temperature", "1", TEMPERATURES),
        Param("edits", "", pattern=r"[A-Za-z0-9_-]{0,2000}"),  # numbers of the toy changed by hand
        Param("cell", "", pattern=rf"({_CELL})?"),  # the kept cell between two positions
        Param("cell_dim", "", pattern=rf"({_CELL})?"),  # the kept cell of X, Q, K, V or Z
        # The page 多头与拼接.
        Param("off", "", pattern=r"([1-9]\d?(\.[1-9]\d?){0,11})?"),  # heads switched off, from 1
        Param("dim", None, low=1, high=max(source.d_model for source in SOURCES.values())),  # of the output
        # The page 为什么需要注意力.
        Param("gain", "0.9", GAINS),  # of the recurrent weights
        Param("moment", MAX_WORDS, low=0, high=MAX_WORDS),  # words read so far; the most: all of them
        Param("pair", "", pattern=r"(\d{1,2}-\d{1,2})?"),  # from which word to which; "": chosen by the page
        Param("cost_n", 50, low=1, high=MOST_WIDE),
        Param("cost_d", 512, low=1, high=MOST_WIDE),
        Param("cost_k", 3, low=2, high=MOST_WIDE),
        Param("cost_r", 10, low=1, high=MOST_WIDE),
        # The page 动手改.
        Param("tool", "heads", ("heads", "words", "row")),
        Param("changes", "", pattern=r"[A-Za-z0-9_-]{0,2000}"),
        # The page 比一比.
        Param("versus", "heads", ("heads", "sentences", "cuts")),
        Param("other_layer", 8, low=1, high=max(source.n_layers for source in SOURCES.values())),
        Param("other_head", 5, low=1, high=max(source.n_heads for source in SOURCES.values())),
        Param("other", ""),  # the other sentence
        Param("other_cut", "", pattern=_CUT),  # the other cut of the same sentence
        Param("pairs", "", pattern=rf"0|({_CELL}(\.{_CELL}){{0,63}})?"),  # words that belong together, by hand
        # The page 翻译与交叉注意力.
        Param("beam", 1, tuple(range(1, MAX_WIDTH + 1))),
        Param("made", MAX_STEPS, low=0, high=MAX_STEPS),  # steps taken so far; the most: all of them
        Param("prefix", "", pattern=_PACKED),  # the pieces up to the last one that the learner picked
        Param("decoder_layer", None, low=1, high=_MOST_LAYERS),  # the page knows the best one
        Param("decoder_head", 0, low=0, high=_MOST_HEADS),  # 0: the mean of all heads
        Param("unmasked", False, (True, False)),
        Param("stage", "cross", STAGES),  # of the path through the decoder block
        Param("reference", "", pattern=_PACKED),  # a translation given from outside
        # The page Q、K、V 是什么.
        Param("scene", "library", SCENES),
        Param("tau", "0.01", TAUS),  # temperature of the scene: the one the model was trained with
        Param("shelf", "", pattern=r"[A-Za-z0-9_-]{0,2000}"),  # requests and rows of the scenes changed by hand
        # The page 看它学会.
        Param("task", _LEARN.task, TASKS),
        Param("learn_positions", _LEARN.positions, (True, False)),
        Param("learn_scaled", _LEARN.scaled, (True, False)),
        Param("learn_heads", _LEARN.n_heads, HEADS),
        Param("rate", str(_LEARN.rate), tuple(map(str, RATES))),
        Param("learn_seed", _LEARN.seed, low=0, high=MAX_LEARN_SEED),
        Param("gap", DEFAULT_GAP, pattern=rf"[\s\S]{{0,{MOST_CHARACTERS}}}"),  # the sentence with [?]
        Param("learn_step", None, low=0, high=N_STEPS),  # steps taken; None: nobody has chosen one
        Param("weight", "", pattern=r"(\d-\d{1,2}-\d{1,2})?"),  # of W_Q: head, row, column
        # The page Transformer 结构.
        Param("box", "attention", BOXES),
        Param("position_view", "wave", ("wave", "like", "order")),
        Param("wave_pair", 1, low=1, high=SOURCES["real"].d_model // 2),  # of sine and cosine
        Param("order", "swap", ("swap", "reverse", "shift")),
        Param("order_positions", False, (True, False)),
        Param("mask_kind", "causal", ("causal", "padding", "both", "cross")),
        Param("second", "我打他", pattern=_SPOKEN),  # the other sentence of a padded batch
        Param("target", "I bought apples at the supermarket yesterday", pattern=_SPOKEN),  # of the decoder
        Param("target_place", 3, low=1, high=MAX_WORDS + 1),
    )
}


def begin() -> None:
    """Fill the session from the URL on its first run; on later runs keep every value alive.

    Streamlit forgets a widget's value after a run that did not draw it (another page, or a page without its frame).
    """
    kept = st.session_state.get("_kept")
    if kept:
        for name in SCHEMA:
            st.session_state[name] = st.session_state.get(name, kept[name])
        if not _went_back(kept):
            return
        remember("source", None)  # as for a first visit, the link's values go together
    st.session_state["_notes"] = []
    remember("shared", "text" in st.query_params)  # a link to a picture, not the bare address
    for name, param in SCHEMA.items():
        st.session_state[name] = param.default
        if name in st.query_params:
            try:
                st.session_state[name] = param.read(st.query_params[name])
            except ValueError:
                _note(param)
    keep()


def _went_back(kept: dict[str, object]) -> bool:
    """Whether this run came from the browser's back or forward button: another link, and nothing chosen on the page."""
    chosen = any(st.session_state[name] != kept[name] for name in SCHEMA)
    link = st.query_params.to_dict()
    return "text" in link and not chosen and link != recall("link")


def keep() -> None:
    """Remember the values of this run for the next one."""
    st.session_state["_kept"] = {name: st.session_state[name] for name in SCHEMA}


def get(name: str) -> object:
    return st.session_state[name]


def put(name: str, value: object) -> None:
    """Set a parameter; only before its widget is drawn in this run, or in a callback."""
    st.session_state[name] = value


def reset() -> None:
    """Everything as a first visit shows it, but in the language in use. In a callback only."""
    for name, param in SCHEMA.items():
        if name != "lang":
            put(name, param.default)
    remember("heads", {})
    remember("typed", DEFAULT_SENTENCE)


def recall(name: str) -> object:
    """A value the session remembers beside the schema, or None."""
    return st.session_state.get(f"_{name}")


def remember(name: str, value: object) -> None:
    st.session_state[f"_{name}"] = value


def fit(name: str, high: int, default: int, *, tell: bool) -> None:
    """Replace an integer that is above the `high` that holds now; `tell` leaves a note if a link gave it.

    A note that the link's value was refused learns here what holds now and what is used instead.
    """
    value, param = get(name), replace(SCHEMA[name], high=high, default=default)
    if value is None or not param.low <= int(str(value)) <= high:
        put(name, default)
        waiting: list[Note] = st.session_state["_notes"]
        if any(note.param.name == name for note in waiting):
            st.session_state["_notes"] = [note for note in waiting if note.param.name != name]
            _note(param)
        elif tell and value is not None and name in st.query_params:
            _note(param)


def reject(name: str, *, tell: bool) -> None:
    """Put a value back to its default because it does not fit the others; `tell` leaves a note."""
    put(name, SCHEMA[name].default)
    if tell:
        _note(SCHEMA[name])


def settings() -> Settings:
    return Settings(**{name: get(name) for name in ("d_model", "embedding", "positions", "projection", "seed")})  # type: ignore[arg-type]


def learn_settings() -> LearnSettings:
    """What the page 看它学会 trains with."""
    return LearnSettings(
        task=str(get("task")),
        positions=bool(get("learn_positions")),
        scaled=bool(get("learn_scaled")),
        n_heads=int(str(get("learn_heads"))),
        rate=float(str(get("rate"))),
        seed=int(str(get("learn_seed"))),
    )


def take_notes() -> list[Note]:
    """The notes that wait to be shown, each once."""
    notes: list[Note] = st.session_state["_notes"]
    st.session_state["_notes"] = []
    return notes


def publish() -> None:
    """Remember the state and write it into the URL: the address bar is the link to exactly this picture.

    A sentence that cannot be shown stays in its box; the link holds the one that is shown.
    """
    keep()
    values = {name: get(name) for name in SCHEMA}
    if recall("shown_text"):
        values["text"], values["cut"] = recall("shown_text"), recall("shown_cut")
    wanted = {
        name: param.write(values[name])
        for name, param in SCHEMA.items()
        if values[name] is not None and (param.always or values[name] != param.default)
    }
    remember("link", wanted)
    if st.query_params.to_dict() != wanted:
        st.query_params.from_dict(wanted)


def _note(param: Param) -> None:
    ranged = param.high and param.default is not None  # without a default of its own, its page says what is used
    key = "no_such_word" if param.name == "word" else "out_of_range" if ranged else "unknown_choice"
    st.session_state["_notes"].append(Note(key, param))

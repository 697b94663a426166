"""Where X and the weights come from: the sources that a person can choose, and their settings."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from attention_core.errors import InputError

EMBEDDINGS = ("word_vectors", "one_hot", "seeded")
PROJECTIONS = ("identity", "seeded")
D_MODELS = (4, 6, 8)
MAX_SEED = 9999


@dataclass(frozen=True)
class Settings:
    """What a person can change about an untrained source; hashable, so it can be a cache key.

    d_model     width of the toy: 4 fits on a sheet of paper, 6 and 8 show that nothing depends on it
    embedding   where X comes from. "word_vectors", the default, are real: no random number unless somebody asks for it.
                "one_hot" draws a table with one row for each different word, in the order of the sentence.
                "seeded" draws a vector from each word's own text: the same word has it in every sentence
    positions   add the sinusoidal positions to X. Off, X is exactly the embedding; on, order begins to matter
    projection  the weights of "vectors": "identity" (W = I, nothing drawn) or "seeded"
    seed        0 to 9999, for everything that is drawn

    A source reads the settings named in its SourceInfo and ignores the others. InputError: a value outside its range.
    """

    d_model: int = 4
    embedding: str = "word_vectors"
    positions: bool = False
    projection: str = "identity"
    seed: int = 0

    def __post_init__(self) -> None:
        _check_choice("d_model", self.d_model, D_MODELS)
        _check_choice("embedding", self.embedding, EMBEDDINGS)
        _check_choice("positions", self.positions, (False, True))
        _check_choice("projection", self.projection, PROJECTIONS)
        if type(self.seed) is not int or not 0 <= self.seed <= MAX_SEED:
            raise InputError("out_of_range", name="seed", low=0, high=MAX_SEED, value=self.seed)


@dataclass(frozen=True)
class SourceInfo:
    """What a source is like. trained: False = a screen must say that these weights learned nothing.

    settings: the fields of Settings that change what the source computes.
    """

    name: str
    trained: bool
    n_layers: int
    n_heads: int
    d_model: int
    d_head: int
    settings: tuple[str, ...] = ()


SOURCES = {
    info.name: info
    for info in (
        SourceInfo("real", trained=True, n_layers=12, n_heads=12, d_model=384, d_head=32),
        SourceInfo("toy", False, 1, 2, 4, 2, settings=("d_model", "embedding", "positions", "seed")),
        SourceInfo("paper", False, 1, 8, 512, 64, settings=("embedding", "positions", "seed")),
        SourceInfo("vectors", False, 1, 1, 75, 75, settings=("projection", "seed")),
    )
}


def source_info(name: str, settings: Settings | None = None) -> SourceInfo:
    """The source under these settings: the toy's width is one, and word vectors without weights draw nothing by seed.

    InputError: there is no such source.
    """
    _check_choice("source", name, tuple(SOURCES))
    info = SOURCES[name]
    if settings is None:
        return info
    if name == "vectors" and settings.projection == "identity":
        return replace(info, settings=("projection",))
    if name != "toy":
        return info
    return replace(info, d_model=settings.d_model, d_head=settings.d_model // info.n_heads)


def used_settings(name: str, settings: Settings) -> Settings:
    """The settings that the source reads, those it ignores at their defaults: equal ones give equal numbers."""
    return Settings(**{field: getattr(settings, field) for field in source_info(name, settings).settings})


def training(name: str, settings: Settings) -> Literal["trained", "untrained", "plain"]:
    """What must be said about the source's weights; "plain": it has no weight matrices at all."""
    if name == "vectors" and settings.projection == "identity":
        return "plain"
    return "trained" if source_info(name).trained else "untrained"


def _check_choice(name: str, value: object, choices: tuple[object, ...]) -> None:
    # the type is compared too: 4.0 == 4 and True == 1 would make two cache keys out of one setting
    if not any(type(value) is type(choice) and value == choice for choice in choices):
        raise InputError("unknown_choice", name=name, choices=", ".join(map(str, choices)), value=value)

"""What a person can choose before the training starts."""

from __future__ import annotations

from dataclasses import dataclass

from attention_core.errors import InputError

TASKS = ("measure", "copy", "shuffled")
HEADS = (1, 2, 4)
RATES = (0.0003, 0.003, 0.01, 0.3)  # too small, good, fast, too large
MAX_SEED = 99


@dataclass(frozen=True)
class LearnSettings:
    """Hashable, so it can be a cache key. InputError: a value outside its range.

    task       "measure": which measure word belongs into the gap; the noun decides, wherever it stands
               "copy": every word names the word before it; only the place decides
               "shuffled": as "measure", but the right answer is drawn by lot for every sentence: nothing to learn
    positions  add the sinusoidal positions to the embeddings
    scaled     divide the scores by sqrt(d_head)
    n_heads    1, 2 or 4; together they are always d_model wide
    rate       Adam's learning rate
    seed       for everything that is drawn: parameters and sentences
    """

    task: str = "measure"
    positions: bool = True
    scaled: bool = True
    n_heads: int = 2
    rate: float = 0.003
    seed: int = 0

    def __post_init__(self) -> None:
        for name, value, choices in (
            ("task", self.task, TASKS),
            ("positions", self.positions, (True, False)),
            ("scaled", self.scaled, (True, False)),
            ("n_heads", self.n_heads, HEADS),
            ("rate", self.rate, RATES),
        ):
            if value not in choices:
                raise InputError("unknown_choice", name=name, choices=", ".join(map(str, choices)), value=value)
        if type(self.seed) is not int or not 0 <= self.seed <= MAX_SEED:
            raise InputError("out_of_range", name="seed", low=0, high=MAX_SEED, value=self.seed)

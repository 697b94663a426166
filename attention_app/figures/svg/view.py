"""What a picture shows: the numbers on the screen, with their names and what is chosen."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from attention_app.figures.numbers import HIDDEN, number
from attention_core.attention_map import AttentionMap


@dataclass(frozen=True)
class Column:
    """A column in the order in which the model reads. index counts the words, or the special tokens."""

    index: int
    name: str
    special: bool


@dataclass(frozen=True)
class View:
    """One picture's numbers and how they are looked at; everything counts from 0.

    map        the weights
    labels     names of its rows and columns
    chosen     the word whose row ("out") or column ("in") is looked at; None: all of them
    direction  "out": whom a word looks at; "in": who looks at it
    decimals   of the numbers shown
    least      lines with a smaller weight are not drawn
    by_row     colours run from 0 to each row's largest weight instead of to 1
    numbers    whether numbers are shown; a class that guesses first hides them
    """

    map: AttentionMap
    labels: Sequence[str]
    chosen: int | None = None
    direction: str = "out"
    decimals: int = 2
    least: float = 0.0
    by_row: bool = False
    numbers: bool = True

    @property
    def columns(self) -> list[Column]:
        """The first special token, the words, the other special tokens."""
        special = [Column(i, name, True) for i, name in enumerate(self.map.special_names)]
        words = [Column(i, name, False) for i, name in enumerate(self.labels)]
        return [*special[:1], *words, *special[1:]]

    def weight(self, row: int, column: Column) -> float:
        numbers = self.map.special if column.special else self.map.weights
        return float(numbers[row, column.index])

    def shade(self, row: int, column: Column) -> float:
        """How dark a cell is, 0-1."""
        weight = self.weight(row, column)
        if not self.by_row:
            return weight
        most = max(float(numbers.max()) for numbers in (self.map.weights[row], self.map.special[row]) if numbers.size)
        return weight / most if most > 0 else 0.0

    def between(self, chosen: int, column: Column) -> float | None:
        """The weight between the chosen word and a column, in the direction looked at; None: that one does not look."""
        if self.direction == "out":
            return self.weight(chosen, column)
        return None if column.special else float(self.map.weights[column.index, chosen])

    def shown(self, weight: float) -> str:
        return number(weight, self.decimals) if self.numbers else HIDDEN

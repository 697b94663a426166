"""What a matrix on the screen is made of."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

import numpy as np

from attention_app.components.matrix.wire import packed
from attention_core.trace import BoolArray, FloatArray

Cell: TypeAlias = tuple[int, int]
Kind: TypeAlias = Literal["signed", "weights", "mask"]
Role: TypeAlias = Literal["", "query", "key", "value"]


@dataclass(frozen=True, eq=False)
class Matrix:
    """One matrix with its names.

    name          as it is written above it: "Q", "W_Q", "scores"; unique among the matrices shown together
    values        (n, m) numbers; -inf in a masked cell, or bool for a mask (True = may attend)
    rows          n names, words or pieces; () numbers them from 1, as for dimensions
    columns       m names, or () as above
    kind          "signed": violet minus, gold plus, 0 the card's own colour; "weights": 0-1, white to indigo;
                  "mask": 1 may attend, 0 may not
    groups        words over the rows: (name, number of rows) each, together n rows; () for none
    mask_reasons  why a cell is masked, by (row, column): such a cell is drawn as masked and says so
    role          whose colour the name and the lit row or column have: "query", "key", "value", or "" for none
    row_role      what the rows are where not what looks: whose colour a lit row's name has if its cells are pointed at
    note          one quiet phrase after the shape
    row_at        where the page's other views know the rows: index of the word (or piece), -1 and -2 for special
                  tokens; () if they do not
    column_at     the same for the columns
    editable      its numbers can be changed (see `on_edit`)
    of_columns    where these are some columns of a wider matrix: the first one's index in it, and how many it has
    answer        its numbers say what is to be guessed: while numbers are hidden they are covered in a source, too

    Raises ValueError if a length does not fit, a number is NaN, or a value that is not finite is not masked.
    """

    name: str
    values: FloatArray | BoolArray
    rows: Sequence[str] = ()
    columns: Sequence[str] = ()
    kind: Kind = "signed"
    groups: Sequence[tuple[str, int]] = ()
    mask_reasons: Mapping[Cell, str] = field(default_factory=dict)
    role: Role = ""
    row_role: Role = "query"
    note: str = ""
    row_at: Sequence[int] = ()
    column_at: Sequence[int] = ()
    editable: bool = False
    of_columns: tuple[int, int] | None = None
    answer: bool = False

    def __post_init__(self) -> None:
        if self.values.ndim != 2 or 0 in self.values.shape:
            raise ValueError(f"{self.name}: a matrix has rows and columns, not the shape {self.values.shape}")
        n, m = self.values.shape
        for what, given, size in (
            ("rows", self.rows, n),
            ("columns", self.columns, m),
            ("row_at", self.row_at, n),
            ("column_at", self.column_at, m),
        ):
            if given and len(given) != size:
                raise ValueError(f"{self.name}: {len(given)} {what} for a matrix of {n} x {m}")
        if self.of_columns and not 0 <= self.of_columns[0] <= self.of_columns[1] - m:
            raise ValueError(f"{self.name}: {m} columns from {self.of_columns[0]} are not within {self.of_columns[1]}")
        if self.groups and sum(size for _, size in self.groups) != n:
            raise ValueError(f"{self.name}: the groups hold {sum(size for _, size in self.groups)} rows, not {n}")
        if any(not (0 <= i < n and 0 <= j < m) for i, j in self.mask_reasons):
            raise ValueError(f"{self.name}: a masked cell lies outside of {n} x {m}")
        bad = ~np.isfinite(np.asarray(self.values, dtype=np.float64))
        for i, j in np.argwhere(bad):
            if self.values[i, j] != -np.inf or (int(i), int(j)) not in self.mask_reasons:
                raise ValueError(f"{self.name}: the cell ({i}, {j}) is {self.values[i, j]} and has no reason for it")

    @property
    def shape(self) -> tuple[int, int]:
        n, m = self.values.shape
        return n, m

    def as_data(self) -> dict[str, Any]:
        """For the view."""
        return {
            "name": self.name,
            "values": packed(self.values),
            "rows": list(self.rows),
            "columns": list(self.columns),
            "kind": self.kind,
            "groups": [list(group) for group in self.groups],
            "reasons": [[i, j, why] for (i, j), why in self.mask_reasons.items()],
            "role": self.role,
            "rowRole": self.row_role,
            "note": self.note,
            "rowAt": list(self.row_at),
            "columnAt": list(self.column_at),
            "editable": self.editable,
            "ofColumns": self.of_columns,
            "answer": self.answer,
        }

"""All matrices of a page: one CSV each, and one JSON that holds them all with where they come from."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Sequence
from typing import Any

import numpy as np

import attention_core
from attention_app.components.matrix import Matrix
from attention_app.ui.spreadsheet import cell
from attention_app.ui.take.kept import Take
from attention_app.ui.take.program import pack
from attention_core.sources import source_info

MASKED = "−∞"  # in a spreadsheet; null in JSON, which has no infinity
DIGITS = 9  # significant ones: a float32 comes back as it was


def zipped(take: Take) -> bytes:
    """matrices.json and a CSV for every matrix, numbered in the order of the lesson."""
    matrices = take.matrices()
    files = {"matrices.json": as_json(take, matrices).encode()}
    for nth, matrix in enumerate(matrices, start=1):
        name = re.sub(r"[^\w\-+]+", "_", matrix.name).strip("_")
        files[f"{nth:02d}_{name}.csv"] = as_csv(matrix)
    return pack(files)


def as_csv(matrix: Matrix) -> bytes:
    """A line for each row, with the names. Excel reads Chinese only behind a byte order mark."""
    rows, columns = names(matrix)
    file = io.StringIO()
    writer = csv.writer(file)
    writer.writerow([cell(matrix.name), *map(cell, columns)])
    for name, values in zip(rows, matrix.values, strict=True):
        writer.writerow([cell(name), *(f"{value:.{DIGITS}g}" if np.isfinite(value) else MASKED for value in values)])
    return file.getvalue().encode("utf-8-sig")


def as_json(take: Take, matrices: Sequence[Matrix]) -> str:
    lesson = take.lesson
    info = source_info(lesson.source, lesson.settings)
    content = {
        "sentence": take.sentence,
        "words": [word.text for word in lesson.words],
        "source": lesson.source,
        "trained": info.trained,
        "settings": {name: getattr(lesson.settings, name) for name in info.settings},
        "layer": lesson.layer + 1,
        **({"heads": lesson.attention.n_heads} if take.all_heads else {"head": lesson.head + 1}),
        "version": attention_core.__version__,
        "matrices": [_one(matrix) for matrix in matrices],
    }
    return json.dumps(content, ensure_ascii=False, allow_nan=False) + "\n"


def names(matrix: Matrix) -> tuple[list[str], list[str]]:
    """The names of rows and columns; dimensions are numbered from 1."""
    n, m = matrix.shape
    return list(matrix.rows or map(str, range(1, n + 1))), list(matrix.columns or map(str, range(1, m + 1)))


def _one(matrix: Matrix) -> dict[str, Any]:
    rows, columns = names(matrix)
    numbers = [
        [float(f"{value:.{DIGITS}g}") if np.isfinite(value) else None for value in values] for values in matrix.values
    ]
    return {"name": matrix.name, "shape": list(matrix.shape), "rows": rows, "columns": columns, "values": numbers}

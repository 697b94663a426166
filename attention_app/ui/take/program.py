"""运行它: a short program of NumPy alone, and the numbers it starts from."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

NUMBERS = "numbers.npz"
SCRIPT = "attention.py"
START = f"""\
from pathlib import Path

import numpy as np

it = np.load(Path(__file__).with_name("{NUMBERS}"))
"""


@dataclass(frozen=True, eq=False)
class Program:
    """script: Python that needs NumPy and the arrays, by their names; nothing that a person typed stands in it."""

    script: str
    arrays: Mapping[str, NDArray[np.generic]]


def zipped(program: Program) -> bytes:
    """The script and its .npz, in one file. Nothing in it is pickled."""
    numbers = io.BytesIO()
    np.savez_compressed(numbers, allow_pickle=False, **program.arrays)
    return pack({SCRIPT: program.script.encode(), NUMBERS: numbers.getvalue()})


def pack(files: Mapping[str, bytes]) -> bytes:
    """A .zip of these files."""
    whole = io.BytesIO()
    with zipfile.ZipFile(whole, "w", zipfile.ZIP_DEFLATED) as folder:
        for name, content in files.items():
            folder.writestr(name, content)
    return whole.getvalue()


def texts(names: tuple[str, ...]) -> NDArray[np.generic]:
    """Names as an array that is no pickle."""
    return np.array(names, dtype=np.str_)

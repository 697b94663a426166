"""Matrices on their way to the browser: all their bits, in few bytes."""

from __future__ import annotations

import base64
import zlib
from typing import TypedDict

import numpy as np

from attention_core.trace import BoolArray, FloatArray

FULL_UP_TO = 4096  # numbers: a matrix that small keeps float64, so that six decimals of a worked example are right


class Packed(TypedDict):
    """base64 of zlib of the numbers' bytes: first the lowest byte of every number, then the next one, and so on."""

    shape: list[int]
    bytes: int
    data: str


def packed(values: FloatArray | BoolArray) -> Packed:
    """(n, m) -> its numbers as float32, or as float64 where they are few and came so.

    Bytes of the same rank lie together because signs and exponents repeat and low bytes are often 0: the real model's
    W of 384 x 32 needs a third of its bytes.
    """
    wide = values.dtype == np.float64 and values.size <= FULL_UP_TO
    numbers = np.ascontiguousarray(values, dtype="<f8" if wide else "<f4")
    size = numbers.itemsize
    planes = np.frombuffer(numbers.tobytes(), np.uint8).reshape(-1, size).T
    data = base64.b64encode(zlib.compress(planes.tobytes(), 6)).decode("ascii")
    return {"shape": list(values.shape), "bytes": size, "data": data}

"""Linked matrices: two factors and their product, a matrix and its transform, a sum of matrices, or one matrix.

Point at a cell of the result, or walk there with the arrow keys: its row and its column light up and the sum that made
it is spelled out with its numbers. A click or Enter keeps it. Nothing of this asks the server but keeping and editing.

    from attention_app.components import matrix
    from attention_app.components.matrix import Matrix

    texts = matrix.texts(load("matrix", language).entries)

    # scores = Q K^T: K is drawn as it is, words in rows, and used as its transpose
    q = Matrix("Q", trace.q[head], rows=pieces, role="query", groups=[("<s>", 1), ("买", 1), ("苹果", 2), ("</s>", 1)])
    k = Matrix("K", trace.k[head], rows=pieces, role="key", groups=groups)
    scores = Matrix("scores", trace.scores[head], rows=pieces, columns=pieces, row_at=places, column_at=places)
    matrix.product(q, k, scores, transposed=True, key="scores", cell=cell, decimals=2, texts=texts, on_cell=keep)

    # Q = X W_Q + b_Q
    matrix.product(x, w_q, q, bias=trace.b_Q[head], key="q", decimals=2, texts=texts)

    # scores / sqrt(d_k), the mask, the softmax
    matrix.transform(scores, scaled, how=Scale(math.sqrt(32), "√32"), key="scaled", decimals=2, texts=texts)
    matrix.transform(scaled, masked, how="mask", key="masked", decimals=2, texts=texts)
    matrix.transform(masked, weights, how=Softmax(temperature=1), key="softmax", decimals=2, texts=texts)

    # the first layer's input = layer norm of word + position + type
    matrix.addition([word, position, kind], summed, key="sum", decimals=3, texts=texts)
    matrix.transform(summed, x, how=Norm(gain, bias, eps), key="input", decimals=3, texts=texts)

    # one matrix whose numbers can be changed
    matrix.single(Matrix("X", x, rows=words, editable=True), key="x", decimals=2, texts=texts, on_edit=put_number)

Common arguments:

    key       names the component on its page and keeps its state; one of a kind
    cell      the kept cell (row, column) of the result, counted from 0, or None; feed back what `on_cell` got
    decimals  shown decimals, 0-6
    texts     the view's own words, see `texts`
    rest      the cell of the result that is framed while nobody points and none is kept; None: the largest number's
    hidden    the result's numbers, and those of a source that would give the answer away (Matrix.answer), stay covered
              until the learner uncovers them, one by one or all
    on_cell   on_cell((row, column)) or on_cell(None) in a callback, before the next run: put it into the state
    on_edit   on_edit(name, row, column, value) in a callback, for a number that was changed in an editable matrix

They raise ValueError if shapes do not fit, if a result is not what its factors make (a picture of this app is never
wrong), or if `cell` or `rest` lies outside the result. Numbers travel once, as float32 (float64 where few), and apart
from the kept cell; wide or tall matrices show a colour strip of the whole and a window of numbers that can be moved.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Required, TypedDict, Unpack

import numpy as np
import streamlit as st

from attention_app.components import register
from attention_app.components.given import give
from attention_app.components.matrix.model import Cell, Matrix
from attention_core.ops import layer_norm
from attention_core.trace import FloatArray

__all__ = [
    "LIMIT",
    "Cell",
    "Matrix",
    "Norm",
    "OnCell",
    "Scale",
    "Softmax",
    "addition",
    "product",
    "single",
    "texts",
    "transform",
]

LIMIT = 999.0  # a number typed by hand lies between -LIMIT and LIMIT
OnCell = Callable[[Cell | None], None]
OnEdit = Callable[[str, int, int, float], None]
_mount = register("matrix")


class Common(TypedDict, total=False):
    """What every call takes; see above."""

    key: Required[str]
    decimals: Required[int]
    texts: Required[Mapping[str, str]]
    cell: Cell | None
    rest: Cell | None
    hidden: bool
    on_cell: OnCell | None
    on_edit: OnEdit | None


@dataclass(frozen=True)
class Scale:
    """Every number divided by `divisor`; `sign` is how the divisor is written, "√32"."""

    divisor: float
    sign: str


@dataclass(frozen=True)
class Softmax:
    """Every row: exp((number - row maximum) / temperature), divided by the row's sum of these."""

    temperature: float = 1.0


@dataclass(frozen=True, eq=False)
class Norm:
    """Layer norm of every row: (number - row mean) / sqrt(row variance + eps), times gain (m,), plus bias (m,)."""

    gain: FloatArray
    bias: FloatArray
    eps: float


def texts(entries: Mapping[str, str], prefix: str = "matrix") -> dict[str, str]:
    """The view's words out of all entries of text/matrix.*.toml, their fields still open."""
    start = f"{prefix}."
    return {key.removeprefix(start): value for key, value in entries.items() if key.startswith(start)}


def product(
    left: Matrix,
    right: Matrix,
    result: Matrix,
    *,
    transposed: bool = False,
    bias: FloatArray | None = None,
    **common: Unpack[Common],
) -> None:
    """left (n, k) times right (k, m), plus bias (m,) on every row, = result (n, m).

    With `transposed` right is (m, k), drawn so and used as its transpose: the rows of Q against the rows of K.
    """
    factor = right.values.T if transposed else right.values
    if left.shape[1] != factor.shape[0] or result.shape != (left.shape[0], factor.shape[1]):
        raise ValueError(
            f"{left.name} {left.shape} times {right.name} {factor.shape} is not {result.name} {result.shape}"
        )
    if bias is not None and bias.shape != (result.shape[1],):
        raise ValueError(f"the bias of {result.name} has the shape {bias.shape}, not ({result.shape[1]},)")
    added = np.zeros(result.shape[1]) if bias is None else bias.astype(np.float64)
    _check(result, left.values.astype(np.float64) @ factor.astype(np.float64) + added)
    how = {"op": "product", "transposed": transposed, "bias": None if bias is None else added.tolist()}
    _show([left, right], result, how, **common)


def transform(
    source: Matrix, result: Matrix, *, how: Scale | Softmax | Norm | Literal["mask"], **common: Unpack[Common]
) -> None:
    """source (n, m) and result (n, m), cell by cell or row by row.

    how  Scale(divisor, sign), "mask" (result is source, or -inf with a reason), Softmax(temperature), or
         Norm(gain, bias, eps)
    """
    if source.shape != result.shape:
        raise ValueError(f"{source.name} {source.shape} cannot become {result.name} {result.shape}")
    values = source.values.astype(np.float64)
    data: dict[str, Any]
    match how:
        case Scale(divisor, sign):
            _check(result, values / divisor)
            data = {"op": "scale", "divisor": divisor, "sign": sign}
        case Softmax(temperature):
            if not temperature > 0:
                raise ValueError("the temperature must be above 0")
            top = values.max(axis=1, keepdims=True)
            if not np.isfinite(top).all():
                raise ValueError(f"a row of {source.name} is masked out entirely")
            powers = np.exp((values - top) / temperature)
            _check(result, powers / powers.sum(axis=1, keepdims=True))
            data = {"op": "softmax", "temperature": temperature}
        case Norm(gain, bias, eps):
            gain, bias = gain.astype(np.float64), bias.astype(np.float64)
            _check(result, layer_norm(values, gain, bias, eps))
            data = {"op": "norm", "gain": gain.tolist(), "bias": bias.tolist(), "eps": eps}
        case _:
            _check(result, np.where(np.isneginf(result.values), -np.inf, values))
            data = {"op": "mask"}
    _show([source], result, data, **common)


def addition(terms: Sequence[Matrix], result: Matrix, **common: Unpack[Common]) -> None:
    """The sum of matrices of one shape (n, m), cell by cell."""
    for term in terms:
        if term.shape != result.shape:
            raise ValueError(f"{term.name} {term.shape} cannot be a part of {result.name} {result.shape}")
    _check(result, np.sum([term.values.astype(np.float64) for term in terms], axis=0))
    _show(list(terms), result, {"op": "add"}, **common)


def single(matrix: Matrix, **common: Unpack[Common]) -> None:
    """One matrix (n, m), to be looked through or changed."""
    _show([], matrix, {"op": "single"}, **common)


def _check(result: Matrix, expected: FloatArray) -> None:
    """The result is what was computed anew from its factors, within what float32 loses on the way."""
    finite = np.isfinite(expected)
    size = float(np.abs(expected[finite]).max(initial=1.0))
    if not np.allclose(result.values.astype(np.float64), expected, rtol=1e-3, atol=1e-4 * size):
        raise ValueError(f"{result.name} is not what its factors make")


def _show(
    sources: list[Matrix],
    result: Matrix,
    how: Mapping[str, Any],
    *,
    key: str,
    decimals: int,
    texts: Mapping[str, str],
    cell: Cell | None = None,
    rest: Cell | None = None,
    hidden: bool = False,
    on_cell: OnCell | None = None,
    on_edit: OnEdit | None = None,
) -> None:
    names = [matrix.name for matrix in (*sources, result)]
    if len(set(names)) < len(names):
        raise ValueError(f"matrices shown together need names of their own, not {names}")
    # The callbacks live as long as their session: they know the shapes and hold on to no matrix.
    shape, editable = result.shape, {one.name: one.shape for one in (*sources, result) if one.editable}
    for framed in (cell, rest):
        if framed is not None and not _inside(framed, shape):
            raise ValueError(f"the cell {framed} lies outside of {result.name} {result.shape}")
    if not 0 <= decimals <= 6:
        raise ValueError(f"0 to 6 decimals can be shown, not {decimals}")

    def picked() -> None:
        sent = st.session_state[key].get("cell")
        if on_cell is not None and (sent == "none" or _inside(sent, shape)):
            on_cell(None if sent == "none" else (sent[0], sent[1]))

    def edited() -> None:
        edit = _edit(st.session_state[key].get("edit"), editable)
        if on_edit is not None and edit is not None:
            on_edit(*edit)

    given = {
        "sources": [source.as_data() for source in sources],
        "result": result.as_data(),
        "how": dict(how),
        "limit": LIMIT,
        "texts": dict(texts),
    }
    view = {"cell": None if cell is None else list(cell), "decimals": decimals, "hidden": hidden}
    view["keeps"] = on_cell is not None
    if rest is not None:
        view["rest"] = [rest[0], 0] if hidden else list(rest)  # where the numbers are covered no column is pointed out
    data = {"key": key, "id": give(key, given), **view}
    _mount(key=key, data=data, on_cell_change=picked, on_edit_change=edited)


def _inside(cell: object, shape: tuple[int, int]) -> bool:
    """Whether this is a cell of a matrix; what a browser sent may be anything."""
    n, m = shape
    match cell:
        case (int(i), int(j)) if not isinstance(i, bool) and not isinstance(j, bool):
            return 0 <= i < n and 0 <= j < m
    return False


def _edit(sent: object, editable: Mapping[str, tuple[int, int]]) -> tuple[str, int, int, float] | None:
    """(name, row, column, value) if that is what the browser sent and it is allowed.

    editable: the shapes of the matrices whose numbers may be changed, by name.
    """
    if not isinstance(sent, dict):
        return None
    value, name = sent.get("value"), sent.get("name")
    if not isinstance(value, int | float) or isinstance(value, bool):
        return None
    if not math.isfinite(value) or abs(value) > LIMIT:
        return None
    cell = (sent.get("row"), sent.get("column"))
    if isinstance(name, str) and name in editable and _inside(cell, editable[name]):
        return name, int(str(cell[0])), int(str(cell[1])), float(value)
    return None

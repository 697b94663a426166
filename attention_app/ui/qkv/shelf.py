"""A scene's request and its rows of key and value: ready ones from the texts, and the learner's own in the link."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from attention_app.text import Text
from attention_app.ui import packed
from attention_app.ui.state import SCENES
from attention_core.errors import InputError
from attention_core.sources.e5_sentences import Kind, pieces_of

READY_ROWS = 6
LEAST_ROWS, MOST_ROWS = 2, 12
MOST_CHARACTERS = {"query": 80, "key": 50, "value": 80}


class Row(NamedTuple):
    """What something is found by, and what it holds."""

    key: str
    value: str

    @property
    def filled(self) -> bool:
        """Whether somebody has begun to fill it in."""
        return bool(self.key.strip() or self.value.strip())


@dataclass(frozen=True)
class Shelf:
    """A request and what it is held against, LEAST_ROWS to MOST_ROWS rows."""

    query: str
    rows: tuple[Row, ...]

    @property
    def filled(self) -> Shelf:
        """Without the rows that nobody has begun to fill in."""
        return Shelf(self.query, tuple(row for row in self.rows if row.filled))


class Problem(NamedTuple):
    """Why something typed cannot be used. row: from 0; None: the request, or the shelf as a whole."""

    row: int | None
    key: str
    values: Mapping[str, object]


def ready(t: Text, scene: str) -> Shelf:
    """The scene as the lesson brings it, in the language of the texts."""
    rows = [Row(t(f"ready.{scene}.key_{at}"), t(f"ready.{scene}.value_{at}")) for at in range(1, READY_ROWS + 1)]
    return Shelf(t(f"ready.{scene}.query"), tuple(rows))


def problems(shelf: Shelf) -> list[Problem]:
    """Everything that keeps a shelf from being used; rows that nobody has begun to fill in do not.

    Nothing else than these checks runs on what was typed.
    """
    found = [*_of_text(None, "query", shelf.query)]
    for at, row in enumerate(shelf.rows):
        if row.filled:
            found += [*_of_text(at, "key", row.key), *_of_text(at, "value", row.value)]
    count = len(shelf.filled.rows)
    if not LEAST_ROWS <= count <= MOST_ROWS:
        found.append(Problem(None, "rows", {"low": LEAST_ROWS, "high": MOST_ROWS, "count": count}))
    return found


def _of_text(row: int | None, field: str, text: str) -> list[Problem]:
    limit = MOST_CHARACTERS[field]
    if len(text) > limit:
        return [Problem(row, f"{field}_too_long", {"limit": limit, "count": len(text)})]
    kind: Kind = "query" if field == "query" else "passage"
    try:
        pieces_of(text, kind)
    except InputError as error:  # a few characters stand for very many
        return [Problem(row, f"{field}_{'empty' if error.key == 'empty' else 'too_many_pieces'}", {})]
    return []


def pack(shelves: Mapping[str, Shelf], t: Text) -> str:
    """The shelves as one parameter: {"library": [request, row, …]}, compressed, in letters that a link takes as is.

    A ready request is 0, a ready row its number from 1: they stay short and follow the language.
    """
    content = {}
    for scene, shelf in shelves.items():
        given = ready(t, scene)
        numbers = {row: at for at, row in enumerate(given.rows, 1)}
        entry: list[object] = [0 if shelf.query == given.query else shelf.query]
        entry += [numbers.get(row, list(row)) for row in shelf.rows]
        if entry != [0, *numbers.values()]:
            content[scene] = entry
    if not content:
        return ""
    text = json.dumps(content, ensure_ascii=False, separators=(",", ":"))
    return packed.pack(text)


def unpack(parameter: str, t: Text) -> dict[str, Shelf]:
    """The shelf of every scene, the ready one where nothing else was packed.

    ValueError for anything that `pack` has not made, or that breaks a limit.
    """
    shelves = {scene: ready(t, scene) for scene in SCENES}
    for scene, entry in _content(parameter).items():
        if scene not in shelves or not isinstance(entry, list) or not entry:
            raise ValueError("this is no shelf")
        given, (query, *rows) = shelves[scene], entry
        shelf = Shelf(_query(query, given), tuple(_row(row, given) for row in rows))
        if problems(shelf) or shelf != shelf.filled:
            raise ValueError("this shelf cannot be used")
        shelves[scene] = shelf
    return shelves


def _content(parameter: str) -> dict[str, object]:
    if not parameter:
        return {}
    try:
        content = json.loads(packed.unpack(parameter))
    except (ValueError, RecursionError) as error:
        raise ValueError("this is no shelf") from error
    if not isinstance(content, dict):
        raise ValueError("this is no shelf")
    return content


def _query(entry: object, given: Shelf) -> str:
    if entry == 0:
        return given.query
    if isinstance(entry, str):
        return entry
    raise ValueError("this is no request")


def _row(entry: object, given: Shelf) -> Row:
    match entry:
        case bool():
            pass
        case int(at) if 1 <= at <= len(given.rows):
            return given.rows[at - 1]
        case [str(key), str(value)]:
            return Row(key, value)
    raise ValueError("this is no row")

"""What the learner changes, step by step; as one parameter of the link, with undo and redo.

A plan is a sequence of changes that are carried out in their order: first those of the sentence, then heads and rows.
Words, layers and heads are counted from 0 here.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias
from urllib.parse import quote, unquote

from attention_app.ui import state
from attention_app.ui.packed import MOST_BYTES, pack, unpack
from attention_core.changes import Changes, word_row
from attention_core.errors import InputError
from attention_core.sources import SOURCES
from attention_core.sources.e5 import EncoderRun
from attention_core.words import Word
from attention_core.words.rewrite import moved, replaced, without

N_LAYERS, N_HEADS = SOURCES["real"].n_layers, SOURCES["real"].n_heads
_MOST_CHANGES = 60
_MOST_PLANS = 100  # of the past
_NUMBER = r"\d{1,3}"


@dataclass(frozen=True)
class Off:
    """Heads that add nothing."""

    heads: tuple[tuple[int, int], ...]


@dataclass(frozen=True)
class Row:
    """A word's row in one head. how: "even", "only" one key (`weights` is its place alone), or "hand" (`weights` in
    thousandths on `<s>`, every word and `</s>`); places of keys count `<s>` as 0."""

    layer: int
    head: int
    word: int
    how: str
    weights: tuple[int, ...] = ()


@dataclass(frozen=True)
class Remove:
    word: int


@dataclass(frozen=True)
class Replace:
    word: int
    text: str


@dataclass(frozen=True)
class Move:
    word: int
    to: int


Change: TypeAlias = Off | Row | Remove | Replace | Move
Plan: TypeAlias = tuple[Change, ...]


@dataclass(frozen=True)
class Carried:
    """A plan carried out on a sentence: the new words, what is changed in the model, and which changes did not fit."""

    words: tuple[Word, ...]
    idle: frozenset[int]


def rewrite(words: tuple[Word, ...], plan: Plan) -> Carried:
    """The sentence after the plan's changes of words; a change that does not fit (any more) is left out."""
    idle = set()
    for at, change in enumerate(plan):
        try:
            match change:
                case Remove(word):
                    words = without(words, word)
                case Replace(word, text):
                    words = replaced(words, word, text)
                case Move(word, to):
                    words = moved(words, word, to)
        except (IndexError, InputError):
            idle.add(at)
    return Carried(words, frozenset(idle | _unfit_rows(plan, len(words))))


def without_rewriting(words: tuple[Word, ...], plan: Plan) -> Carried:
    """The sentence as it was, every change of its words left out."""
    idle = {at for at, change in enumerate(plan) if isinstance(change, Remove | Replace | Move)}
    return Carried(words, frozenset(idle | _unfit_rows(plan, len(words))))


def in_model(run: EncoderRun, plan: Plan, idle: frozenset[int]) -> Changes:
    """What the plan changes inside the model, for a run on the new words."""
    off = {head for change in plan if isinstance(change, Off) for head in change.heads}
    rows = {}
    for at, change in enumerate(plan):
        if isinstance(change, Row) and at not in idle:
            weights = row_weights(change, len(run.words))
            for row in word_row(run, change.layer, change.head, change.word, weights):
                rows[row.layer, row.head, row.query] = row
    return Changes(frozenset(off), tuple(rows.values()))


def row_weights(row: Row, n_words: int) -> list[float]:
    """The weights of a changed row, on `<s>`, every word and `</s>`, with the sum 1."""
    n = n_words + 2
    if row.how == "even":
        return [1 / n] * n
    if row.how == "only":
        return [1.0 if place == row.weights[0] else 0.0 for place in range(n)]
    return [weight / sum(row.weights) for weight in row.weights]


def current() -> Plan:
    """The plan of the link; one that cannot be read is put back, with a note."""
    try:
        return parse(unpack(str(state.get("changes"))))
    except ValueError:
        state.reject("changes", tell=True)
        return ()


def add(change: Change) -> None:
    """One more change, unless the link would be too long. In a callback only."""
    _put((*current(), change))


def put_row(row: Row) -> None:
    """A row set by hand; it takes the place of an earlier one of the same word and head. In a callback only."""
    same = (row.layer, row.head, row.word)
    kept = [one for one in current() if not (isinstance(one, Row) and (one.layer, one.head, one.word) == same)]
    _put((*kept, row))


def restore(heads: Sequence[tuple[int, int]]) -> None:
    """Some heads on again, wherever they were switched off. In a callback only."""
    plan: list[Change] = []
    for change in current():
        if isinstance(change, Off):
            left = tuple(head for head in change.heads if head not in heads)
            plan += [Off(left)] if left else []
        else:
            plan.append(change)
    _put(tuple(plan))


def was_full() -> bool:
    """Whether the last change was refused because the link would be too long; said once."""
    full = bool(state.recall("plan_full"))
    state.remember("plan_full", False)
    return full


def drop(at: int) -> None:
    """Take one change back, wherever it stands. In a callback only."""
    plan = current()
    _put(plan[:at] + plan[at + 1 :])


def clear() -> None:
    """Take all changes back, which can be undone. In a callback only."""
    _put(())


def undo() -> None:
    _step(-1)


def redo() -> None:
    _step(1)


def can_undo() -> bool:
    plans, at = _past()
    return at > 0 or bool(plans[at])


def can_redo() -> bool:
    plans, at = _past()
    return at < len(plans) - 1


def write(plan: Sequence[Change]) -> str:
    """ "h6.2,6.3;r6.2.4=even;d3;s4=卖;m0.2", the text of a replacement percent-encoded."""
    parts = []
    for change in plan:
        match change:
            case Off(heads):
                parts.append("h" + ",".join(f"{layer}.{head}" for layer, head in heads))
            case Row(layer, head, word, how, weights):
                given = ".".join(map(str, weights))
                parts.append(f"r{layer}.{head}.{word}={how}{given}")
            case Remove(word):
                parts.append(f"d{word}")
            case Replace(word, text):
                parts.append(f"s{word}={quote(text, safe='')}")
            case Move(word, to):
                parts.append(f"m{word}.{to}")
    return ";".join(parts)


def parse(text: str) -> Plan:
    """The plan that `write` has written; ValueError for anything else."""
    parts = text.split(";") if text else []
    if len(parts) > _MOST_CHANGES:
        raise ValueError("too many changes")
    return tuple(_parse_one(part) for part in parts)


def _parse_one(part: str) -> Change:
    if match := re.fullmatch(rf"h({_NUMBER}\.{_NUMBER}(,{_NUMBER}\.{_NUMBER})*)", part):
        heads = [tuple(map(int, head.split("."))) for head in match[1].split(",")]
        for layer, head in heads:
            _check_head(layer, head)
        return Off(tuple((layer, head) for layer, head in heads))
    if match := re.fullmatch(rf"r({_NUMBER})\.({_NUMBER})\.({_NUMBER})=(even|only|hand)([\d.]*)", part):
        layer, head, word = map(int, match.group(1, 2, 3))
        _check_head(layer, head)
        weights = tuple(int(number) for number in match[5].split(".")) if match[5] else ()
        if {"even": bool(weights), "only": len(weights) != 1, "hand": not 0 < sum(weights) < 10**6}[match[4]]:
            raise ValueError(f"no such row: {part}")
        return Row(layer, head, word, match[4], weights)
    if match := re.fullmatch(rf"d({_NUMBER})", part):
        return Remove(int(match[1]))
    if match := re.fullmatch(rf"s({_NUMBER})=(.{{1,2000}})", part):
        return Replace(int(match[1]), unquote(match[2]))
    if match := re.fullmatch(rf"m({_NUMBER})\.({_NUMBER})", part):
        return Move(int(match[1]), int(match[2]))
    raise ValueError(f"no such change: {part[:40]}")


def _check_head(layer: int, head: int) -> None:
    if not (layer < N_LAYERS and head < N_HEADS):
        raise ValueError(f"no such head: {layer}.{head}")


def _unfit_rows(plan: Plan, n_words: int) -> set[int]:
    return {at for at, change in enumerate(plan) if isinstance(change, Row) and not _fits(change, n_words)}


def _fits(row: Row, n_words: int) -> bool:
    if row.word >= n_words:
        return False
    if row.how == "only":
        return row.weights[0] < n_words + 2
    return row.how == "even" or len(row.weights) == n_words + 2


def _put(plan: Plan) -> None:
    packed = pack(write(plan))
    if len(packed) > MOST_BYTES or len(plan) > _MOST_CHANGES:
        state.remember("plan_full", True)
        return
    plans, at = _past()
    state.remember("plans", ((*plans[: at + 1], packed)[-_MOST_PLANS:], min(at + 1, _MOST_PLANS - 1)))
    state.put("changes", packed)


def _step(by: int) -> None:
    plans, at = _past()
    if by < 0 and at == 0 and plans[0]:  # a plan that came with a link: before it there was none
        plans, at = ("", *plans), 1
    if 0 <= at + by < len(plans):
        state.remember("plans", (plans, at + by))
        state.put("changes", plans[at + by])


def _past() -> tuple[tuple[str, ...], int]:
    """The plans of this session and which of them is the present one."""
    past = state.recall("plans")
    now = str(state.get("changes"))
    if isinstance(past, tuple) and past[0][past[1]] == now:
        return past
    return (now,), 0

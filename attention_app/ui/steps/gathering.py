"""Step 6b, for the real model: from pieces back to words, where the numbers of the explore page come from."""

from __future__ import annotations

from typing import Any

import numpy as np

from attention_app.components import matrix
from attention_app.components.matrix import Matrix
from attention_app.text import Text
from attention_app.ui import cache, pictures, shown, state
from attention_app.ui.steps import step
from attention_app.ui.steps.numbers import Numbers, is_original
from attention_app.ui.terms import explain
from attention_core.trace import FloatArray
from attention_core.words.alignment import align, membership, word_level

STEP = "6b"


def show(t: Text, now: Numbers) -> None:
    if not now.real:
        return
    with step.card(t, "words", STEP, explain(t, "piece", "word")):
        n, n_words = len(now.names), len(now.spans)
        of_key, of_query = to_words(now)
        words = slice(now.word, now.word + 1) if state.get("way") == "one" else slice(None)
        shown.formula(
            rf"{shown.shaped('A', n_words, n_words + 2)}:\quad "
            r"a_{uv} = \frac{1}{|u|}\sum_{i \in u}\;\sum_{j \in v} w_{ij}"
        )
        sums = now.weights @ of_key  # (n, n_words + 2)
        result = of_query @ sums  # (n_words, n_words + 2)
        _notice(t, now, result)
        labels = now.lesson.labels
        keys: dict[str, Any] = {
            "columns": columns(now),
            "column_at": (-1, *range(n_words), -2) if not now.lesson.unfolded else (),
        }
        queries = range(n_words)[words]
        row_at = tuple(queries) if not now.lesson.unfolded else ()
        whole = Matrix("words", result[words], rows=labels[words], row_at=row_at, kind="weights", **keys)
        column = _best(now, result) + 1  # behind the first special token
        cell = (now.word - queries.start, column) if pictures.revealed() else None
        if n == n_words + 2:
            shown.say(t, "words_same")
            matrix.single(whole, cell=cell, **shown.matrix_options("steps-words"))
            shown.source(t, "steps-words", word_level)
            return
        shown.heading(t("steps.sum_keys"))
        matrix.product(
            now.pairs("attn_weights", now.weights, kind="weights"),
            Matrix("pieces→words", of_key, rows=now.names, columns=keys["columns"], kind="mask"),
            now.rows("sums", sums, kind="weights", answer=True, **keys),
            **shown.matrix_options("steps-sum-keys"),
            cell=(now.row - (now.only.start or 0), column) if pictures.revealed() else None,
        )
        shown.heading(t("steps.mean_queries"))
        averages = Matrix("1/|u|", of_query[words][:, now.only], rows=labels[words], columns=now.names[now.only])
        matrix.product(
            averages,
            now.rows("sums", sums, kind="weights", answer=True, **keys),
            whole,
            **shown.matrix_options("steps-mean-queries"),
            cell=cell,
        )
        shown.source(t, "steps-words", word_level)


def to_words(now: Numbers) -> tuple[FloatArray, FloatArray]:
    """What sums the pieces of a key, (n, n_words + 2), and what averages those of a query, (n_words, n).

    The special tokens stay columns of their own, before and behind the words.
    """
    belongs = membership(align([stop - start for start, stop in now.spans])).astype(np.float64)  # (n, n_words)
    first, last = np.eye(now.n)[:, :1], np.eye(now.n)[:, -1:]
    return np.hstack([first, belongs, last]), (belongs / belongs.sum(axis=0)).T


def columns(now: Numbers) -> tuple[str, ...]:
    """The names of what the words look at."""
    return now.names[0], *now.lesson.labels, now.names[-1]


def _best(now: Numbers, result: np.ndarray) -> int:
    """The word, from 0, that the chosen word looks at most."""
    return int(result[now.word, 1:-1].argmax())


def _notice(t: Text, now: Numbers, result: np.ndarray) -> None:
    best = _best(now, result)
    explored = cache.word_attention(now.lesson.words, "real", state.settings())
    there = float(explored.weights[now.lesson.layer, now.lesson.head, now.word, best])
    labels = now.lesson.labels
    values = {"query": labels[now.word], "key": labels[best], "weight": shown.number(float(result[now.word, best + 1]))}
    shown.notice(t, "words" if is_original() else "words_changed", there=shown.number(there), **values)

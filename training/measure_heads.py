"""Measure what each of the 144 heads does, and write attention_core/data/heads.json.

    python training/measure_heads.py zh_gsdsimp-ud-dev.conllu

The sentences come from a Universal Dependencies treebank of simplified Chinese, cut as its annotators cut them. They
are read, never kept: only counts leave this script. Treebanks say nothing about what a pronoun stands for, so
pronouns are counted on our own sentences in pronouns.tsv (words, place of the pronoun, place of what it stands for).

A case is a row and its right answer, e.g. a verb and its object. A head has it right when its strongest other word is
the answer: the special tokens and the row's own word are left out of that judgement. (A word of several pieces often
looks at its own pieces.) What the right answers and the special tokens held of the raw row is written beside it. The
baseline is the best rule without any reading: always the word at one fixed distance.
"""

from __future__ import annotations

import argparse
import csv
import json
import re
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

import numpy as np

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from attention_core.attend import attend  # noqa: E402
from attention_core.errors import InputError  # noqa: E402
from attention_core.sources.e5 import load_model  # noqa: E402
from attention_core.words import Word, check_characters, check_words, join_words, parse_words  # noqa: E402
from attention_core.words.pieces import split_words  # noqa: E402

OUTPUT = ROOT / "attention_core" / "data" / "heads.json"
PRONOUNS = Path(__file__).with_name("pronouns.tsv")
PARTICLES = ("了", "着", "过")
TREEBANKS = {"zh_gsdsimp": "UD Chinese-GSDSimp"}
DECIMALS = 3


class Token(NamedTuple):
    """A word of a treebank: its head is a place from 0, or -1 for the root."""

    word: Word
    upos: str
    xpos: str
    head: int
    relation: str


class Case(NamedTuple):
    """The row that looks, and the places that would be right."""

    row: int
    answers: frozenset[int]


@dataclass
class Count:
    """Sums over the cases of one question; arrays are (n_layers, n_heads)."""

    cases: int = 0
    distances: Counter[int] = field(default_factory=Counter)
    hits: np.ndarray | int = 0
    weight: np.ndarray | int = 0
    special: np.ndarray | int = 0

    def result(self, corpus: str) -> dict[str, object]:
        distance, right = max(self.distances.items(), key=lambda item: (item[1], -abs(item[0])))
        means = {name: self._mean(getattr(self, name)) for name in ("hits", "weight", "special")}
        return {
            "corpus": corpus,
            "cases": self.cases,
            "offset": distance,
            "offset_share": round(right / self.cases, DECIMALS),
            "share": means["hits"],
            "weight": means["weight"],
            "special": means["special"],
        }

    def _mean(self, total: np.ndarray | int) -> list[list[float]]:
        means: list[list[float]] = np.round(np.asarray(total, dtype=np.float64) / self.cases, DECIMALS).tolist()
        return means


def read_conllu(path: Path) -> Iterator[list[Token]]:
    """The sentences of a treebank; multi-word ranges and empty nodes are left out, as the format says."""
    for block in path.read_text("utf-8").split("\n\n"):
        rows = [line.split("\t") for line in block.splitlines() if line and not line.startswith("#")]
        rows = [row for row in rows if row[0].isdigit()]
        spaces = [False, *("SpaceAfter=No" not in row[9] for row in rows)]
        if rows:
            yield [
                Token(Word(form, space), upos, xpos, int(head) - 1, relation.partition(":")[0])
                for (_, form, _, upos, xpos, _, head, relation, *_), space in zip(rows, spaces, strict=False)
            ]


def read_pronouns() -> list[tuple[tuple[Word, ...], Case]]:
    """Our own sentences, each with a pronoun and what it stands for."""
    rows = csv.reader(PRONOUNS.read_text("utf-8").splitlines(), delimiter="\t")
    return [
        (parse_words(text), Case(int(pronoun) - 1, frozenset([int(antecedent) - 1])))
        for text, pronoun, antecedent in rows
    ]


def cases_of(tokens: list[Token]) -> Iterator[tuple[str, Case]]:
    """The questions that one sentence answers."""
    n = len(tokens)
    objects: dict[int, set[int]] = {}
    for place, token in enumerate(tokens):
        if token.relation == "obj" and token.head >= 0 and tokens[token.head].upos == "VERB":
            objects.setdefault(token.head, set()).add(place)
            yield "verb", Case(place, frozenset([token.head]))
        if token.xpos == "AS" and token.word.text in PARTICLES and token.relation == "aux" and token.head >= 0:
            yield "particle", Case(place, frozenset([token.head]))
        if place > 0:
            yield "previous", Case(place, frozenset([place - 1]))
        if place < n - 1:
            yield "next", Case(place, frozenset([place + 1]))
    for verb, answers in objects.items():
        yield "object", Case(verb, frozenset(answers))


def add(counts: dict[str, Count], words: tuple[Word, ...], cases: Iterable[tuple[str, Case]]) -> None:
    attention = attend(words)
    others = np.where(np.eye(len(words), dtype=bool), -1, attention.weights)  # (n_layers, n_heads, n, n)
    strongest = others.argmax(axis=-1)  # (n_layers, n_heads, n): special tokens are not in it
    special = attention.special.sum(axis=-1)  # (n_layers, n_heads, n)
    for question, (row, answers) in cases:
        count = counts.setdefault(question, Count())
        places = sorted(answers)
        count.cases += 1
        count.distances.update(place - row for place in places)
        count.hits += np.isin(strongest[:, :, row], places)
        count.weight += attention.weights[:, :, row, places].sum(axis=-1)
        count.special += special[:, :, row]


def fits(words: tuple[Word, ...]) -> bool:
    """Whether a person could type the sentence."""
    try:
        check_characters(join_words(words))
        check_words(words)
        split_words(words, load_model().weights.vocabulary)
    except InputError:
        return False
    return not any(character.isspace() for word in words for character in word.text)


def one_row_a_line(text: str) -> str:
    """The JSON with each innermost list in one line: a change of the numbers stays readable."""
    return re.sub(r"\[\s+([-\d.,\s]+?)\s+\]", lambda found: f"[{' '.join(found[1].split())}]", text)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("treebank", type=Path, nargs="+", help=".conllu files of simplified Chinese")
    parser.add_argument("--output", type=Path, default=OUTPUT)
    options = parser.parse_args()

    counts: dict[str, Count] = {}
    used = skipped = 0
    for path in options.treebank:
        for tokens in read_conllu(path):
            words = tuple(token.word for token in tokens)
            if fits(words):
                add(counts, words, cases_of(tokens))
                used += 1
            else:
                skipped += 1

    own = read_pronouns()
    for words, case in own:
        add(counts, words, [("antecedent", case)])

    names = [path.name.partition("-")[0] for path in options.treebank]
    parts = [path.stem.rpartition("-")[2] for path in options.treebank]
    found = {
        "model": "multilingual-e5-small",
        "treebank": ", ".join(dict.fromkeys(TREEBANKS.get(name, name) for name in names)),
        "part": ", ".join(dict.fromkeys(parts)),
        "sentences": used,
        "skipped": skipped,
        "own_sentences": len({words for words, _ in own}),
        "questions": {
            name: count.result("own" if name == "antecedent" else "treebank") for name, count in counts.items()
        },
    }
    options.output.write_text(one_row_a_line(json.dumps(found, ensure_ascii=False, indent=1)) + "\n", encoding="utf-8")
    for name, count in counts.items():
        share = np.asarray(count.hits) / count.cases  # (n_layers, n_heads)
        best = zip(*np.unravel_index(np.argsort(-share, axis=None)[:5], share.shape), strict=True)
        heads = ", ".join(f"{layer + 1}·{head + 1} {share[layer, head]:.2f}" for layer, head in best)
        print(f"{name}: {count.cases} cases; strongest heads {heads}")


if __name__ == "__main__":
    main()

"""The interface's words: one toml per page and language, equal keys, read once per process; and the glossary."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from string import Formatter
from typing import NamedTuple

LANGUAGES = ("zh", "en")
_HERE = Path(__file__).parent


@dataclass(frozen=True)
class Part:
    """A stretch of a sentence: plain text (`name` is "") or the value that was put in for the field `name`."""

    text: str
    name: str = ""


@dataclass(frozen=True)
class Text:
    """The texts of one page (with those common to all pages) in one language."""

    language: str
    entries: Mapping[str, str]

    def __call__(self, key: str, /, **values: object) -> str:
        """The text under `key` with its fields filled in. A missing key or field raises KeyError."""
        return "".join(part.text for part in self.parts(key, **values))

    def parts(self, key: str, /, **values: object) -> list[Part]:
        """Like calling, but as parts, so that a component can colour the values by their role."""
        parts = []
        for literal, field, spec, _ in Formatter().parse(self.entries[key]):
            if literal:
                parts.append(Part(literal))
            if field is not None:
                parts.append(Part(format(values[field], spec or ""), field))
        return parts

    def join(self, sentences: Iterable[str]) -> str:
        """Sentences one after the other; Chinese has no space between them."""
        return ("" if self.language == "zh" else " ").join(sentences)

    def table(self, prefix: str) -> dict[str, str]:
        """The texts below `prefix` that have no fields, by the last part of their keys."""
        start = f"{prefix}."
        return {key.removeprefix(start): self(key) for key in self.entries if key.startswith(start)}


class Term(NamedTuple):
    """A term of the field: its name, and what it means in one or two sentences of Markdown."""

    name: str
    explanation: str


@cache
def load(page: str, language: str) -> Text:
    """The texts of `page` in `language` ("zh" or "en"), together with those of common.*.toml."""
    return Text(language, {**_entries("common", language), **_entries(page, language)})


@cache
def glossary(language: str) -> Mapping[str, Term]:
    """Every term the pages use, in `language` ("zh" or "en"), by its key in glossary.toml."""
    with (_HERE / "glossary.toml").open("rb") as file:
        return {key: Term(term[language], term[f"{language}_says"]) for key, term in tomllib.load(file).items()}


@cache
def _entries(name: str, language: str) -> Mapping[str, str]:
    with (_HERE / f"{name}.{language}.toml").open("rb") as file:
        return dict(_flatten(tomllib.load(file)))


def _flatten(table: dict[str, object], prefix: str = "") -> list[tuple[str, str]]:
    """[("explore.title", "看一句话"), …] of nested toml tables."""
    pairs: list[tuple[str, str]] = []
    for key, value in table.items():
        if isinstance(value, dict):
            pairs += _flatten(value, f"{prefix}{key}.")
        else:
            pairs.append((prefix + key, str(value)))
    return pairs

"""What each head of the real model was measured to do (made by training/measure_heads.py)."""

from __future__ import annotations

import functools
import json
from dataclasses import dataclass
from importlib.resources import files

# The head that the lesson shows for each question, layer and head from 0.
SHOWN = {
    "object": (6, 2),
    "verb": (7, 4),
    "antecedent": (8, 8),
    "previous": (0, 2),
    "next": (2, 6),
    "particle": (4, 2),
}
FIRST = SHOWN["object"]  # the lesson opens on it, and the command line prints it unless told otherwise
_MARGIN = 0.1  # a head does more than a fixed distance if it is right this much more often
_OFTEN = 0.5  # and at least this often


@dataclass(frozen=True)
class Question:
    """How often every head finds one thing, e.g. the object of a verb; tables are [layer][head], from 0.

    own           counted on our own sentences instead of the treebank
    cases         how often there was something to find
    offset        the fixed distance that is right most often, and how often it is right (0-1)
    share         how often a head's strongest other word is the right one (0-1), special tokens left out
    weight        mean raw weight on the right word
    special       mean raw weight on the special tokens in the same rows
    """

    name: str
    own: bool
    cases: int
    offset: int
    offset_share: float
    share: tuple[tuple[float, ...], ...]
    weight: tuple[tuple[float, ...], ...]
    special: tuple[tuple[float, ...], ...]

    @property
    def by_position(self) -> bool:
        """The right word is a fixed place itself: nothing needs to be read to find it."""
        return self.offset_share == 1

    def notable(self, layer: int, head: int) -> bool:
        """Whether the head does this often, and more often than a rule that does not read."""
        least = _OFTEN if self.by_position else max(_OFTEN, self.offset_share + _MARGIN)
        return self.share[layer][head] >= least


@dataclass(frozen=True)
class HeadFacts:
    """The measurement: its sentences, and its questions in the lesson's order."""

    treebank: str
    part: str
    sentences: int
    own_sentences: int
    questions: tuple[Question, ...]

    def __getitem__(self, name: str) -> Question:
        return next(question for question in self.questions if question.name == name)

    def notable(self, layer: int, head: int) -> tuple[Question, ...]:
        """The questions a head is good at, and the one the lesson shows it for; often none."""
        return tuple(
            question
            for question in self.questions
            if question.notable(layer, head) or SHOWN[question.name] == (layer, head)
        )


@functools.cache
def head_facts() -> HeadFacts:
    """The shipped measurement, read once."""
    found = json.loads(files("attention_core").joinpath("data/heads.json").read_text("utf-8"))
    return HeadFacts(
        treebank=found["treebank"],
        part=found["part"],
        sentences=found["sentences"],
        own_sentences=found["own_sentences"],
        questions=tuple(_question(name, found["questions"][name]) for name in SHOWN),
    )


def _question(name: str, found: dict[str, object]) -> Question:
    tables = {key: tuple(map(tuple, found[key])) for key in ("share", "weight", "special")}  # type: ignore[call-overload]
    return Question(
        name=name,
        own=found["corpus"] == "own",
        cases=int(str(found["cases"])),
        offset=int(str(found["offset"])),
        offset_share=float(str(found["offset_share"])),
        **tables,
    )

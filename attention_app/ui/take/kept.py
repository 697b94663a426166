"""What of a page is kept until somebody asks for a file: no arrays, for it lives as long as its session."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from attention_app.components.matrix import Matrix
from attention_app.text import Text
from attention_app.ui.files import file_name
from attention_app.ui.lesson import Lesson
from attention_app.ui.take.program import Program
from attention_app.ui.take.screen import Section
from attention_core.sources import training
from attention_core.words.word import join_words


@dataclass(frozen=True, eq=False)
class Take:
    """A page to be taken along.

    name       of the page, in the names of its files
    t          the texts of take.*.toml
    place      which layer and head its numbers come from, in words, and `at` in numbers: "7-3"
    sections   its cards as they are on the screen; () for a page whose views need the server
    whole      whether that is all of the page
    matrices   makes all matrices of the computation, each with a name of its own
    program    makes the program that prints the same numbers, or None
    all_heads  the numbers are those of all heads of the layer, not of the chosen one
    """

    name: str
    t: Text
    lesson: Lesson
    place: str
    at: str
    sections: Sequence[Section]
    whole: bool
    matrices: Callable[[], Sequence[Matrix]]
    program: Callable[[], Program] | None = None
    all_heads: bool = False

    @property
    def sentence(self) -> str:
        return join_words(self.lesson.words)

    @property
    def badge(self) -> str:
        return self.t(f"badge.{training(self.lesson.source, self.lesson.settings)}")

    @property
    def origin(self) -> str:
        return self.t("take.origin", source=self.t(f"source.{self.lesson.source}"), place=self.place)

    def file_name(self, kind: str, suffix: str) -> str:
        """一步一步_7-3_矩阵.zip"""
        return file_name(self.t(f"page.{self.name}"), self.at, self.t(f"file.{kind}"), suffix=suffix)

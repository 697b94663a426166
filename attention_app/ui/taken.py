"""What is on the screen as files: everything a file needs is taken along here, so that it can be made after the run.

A download is made when somebody clicks, in another thread, where the session's state is out of reach.
"""

from __future__ import annotations

import csv
import io
import json
from dataclasses import dataclass

import attention_core
from attention_app.figures.page import page
from attention_app.figures.palette import Palette
from attention_app.figures.svg.arcs import arcs
from attention_app.figures.svg.heads import heads
from attention_app.figures.svg.heatmap import Axes, heatmap
from attention_app.figures.svg.sheet import Caption
from attention_app.figures.svg.view import View
from attention_app.text import Text
from attention_app.ui.files import file_name
from attention_app.ui.lesson import Lesson
from attention_app.ui.spreadsheet import cell
from attention_core.attention_map import attention_map
from attention_core.json_form import DECIMALS, json_form, rounded
from attention_core.sources import source_info, training
from attention_core.words.word import join_words


@dataclass(frozen=True)
class Taken:
    """One screen, ready to become files.

    t         the texts of exports.*.toml
    palettes  the one in use, light, dark
    said      the sentence about the shown row in plain words
    """

    lesson: Lesson
    t: Text
    palettes: tuple[Palette, Palette, Palette]
    font: str
    special: bool
    direction: str
    decimals: int
    least: float
    by_row: bool
    numbers: bool
    said: str

    # ------------------------------------------------------------------------------------------- pictures

    @property
    def view(self) -> View:
        lesson = self.lesson
        return View(
            map=lesson.map,
            labels=lesson.rows,
            chosen=lesson.row,
            direction=self.direction,
            decimals=self.decimals,
            least=self.least,
            by_row=self.by_row,
            numbers=self.numbers,
        )

    def arcs(self) -> str:
        return arcs(self.view, self.caption(self._line_notes()), self.palettes[0])

    def heatmap(self) -> str:
        return heatmap(self.view, self._axes(), self.caption(self._matrix_notes()), self.palettes[0])

    def heads(self) -> str:
        """The small maps of all heads of the source."""
        attention, t = self.lesson.attention, self.t
        maps = [
            [attention_map(attention, [(layer, head)], show_special=self.special) for head in range(attention.n_heads)]
            for layer in range(attention.n_layers)
        ]
        names = (
            [t("caption.place.layer", layer=layer + 1) for layer in range(attention.n_layers)],
            [t("caption.place.head", head=head + 1) for head in range(attention.n_heads)],
        )
        place = t("caption.place.all", count=attention.n_layers * attention.n_heads)
        caption = self.caption((t("caption.note.heads"),), place)
        title = t.entries["caption.place.map"]
        return heads(maps, self.lesson.heads, names, title, caption, self.palettes[0])

    def html(self) -> str:
        t = self.t
        words = {name: t.entries[f"html.{name}"] for name in _HTML_WORDS}
        words["made"] = t("html.made", version=attention_core.__version__)
        notes = (*self._line_notes(chosen=False), *self._matrix_notes())
        caption = self.caption(notes)
        return page(self.view, self._axes(), caption, words, light=self.palettes[1], dark=self.palettes[2])

    def caption(self, notes: tuple[str, ...], place: str | None = None) -> Caption:
        t, lesson = self.t, self.lesson
        sentence = join_words(lesson.words)
        origin = t("caption.origin", source=t(f"source.{lesson.source}"), place=place or self.place())
        if lesson.unfolded:
            origin = t("caption.pieces", origin=origin)
        badge = t(f"badge.{training(lesson.source, lesson.settings)}")
        return Caption(
            title=t("caption.title", sentence=sentence, origin=origin, badge=badge),
            sentence=sentence,
            origin=origin,
            badge=badge,
            notes=notes,
            description=" ".join((*notes, self._numbers())).strip(),
            language=t.language,
            font=self.font,
        )

    def place(self) -> str:
        """The head, or the heads that are averaged."""
        t, lesson = self.t, self.lesson
        heads = [t("caption.place.one_of_mean", layer=layer + 1, head=head + 1) for layer, head in lesson.heads]
        listed = ", ".join(heads[:6]) + (" …" if len(heads) > 6 else "")
        place = {"layer": lesson.layer + 1, "head": lesson.head + 1, "count": len(heads), "heads": listed}
        return t(f"caption.place.{lesson.place}", **place)

    def file_name(self, kind: str, suffix: str) -> str:
        """注意力_7·3.png; the lines and the small maps say so in their names."""
        lesson, t = self.lesson, self.t
        parts = [t("file.name")]
        if kind == "heads":
            parts.append(t("file.heads"))
        else:
            others = f"+{len(lesson.heads) - 1}" if len(lesson.heads) > 1 else ""
            parts.append(f"{lesson.layer + 1}·{lesson.head + 1}{others}")
            parts += [t("file.arcs")] if kind == "arcs" else []
        return file_name(*parts, suffix=suffix)

    def _axes(self) -> Axes:
        return Axes(self.t("term.query_axis"), self.t("term.key_axis"))

    def _line_notes(self, *, chosen: bool = True) -> tuple[str, ...]:
        t, lesson = self.t, self.lesson
        notes = [self.said] if chosen else []
        if chosen and lesson.row is not None:
            notes.append(t(f"caption.note.{self.direction}", word=lesson.rows[lesson.row]))
        elif chosen:
            notes.append(t("caption.note.all"))
        if self.least > 0:
            notes.append(t("caption.note.least", least=f"{self.least:.2f}"))
        return (*notes, *(self._removed() if chosen else ()))

    def _matrix_notes(self) -> tuple[str, ...]:
        t = self.t
        notes = [t("caption.note.heatmap_special" if self.lesson.map.special_names else "caption.note.heatmap")]
        if self.by_row:
            notes.append(t("caption.note.heatmap_by_row"))
        return (*notes, *self._removed())

    def _removed(self) -> tuple[str, ...]:
        if self.special or not self.lesson.attention.special_names:
            return ()
        removed, view = self.lesson.map.removed, self.view
        low, high = view.shown(float(removed.min())), view.shown(float(removed.max()))
        return (self.t("caption.note.removed", low=low, high=high),)

    def _numbers(self) -> str:
        """The chosen word's numbers, for somebody who hears the picture."""
        t, view = self.t, self.view
        if view.chosen is None:
            return ""
        pairs = [(column.name, view.between(view.chosen, column)) for column in view.columns]
        listed = [
            t("caption.description.pair", name=name, number=view.shown(weight))
            for name, weight in pairs
            if weight is not None
        ]
        return t("caption.description.chosen", word=view.labels[view.chosen], numbers=", ".join(listed))

    # ----------------------------------------------------------------------------------------------- data

    def csv(self) -> bytes:
        """A line for each row, columns as the model reads. Excel reads Chinese only behind a byte order mark."""
        view = self.view
        hidden = bool(self._removed())
        names = [*(column.name for column in view.columns), *([self.t("table.removed")] if hidden else [])]
        lines = [[cell(name) for name in (self.t("table.corner"), *names)]]
        for row, name in enumerate(view.labels):
            numbers = [view.weight(row, column) for column in view.columns]
            numbers += [float(self.lesson.map.removed[row])] if hidden else []
            lines.append([cell(name), *(f"{number:.{DECIMALS}f}" for number in numbers)])
        file = io.StringIO()
        csv.writer(file).writerows(lines)
        return file.getvalue().encode("utf-8-sig")

    def json(self) -> str:
        """What `python -m attention_core attend --format json` writes, for the picture on the screen."""
        lesson = self.lesson
        info = source_info(lesson.source, lesson.settings)
        content = json_form(
            lesson.words,
            lesson.attention.pieces,
            lesson.source,
            (lesson.layer, lesson.head),
            lesson.map.weights,
            lesson.map.special,
        )
        content |= {
            "settings": {name: getattr(lesson.settings, name) for name in info.settings},
            "sentence": join_words(lesson.words),
            "rows": list(lesson.rows),
            "special_names": list(lesson.map.special_names),
            "removed": rounded(lesson.map.removed[None])[0],
            "special_hidden": bool(self._removed()),
            "heads": [[layer + 1, head + 1] for layer, head in lesson.heads],
            "between": "pieces" if lesson.unfolded else "words",
            "word": None if lesson.word is None else lesson.word + 1,
            "direction": self.direction,
            "trained": info.trained,
            "version": attention_core.__version__,
        }
        return json.dumps(content, ensure_ascii=False, indent=None) + "\n"


_HTML_WORDS = ("hint", "arcs", "heatmap", "grid", "cell", "row_out", "row_in", "row_only")

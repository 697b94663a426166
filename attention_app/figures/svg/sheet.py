"""The sheet around a picture: paper, the sentence, where the numbers come from, and how to read them."""

from __future__ import annotations

from dataclasses import dataclass

from attention_app.figures.palette import Palette
from attention_app.figures.svg.markup import element, label, text, text_width, wrapped

MARGIN = 24
SENTENCE, SMALL = 20, 14  # font sizes in px
LEAST_WIDTH = 460  # px between the margins: a title needs room even above two words


@dataclass(frozen=True)
class Caption:
    """The words on a sheet, in the language of the lesson.

    title        of the file, for a screen reader and the browser's tab
    sentence     the first line
    origin       source and head
    badge        trained or not, in a frame
    notes        how to read the picture, below it
    description  the same for somebody who does not see it
    """

    title: str
    sentence: str
    origin: str
    badge: str
    notes: tuple[str, ...]
    description: str
    language: str
    font: str


def sheet(body: str, width: float, height: float, caption: Caption, palette: Palette) -> str:
    """The whole file. body: markup of `width` x `height` px whose origin is its own upper left corner."""
    inner = max(width, LEAST_WIDTH)
    above, y = _heading(caption, inner, palette)
    below, end = _notes(caption, inner, y + height + 10, palette)
    total_width, total_height = inner + 2 * MARGIN, end + MARGIN - 6
    picture = element("g", body, transform=f"translate({MARGIN + (inner - width) / 2:.1f} {y:.1f})")
    paper = element("rect", width="100%", height="100%", fill=palette.paper)
    return svg(total_width, total_height, caption, palette, paper + above + picture + below) + "\n"


def svg(width: float, height: float, caption: Caption, palette: Palette, *children: str) -> str:
    """The root element with its name and description."""
    return element(
        "svg",
        element("title", text(caption.title)),
        element("desc", text(caption.description)),
        *children,
        xmlns="http://www.w3.org/2000/svg",
        width=round(width),
        height=round(height),
        viewBox=f"0 0 {round(width)} {round(height)}",
        role="img",
        lang=caption.language,
        font_family=caption.font,
        fill=palette.ink,
    )


def _heading(caption: Caption, width: float, palette: Palette) -> tuple[str, float]:
    """Markup and the y below it."""
    y = MARGIN + SENTENCE - 2.0
    parts = []
    for line in wrapped(caption.sentence, SENTENCE, width):
        parts.append(label(line, MARGIN, y, font_size=SENTENCE, font_weight=600))
        y += SENTENCE * 1.4
    # The badge comes first: whatever font stands in for ours, the text beside it stays clear of it.
    badge = text_width(caption.badge, SMALL) + 22
    frame = element(
        "rect", x=float(MARGIN), y=y - 16.5, width=badge, height=23, rx=11, fill="none", stroke=palette.soft
    )
    parts.append(frame + label(caption.badge, MARGIN + badge / 2, y, font_size=SMALL, text_anchor="middle"))
    lines = wrapped(caption.origin, SMALL, width - badge - 10)
    for line in lines:
        parts.append(label(line, MARGIN + badge + 10, y, font_size=SMALL, fill=palette.soft))
        y += SMALL * 1.6
    y -= SMALL * 1.6
    return "".join(parts), y + 24


def _notes(caption: Caption, width: float, y: float, palette: Palette) -> tuple[str, float]:
    parts = []
    for line in (line for note in caption.notes for line in wrapped(note, SMALL, width)):
        y += SMALL * 1.6
        parts.append(label(line, MARGIN, y, font_size=SMALL, fill=palette.soft))
    return "".join(parts), y

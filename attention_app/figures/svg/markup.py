"""The few lines of SVG that all pictures need: elements with everything escaped, and how wide a text will be."""

from __future__ import annotations

import re
import unicodedata
from html import escape

# What XML 1.0 does not allow even escaped; one such character would make the whole file unreadable.
_NOT_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_CLOSING = "，。；：、！？）》”’,.;:!?)"


def text(content: str) -> str:
    """Anything a person typed, as it is written between tags or in an attribute."""
    return escape(_NOT_XML.sub("\ufffd", content), quote=True)


def number(value: float) -> str:
    """A coordinate: two decimals are a hundredth of a pixel."""
    return f"{value:.2f}".rstrip("0").rstrip(".") or "0"


def element(tag: str, *children: str, **attributes: object) -> str:
    """<tag attribute="…">children</tag>. children are markup already; attributes are escaped, None leaves one out.

    An attribute's underscores are hyphens in SVG: stroke_width, class_ (a trailing one is dropped).
    """
    written = "".join(
        f' {name.rstrip("_").replace("_", "-")}="{number(value) if isinstance(value, float) else text(str(value))}"'
        for name, value in attributes.items()
        if value is not None
    )
    return f"<{tag}{written}>{''.join(children)}</{tag}>" if children else f"<{tag}{written}/>"


def label(content: str, x: float, y: float, **attributes: object) -> str:
    return element("text", text(content), x=float(x), y=float(y), **attributes)


def text_width(content: str, size: float) -> float:
    """About how many px wide the text is at this font size: a full-width character takes 1 em, others about 0.58."""
    wide = sum(unicodedata.east_asian_width(c) in "WF" for c in content)
    marks = sum(unicodedata.category(c) in ("Mn", "Me", "Cf") for c in content)
    return size * (wide + 0.58 * (len(content) - wide - marks))


def wrapped(content: str, size: float, width: float) -> list[str]:
    """The text in lines of about `width` px: Latin words stay whole, and no line begins with a closing mark."""
    lines: list[str] = []
    line = ""
    for character in content:
        if line and character not in _CLOSING and text_width(line + character, size) > width:
            before, space, word = line.rpartition(" ")
            splits = character == " " or unicodedata.east_asian_width(character) in "WF" or not space
            lines.append(line.rstrip() if splits else before)
            line = "" if splits else word
        line = (line + character).lstrip()
    return [*lines, line]

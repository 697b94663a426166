"""What a person typed as a cell of a spreadsheet."""

from __future__ import annotations

# A cell that begins with one of these is a formula to a spreadsheet (OWASP, "CSV injection").
_FORMULA = ("=", "+", "-", "@", "＝", "＋", "－", "＠", "\t", "\r", "\n")


def cell(text: str) -> str:
    """The text; an apostrophe in front, the spreadsheets' own sign for text, keeps a formula from running."""
    return f"'{text}" if text.startswith(_FORMULA) else text

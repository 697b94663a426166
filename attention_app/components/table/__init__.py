"""The picture's numbers as a table: for reading aloud, for checking, for copying.

The numbers are those the line view was given; they do not travel twice.
"""

from __future__ import annotations

from collections.abc import Mapping

from attention_app.components import register

_mount = register("table")


def table(texts: Mapping[str, str]) -> None:
    """Show the table. texts: caption, corner, hidden (what stands for a number that is not revealed yet)."""
    _mount(key="table", data={"texts": dict(texts)})

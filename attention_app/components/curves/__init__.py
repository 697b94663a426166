"""A few lines over the same steps (layers, positions): read off by pointing, or with the arrow keys.

Lines differ by how they are drawn, not by colour; each bears its name where it ends.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal, TypedDict

from attention_app.components import register

_mount = register("curves")


class Curve(TypedDict):
    """One line: a value and the number as shown for every step."""

    name: str
    values: list[float]
    numbers: list[str]
    stroke: Literal["plain", "dashed", "dotted"]


def curves(
    key: str,
    lines: Sequence[Curve],
    steps: Sequence[str],
    *,
    low: float,
    high: float,
    marks: Mapping[float, str],
    chosen: int,
    texts: Mapping[str, str],
    hidden: bool = False,
) -> None:
    """Show the lines. ValueError: a line without a value for every step.

    steps      what stands below each step
    low, high  what the height spans; `marks` are the values with a line of their own and what is written there
    chosen     the step that is read while nobody points
    texts      title (of the picture), steps (what the steps are)
    hidden     no line is drawn: the answer would be seen
    """
    for line in lines:
        if not len(steps) == len(line["values"]) == len(line["numbers"]):
            raise ValueError(f"{line['name']} has {len(line['values'])} values for {len(steps)} steps")
    data = {
        "lines": list(lines),
        "steps": list(steps),
        "low": low,
        "high": high,
        "marks": [[value, text] for value, text in marks.items()],
        "chosen": chosen,
        "texts": dict(texts),
        "hidden": hidden,
    }
    _mount(key=f"curves-{key}", data=data)

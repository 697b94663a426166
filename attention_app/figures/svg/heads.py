"""All heads at a glance: one small map each, layers from top to bottom."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import numpy as np

from attention_app.figures.palette import Palette
from attention_app.figures.svg.markup import element, label, number, text
from attention_app.figures.svg.sheet import Caption, sheet
from attention_core.attention_map import AttentionMap
from attention_core.trace import FloatArray

LEVELS = 16  # shades of a small map; the eye tells fewer apart in cells of a few px
MAP, GAP = 68, 8  # px
LEFT, TOP = 52, 30


def heads(
    maps: Sequence[Sequence[AttentionMap]],
    chosen: Collection[tuple[int, int]],
    names: tuple[Sequence[str], Sequence[str]],
    title: str,
    caption: Caption,
    palette: Palette,
) -> str:
    """The whole file. maps[layer][head]; chosen: the heads with a ring; names: of the rows and of the columns.

    title: of one map, with the fields layer and head (from 1).
    """
    drawn = []
    for i, name in enumerate(names[0]):
        y = TOP + i * (MAP + GAP)
        drawn.append(label(name, LEFT - 10, y + MAP / 2 + 5, font_size=13, text_anchor="end", fill=palette.soft))
    for j, name in enumerate(names[1]):
        x = LEFT + j * (MAP + GAP) + MAP / 2
        drawn.append(label(name, x, TOP - 10, font_size=13, text_anchor="middle", fill=palette.soft))
    for i, layer in enumerate(maps):
        for j, one in enumerate(layer):
            spot = f"translate({LEFT + j * (MAP + GAP)} {TOP + i * (MAP + GAP)})"
            name = element("title", text(title.format(layer=i + 1, head=j + 1)))
            ring = (i, j) in chosen
            stroke = {"stroke": palette.query if ring else palette.line, "stroke_width": 2.5 if ring else 1}
            edge = element("rect", x=-2, y=-2, width=MAP + 4, height=MAP + 4, rx=4, fill="none", **stroke)
            drawn.append(element("g", name, edge, small_map(_matrix(one), palette), transform=spot))
    width = LEFT + len(maps[0]) * (MAP + GAP)
    return sheet("".join(drawn), width, TOP + len(maps) * (MAP + GAP), caption, palette)


def small_map(weights: FloatArray, palette: Palette) -> str:
    """One map in a square of MAP px: for each shade one path, equal neighbours joined, white left out."""
    n_rows, n_columns = weights.shape
    levels = np.rint(np.clip(weights, 0, 1) * LEVELS).astype(int)  # (n_rows, n_columns)
    ends = np.ones((n_rows, n_columns + 1), dtype=bool)  # where a run of equal cells begins or the row has ended
    ends[:, 1:-1] = levels[:, 1:] != levels[:, :-1]
    rows, edges = np.nonzero(ends)
    begins = np.flatnonzero(edges < n_columns)
    level = levels[rows[begins], edges[begins]]
    begins, level = begins[level > 0], level[level > 0]
    runs: dict[int, list[str]] = {}
    starts, stops = edges[begins], edges[begins + 1]
    for row, start, stop, shade in zip(
        rows[begins].tolist(), starts.tolist(), stops.tolist(), level.tolist(), strict=True
    ):
        runs.setdefault(shade, []).append(f"M{start} {row}h{stop - start}")
    paths = [element("path", d="".join(run), stroke_opacity=number(shade / LEVELS)) for shade, run in runs.items()]
    # Cells are 1 x 1 and strokes run through their middles.
    size = f"scale({MAP / n_columns:.4f} {MAP / n_rows:.4f}) translate(0 .5)"
    return element("g", *paths, stroke=palette.key, stroke_width=1, transform=size, shape_rendering="crispEdges")


def _matrix(one: AttentionMap) -> FloatArray:
    """All columns in the order in which the model reads."""
    joined: FloatArray = np.concatenate([one.special[:, :1], one.weights, one.special[:, 1:]], axis=1)
    return joined

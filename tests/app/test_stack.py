"""The stack of a new vector's parts: it adds up, names its largest parts, and shows words as they are."""

from __future__ import annotations

import numpy as np
import pytest

from attention_app.figures.palette import Palette
from attention_app.figures.stack import MOST, StackTexts, largest, stacked

PALETTE = Palette("#000000", "#888888", "#cccccc", "#ffffff", "#cc5511", "#2255aa", "#684ca0", "#b07010")
TEXTS = StackTexts("{count} others", "sum", "dimension", "{name}, {dim}: {value}", "serif")


def draw(parts, names=None, decimals=2):
    names = [f"w{at}" for at in range(len(parts))] if names is None else names
    return stacked(np.asarray(parts, dtype=float), names, decimals=decimals, texts=TEXTS, palette=PALETTE)


@pytest.mark.parametrize(("n", "d"), [(1, 2), (3, 4), (4, 5), (40, 75)])
def test_the_bars_add_up_to_the_marks(n, d):
    parts = np.random.default_rng(n).normal(size=(n, d))
    *bars, total = draw(parts).data
    assert len(bars) == min(n, MOST) + (n > MOST)
    np.testing.assert_allclose(np.sum([bar.y for bar in bars], axis=0), total.y)
    np.testing.assert_allclose(total.y, parts.sum(axis=0))
    assert list(total.x) == list(range(1, d + 1))


def test_the_largest_parts_have_names_in_their_order():
    parts = [[0.1, 0], [3, 0], [-1, 0], [0.2, 0], [0, 0.05]]
    assert largest(np.array(parts)) == (1, 2, 3)
    assert [bar.name for bar in draw(parts).data] == ["w1", "w2", "w3", "2 others", "sum"]


def test_words_are_no_markup():
    figure = draw([[1, 2], [0, 1]], names=["<b>x</b>", ""])
    assert [trace.name for trace in figure.data[:2]] == ["&lt;b&gt;x&lt;/b&gt;", " "]
    assert all("<b>" not in trace.hovertemplate for trace in figure.data)


def test_every_part_has_a_colour_of_its_own():
    parts = np.random.default_rng(0).normal(size=(5, 4))
    colors = [bar.marker.color for bar in draw(parts).data[:-1]]
    assert colors[0] == PALETTE.key
    assert len(set(colors)) == len(colors) == MOST + 1


def test_hovering_has_the_learners_decimals():
    assert draw([[1, 2]], decimals=4).data[0].hovertemplate == "%{fullData.name}, %{x}: %{y:.4f}<extra></extra>"

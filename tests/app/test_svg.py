"""The pictures as SVG: the right numbers in the right places, one well-formed file, typed text literal."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from xml.etree import ElementTree

import numpy as np
import pytest

from attention_app.figures.palette import Palette
from attention_app.figures.svg.arcs import arcs
from attention_app.figures.svg.heads import MAP, heads, small_map
from attention_app.figures.svg.heatmap import NUMBERS_UP_TO, Axes, heatmap
from attention_app.figures.svg.markup import element, text, text_width, wrapped
from attention_app.figures.svg.sheet import LEAST_WIDTH, MARGIN, Caption
from attention_app.figures.svg.view import View
from attention_core.attention_map import AttentionMap

LIGHT = Palette("#1d2330", "#667085", "#e6e3dc", "#ffffff", "#c2571a", "#2357a5", "#684ca0", "#b07010")
CAPTION = Caption(
    "标题",
    "我 < 你",
    "真实模型",
    "未训练",
    ("一行是一个词。",),
    "买：苹果 0.73。",
    "zh",
    "'Noto Sans CJK SC',sans-serif",
)
AXES = Axes("谁在看", "看谁")
HOSTILE = '<img src=x onerror="alert(1)">&amp;\x0b'
SVG = "{http://www.w3.org/2000/svg}"


def random_map(n, n_special=2, seed=1):
    rows = np.random.default_rng(seed).uniform(0.2, 1, (n, n + n_special))
    rows /= rows.sum(axis=1, keepdims=True)
    names = ("<s>", "</s>")[:n_special]
    return AttentionMap(rows[:, n_special:], rows[:, :n_special], names, np.zeros(n))


def view(n=5, n_special=2, **options):
    labels = options.pop("labels", [f"w{i}" for i in range(n)])
    return View(random_map(n, n_special), labels, **{"chosen": 1, **options})


def parse(markup):
    return ElementTree.fromstring(markup)


def group(root, name):
    (found,) = [g for g in root.iter(f"{SVG}g") if g.get("class") == name]
    return found


def texts(root):
    return [t.text for t in root.iter(f"{SVG}text")]


@pytest.mark.parametrize("draw", [lambda v: arcs(v, CAPTION, LIGHT), lambda v: heatmap(v, AXES, CAPTION, LIGHT)])
@pytest.mark.parametrize("n", [1, 2, 8, 13, 64])
def test_a_file_stands_alone_and_says_what_it_is(draw, n):
    markup = draw(view(n, chosen=0))
    root = parse(markup)
    assert root.find(f"{SVG}title").text == "标题"
    assert root.find(f"{SVG}desc").text == "买：苹果 0.73。"
    assert {"我 < 你", "真实模型", "未训练", "一行是一个词。"} <= set(texts(root))
    assert (root.get("lang"), root.get("role")) == ("zh", "img")
    assert "CJK SC" in root.get("font-family")
    assert float(root.get("width")) >= LEAST_WIDTH + 2 * MARGIN
    # Self-contained: nothing is fetched, run, or taken from a style sheet that would be missing elsewhere.
    assert "http" not in markup.replace("http://www.w3.org/2000/svg", "")
    assert not {e.tag.removeprefix(SVG) for e in root.iter()} & {"script", "image", "foreignObject", "style", "use"}


@pytest.mark.parametrize("draw", [lambda v: arcs(v, CAPTION, LIGHT), lambda v: heatmap(v, AXES, CAPTION, LIGHT)])
def test_typed_markup_is_text(draw):
    root = parse(draw(view(2, labels=[HOSTILE, "好"], chosen=0)))
    assert HOSTILE.replace("\x0b", "\ufffd") in texts(root)
    assert not [e for e in root.iter() if e.tag.endswith("img")]


def test_heads_and_captions_are_literal_too():
    one = random_map(2)
    names = (["第1层"], ["1"])
    root = parse(heads([[one]], [(0, 0)], names, "<b>{layer}-{head}", replace(CAPTION, title="<i>"), LIGHT))
    assert [t.text for t in root.iter(f"{SVG}title")] == ["<i>", "<b>1-1"]


def test_every_number_stands_in_its_cell():
    shown = view(4, decimals=3)
    numbers = [t.text for t in group(parse(heatmap(shown, AXES, CAPTION, LIGHT)), "numbers")]
    rows = np.concatenate([shown.map.special[:, :1], shown.map.weights, shown.map.special[:, 1:]], axis=1)
    assert numbers == [f"{weight:.3f}" for row in rows for weight in row]
    assert not list(group(parse(heatmap(view(NUMBERS_UP_TO + 1), AXES, CAPTION, LIGHT)), "numbers"))


@pytest.mark.parametrize("n", [4, 20])
@pytest.mark.parametrize("by_row", [False, True])
def test_every_cell_is_as_dark_as_its_weight(n, by_row):
    shown = view(n, by_row=by_row)
    cells = [
        [float(c.get("stroke-opacity")) for c in row]
        for row in group(parse(heatmap(shown, AXES, CAPTION, LIGHT)), "cells")
    ]
    rows = np.concatenate([shown.map.special[:, :1], shown.map.weights, shown.map.special[:, 1:]], axis=1)
    expected = rows / rows.max(axis=1, keepdims=True) if by_row else rows
    np.testing.assert_allclose(cells, expected, atol=5.1e-4)


def test_a_weight_of_zero_is_left_as_paper():
    nothing = AttentionMap(np.zeros((2, 2)), np.zeros((2, 0)), (), np.ones(2))
    cells = group(parse(heatmap(View(nothing, ["a", "b"]), AXES, CAPTION, LIGHT)), "cells")
    assert [len(row) for row in cells] == [0, 0]


@pytest.mark.parametrize("direction", ["out", "in"])
def test_the_ring_lies_around_the_chosen_row_or_column(direction):
    root = parse(heatmap(view(5, chosen=3, direction=direction), AXES, CAPTION, LIGHT))
    (ring,) = [r for r in root.iter(f"{SVG}rect") if r.get("class") == "ring"]
    assert ring.get("stroke") == LIGHT.query
    assert (float(ring.get("width")) > float(ring.get("height"))) == (direction == "out")
    named = "rows" if direction == "out" else "columns"
    (marked,) = [t for t in group(root, named) if t.get("fill") == LIGHT.query]
    assert marked.text == "w3"
    along, size = ("y", "height") if direction == "out" else ("x", "width")
    assert 0 < float(marked.get(along)) - float(ring.get(along)) < float(ring.get(size))


def test_nothing_chosen_no_ring():
    assert "ring" not in heatmap(view(5, chosen=None), AXES, CAPTION, LIGHT)


def test_words_bars_and_numbers_of_the_row_stand_under_each_other():
    shown = view(5, chosen=2, decimals=4)
    words = list(group(parse(arcs(shown, CAPTION, LIGHT)), "words"))
    row = [shown.map.special[2, 0], *shown.map.weights[2], shown.map.special[2, 1]]
    assert [w.find(f"{SVG}text").text for w in words] == ["<s>", "w0", "w1", "w2", "w3", "w4", "</s>"]
    assert [w.findall(f"{SVG}text")[1].text for w in words] == [f"{weight:.4f}" for weight in row]
    heights = [float(w.find(f"{SVG}rect").get("height")) for w in words]
    np.testing.assert_allclose(heights, [max(1, 62 * weight) for weight in row], atol=0.01)
    assert [w.find(f"{SVG}text").get("fill") == LIGHT.query for w in words] == [i == 3 for i in range(7)]


def test_arcs_are_as_wide_as_their_weights_and_weak_ones_are_left_out():
    shown = view(6, chosen=2, least=0.12)
    row = [shown.map.special[2, 0], *shown.map.weights[2], shown.map.special[2, 1]]
    drawn = [float(a.get("stroke-width")) for a in group(parse(arcs(shown, CAPTION, LIGHT)), "arcs")]
    strong = [weight for weight in row if weight >= 0.12]
    assert 0 < len(strong) < len(row)
    np.testing.assert_allclose(drawn, [1.2 + 12.8 * weight for weight in strong], atol=0.006)


def test_looked_at_by_shows_the_column_and_special_tokens_look_at_nobody():
    shown = view(5, chosen=2, direction="in", decimals=3)
    root = parse(arcs(shown, CAPTION, LIGHT))
    numbers = [t.text for t in group(root, "words").iter(f"{SVG}text") if t.get("class") == "number"]
    assert numbers == [f"{weight:.3f}" for weight in shown.map.weights[:, 2]]
    assert len(group(root, "arcs")) == 5


def test_no_word_chosen_shows_every_words_lines_and_no_bars():
    root = parse(arcs(view(4, chosen=None), CAPTION, LIGHT))
    assert len(group(root, "arcs")) == 4 * 6
    assert not [t for t in root.iter(f"{SVG}text") if t.get("class") == "number"]


def test_long_words_do_not_touch_their_neighbours():
    root = parse(arcs(view(3, labels=["一个很长很长的词", "internationalization", "的"]), CAPTION, LIGHT))
    words = [w.find(f"{SVG}text") for w in group(root, "words")]
    ends = [(float(w.get("x")), text_width(w.text, float(w.get("font-size"))) / 2) for w in words]
    assert all(x + half < next_x - next_half for (x, half), (next_x, next_half) in pairwise(ends))


def test_a_small_map_joins_equal_neighbours_and_leaves_zero_out():
    drawn_map = small_map(np.array([[0.5, 0.5, 0.0], [0.5, 0.0, 1.0]]), LIGHT)
    drawn = parse(f'<svg xmlns="http://www.w3.org/2000/svg">{drawn_map}</svg>')
    paths = {p.get("stroke-opacity"): p.get("d") for p in drawn.iter(f"{SVG}path")}
    assert paths == {"0.5": "M0 0h2M0 1h1", "1": "M2 1h1"}
    assert drawn[0].get("transform") == f"scale({MAP / 3:.4f} {MAP / 2:.4f}) translate(0 .5)"


def test_144_maps_of_64_words_stay_small():
    rng = np.random.default_rng(0)
    maps = []
    for _ in range(144):  # rows as pointed as the real model's
        rows = rng.dirichlet(np.full(66, 0.05), size=64)
        maps.append(AttentionMap(rows[:, 2:], rows[:, :2], ("<s>", "</s>"), np.zeros(64)))
    grid = [maps[i : i + 12] for i in range(0, 144, 12)]
    names = ([str(i) for i in range(12)], [str(i) for i in range(12)])
    markup = heads(grid, [(6, 2), (0, 0)], names, "{layer}-{head}", CAPTION, LIGHT)
    assert len(markup.encode()) < 1_500_000
    ringed = [r for r in parse(markup).iter(f"{SVG}rect") if r.get("stroke") == LIGHT.query]
    assert len(ringed) == 2


def test_markup_escapes_and_measures():
    assert element("a", x=1.0, class_="b", gone=None, stroke_width='"') == '<a x="1" class="b" stroke-width="&quot;"/>'
    assert text("a<b&\x00\ud800") == "a&lt;b&amp;\ufffd\ufffd"
    assert text_width("词", 20) == 20
    assert wrapped("我们 喜欢苹果", 10, 31) == ["我们", "喜欢苹", "果"]
    assert wrapped("ab cd ef", 10, 32) == ["ab cd", "ef"]
    assert wrapped("买 看苹果，好", 10, 46) == ["买 看苹果，", "好"]
    assert wrapped("", 10, 30) == [""]

"""The heatmap: values in the right cells, labels literal, colours fixed."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import plotly.graph_objects as go
import pytest

from attention_app.figures.heatmap import (
    NUMBERS_UP_TO,
    HeatmapTexts,
    HeatmapView,
    attention_heatmap,
    heatmap_width,
)
from attention_app.figures.palette import Palette

PALETTE = Palette("#1d2330", "#667085", "#e6e3dc", "#ffffff", "#c2571a", "#2357a5", "#684ca0", "#b07010")
DARK = Palette("#e9e7e1", "#9aa1ae", "#2e323b", "#1c1f26", "#f0965a", "#7fabf0", "#b29ae6", "#e0ad5a")
TEXTS = HeatmapTexts(
    "谁在看",
    "看谁",
    "{query_position}{query}>{key_position}{key}={value}",
    "{query}>{key}={value}",
    "{query}-{value}",
    "gone",
    "?",
    "sans",
)


def draw(n, n_special=2, *, labels=None, palette=PALETTE, chosen=0, decimals=2, removed=None, **view):
    rng = np.random.default_rng(n)
    rows = rng.random((n, n + n_special))
    rows /= rows.sum(axis=1, keepdims=True)
    traces, layout = attention_heatmap(
        rows[:, n_special:],
        rows[:, :n_special],
        labels or [f"w{i}" for i in range(n)],
        ("<s>", "</s>")[:n_special],
        removed=removed,
        view=HeatmapView(chosen, decimals, **view),
        texts=TEXTS,
        palette=palette,
    )
    return go.Figure(traces, layout), rows  # plotly's own check: an unknown property or value raises


def test_every_cell_holds_its_weight_and_the_columns_stand_in_reading_order():
    figure, rows = draw(5)
    words, first, last = figure.data
    np.testing.assert_allclose(words.z, rows[:, 2:], atol=6e-5)
    np.testing.assert_allclose(first.z, rows[:, :1], atol=6e-5)
    np.testing.assert_allclose(last.z, rows[:, 1:2], atol=6e-5)
    assert first.x0 < 0
    assert last.x0 > 4
    ticks = sorted(zip(figure.layout.xaxis.tickvals, figure.layout.xaxis.ticktext, strict=True))
    assert [text for _, text in ticks] == ["&lt;s&gt;", "w0", "w1", "w2", "w3", "w4", "&lt;/s&gt;"]


def test_first_word_is_on_top_and_the_scale_is_fixed():
    figure, _ = draw(4)
    low, high = figure.layout.yaxis.range
    assert low > high
    assert [(trace.zmin, trace.zmax) for trace in figure.data] == [(0, 1)] * 3


def test_hover_knows_both_positions():
    figure, _ = draw(3)
    assert figure.data[0].hovertemplate == "%{customdata[0]}%{y}>%{customdata[1]}%{x}=%{z:.2f}<extra></extra>"
    assert figure.data[0].customdata[2, 1].tolist() == [3, 2]
    assert figure.data[2].customdata[2, 0].tolist() == [3]


def test_a_word_that_stands_twice_has_two_rows_and_columns():
    figure, _ = draw(3, labels=["我", "看", "我"])
    assert list(figure.layout.yaxis.tickvals) == [0, 1, 2]
    assert [text.count("我") for text in figure.layout.yaxis.ticktext] == [1, 0, 1]


@pytest.mark.parametrize("word", ["<b>", "<img src=x onerror=alert(1)>", "a<b<c", "&amp;", "%{y}"])
def test_typed_markup_is_shown_as_it_was_typed(word):
    figure, _ = draw(2, labels=[word, "好"], chosen=1)
    assert figure.layout.xaxis.ticktext[0] == figure.layout.yaxis.ticktext[0]
    assert figure.layout.xaxis.ticktext[0] == word.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def test_the_chosen_row_is_marked():
    figure, _ = draw(6, chosen=4)
    (ring,) = figure.layout.shapes
    assert (ring.y0, ring.y1, ring.line.color) == (3.5, 4.5, PALETTE.query)
    assert ["color" in text for text in figure.layout.yaxis.ticktext] == [False] * 4 + [True, False]


def test_numbers_stand_in_the_cells_while_they_fit():
    figure, rows = draw(NUMBERS_UP_TO, decimals=3)
    assert f"{rows[2, 5]:.3f}" in figure.data[0].text[2][3]
    assert draw(NUMBERS_UP_TO + 1)[0].data[0].text is None


def test_no_special_tokens_no_extra_columns():
    figure, rows = draw(4, n_special=0)
    (only,) = figure.data
    np.testing.assert_allclose(only.z.sum(axis=1), 1, atol=3e-4)
    assert list(figure.layout.xaxis.range) == [-0.5, 3.5]
    assert rows.shape == (4, 4)


def grey(color: str) -> float:
    return sum(share * int(color[i : i + 2], 16) for share, i in ((0.299, 1), (0.587, 3), (0.114, 5)))


@pytest.mark.parametrize("palette", [PALETTE, DARK])
def test_numbers_are_readable_on_every_cell(palette):
    """At least 4.5 : 1 (WCAG 2.2, AA) from weight 0 to 1."""

    def luminance(color):
        linear = [((c / 255 + 0.055) / 1.055) ** 2.4 if c > 10 else c / 255 / 12.92 for c in color]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    def rgb(color):
        return [int(color[i : i + 2], 16) for i in (1, 3, 5)]

    for weight in np.linspace(0, 1, 101):
        cell = [a + weight * (b - a) for a, b in zip(rgb(palette.paper), rgb(palette.key), strict=True)]
        lights = sorted([luminance(cell), luminance(rgb(palette.ink_on(weight)))])
        assert (lights[1] + 0.05) / (lights[0] + 0.05) >= 4.5


@pytest.mark.parametrize("palette", [PALETTE, DARK])
def test_weights_can_be_told_apart_in_greyscale(palette):
    (_, low), (_, high) = palette.weight_scale
    assert abs(grey(low) - grey(high)) > 100


def test_the_figure_is_read_from_its_palette_alone():
    other = replace(PALETTE, query="#010203")
    assert "#010203" in draw(3, palette=other)[0].to_json()


def test_a_long_sentence_gets_room_and_a_short_one_is_not_stretched():
    assert heatmap_width(["我"] * 64, 2)[0] > 390 > heatmap_width(["你好", "世界"], 2)[0]
    assert heatmap_width(["你好", "世界"], 0)[1] < 400


def test_names_that_do_not_fit_side_by_side_widen_the_figure_or_stand_upright():
    short, long, longest = ["我", "爱", "你"], ["我", "人工智能", "你"], ["我", "Transformer-Encoder", "你"]
    assert heatmap_width(long, 0)[0] > heatmap_width(short, 0)[0]
    assert [draw(3, labels=names)[0].layout.xaxis.tickangle for names in (short, long, longest)] == [0, 0, -90]


def test_the_chosen_column_is_marked_when_the_question_is_who_looks_at_it():
    figure, _ = draw(6, chosen=4, by_column=True)
    (ring,) = figure.layout.shapes
    assert (ring.x0, ring.x1, ring.y0, ring.y1, ring.line.color) == (3.5, 4.5, -0.5, 5.5, PALETTE.key)
    assert not any("color" in text for text in figure.layout.yaxis.ticktext)
    assert ["color" in text for text in figure.layout.xaxis.ticktext] == [False] * 4 + [True] + [False] * 3


def test_removed_mass_is_a_column_of_its_own_in_another_hue():
    removed = np.array([0.1, 0.66, 0.2])
    figure, _ = draw(3, n_special=0, removed=removed, chosen=1)
    words, gone = figure.data
    np.testing.assert_allclose(gone.z[:, 0], removed, atol=1e-6)
    assert gone.colorscale != words.colorscale
    assert gone.x0 > 2.5
    assert gone.hovertemplate == "%{y}-%{z:.2f}<extra></extra>"
    assert gone.customdata is None
    (ring,) = figure.layout.shapes
    assert ring.x1 == 2.5  # what was removed is no part of the row
    assert figure.layout.xaxis.ticktext[-1] == "gone"


def test_a_scale_per_row_changes_the_colours_and_no_number():
    figure, rows = draw(5, by_row_scale=True)
    words, first, last = figure.data
    shades = np.concatenate([first.z, words.z, last.z], axis=1)
    np.testing.assert_allclose(shades.max(axis=1), 1, atol=1e-6)
    fixed, _ = draw(5)
    assert words.hovertext[2][3] == f"{rows[2, 5]:.2f}"
    assert f"{rows[2, 5]:.2f}" in words.text[2][3]
    assert words.hovertemplate.endswith("=%{text}<extra></extra>")
    assert fixed.data[0].hovertext is None


def test_hidden_numbers_are_nowhere():
    for scale in (False, True):
        figure, _ = draw(3, numbers=False, by_row_scale=scale, removed=np.full(3, 0.5))
        for trace in figure.data:
            assert trace.text is None
            assert trace.texttemplate is None
            assert trace.hovertext is None
            assert "z:" not in trace.hovertemplate
            assert "?" in trace.hovertemplate


def test_six_decimals_reach_the_screen():
    figure, rows = draw(4, decimals=6)
    np.testing.assert_allclose(figure.data[0].z, rows[:, 2:], atol=6e-7)
    assert f"{rows[1, 3]:.6f}" in figure.data[0].text[1][1]
    assert heatmap_width(["我"], 2, decimals=6)[0] > heatmap_width(["我"], 2, decimals=2)[0]


@pytest.mark.parametrize("by_column", [False, True])
@pytest.mark.parametrize("by_row_scale", [False, True])
@pytest.mark.parametrize("n", [5, NUMBERS_UP_TO + 1])
def test_what_a_class_guesses_has_no_colours(n, by_row_scale, by_column):
    looks = {"numbers": False, "by_column": by_column, "by_row_scale": by_row_scale}
    (plain, _), (figure, _) = draw(n, **looks), draw(n, asked=3, **looks)
    few = n == 5
    for trace, whole in zip(figure.data, plain.data, strict=True):
        guessed = np.zeros(whole.z.shape, dtype=bool)
        if by_column:
            guessed[:, 3:4] = whole.z.shape[1] > 1  # a special token is another column
        else:
            guessed[3] = True
        np.testing.assert_allclose(trace.z, np.where(guessed, 0, whole.z), atol=1e-6)
        marks = np.array(trace.text) == "?" if trace.text is not None else np.zeros_like(guessed)
        assert (marks == (guessed & few)).all()
        assert trace.texttemplate == ("%{text}" if few and guessed.any() else None)


def test_a_family_emoji_is_as_wide_as_one_character():
    assert heatmap_width(["👨‍👩‍👧", "和"], 2) == heatmap_width(["😀", "和"], 2)

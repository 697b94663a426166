"""The figures of the laboratory against plotly's own check, and what is on them."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go
import pytest

from attention_app.figures.depth import DepthTexts, Series, depth_chart
from attention_app.figures.difference import DifferenceTexts, difference_heatmap
from attention_app.figures.palette import Palette
from attention_app.figures.ripple import RippleTexts, ripple_heatmap

PALETTE = Palette("#1d2330", "#667085", "#e6e3dc", "#ffffff", "#c2571a", "#2357a5", "#684ca0", "#b07010")
HOSTILE = "<b>&amp;"


def difference(n, **options):
    values = np.linspace(-1, 1, n * n).reshape(n, n)
    given = {"chosen": 1, "decimals": 2, "numbers": True, "zoom": 1.0, **options}
    texts = DifferenceTexts("rows", "columns", "{query} {key} {value}", "serif")
    labels = [HOSTILE, *map(str, range(1, n))]
    return go.Figure(*difference_heatmap(values, labels, **given, texts=texts, palette=PALETTE))


@pytest.mark.parametrize(("n", "written"), [(3, True), (13, False)])
def test_a_difference_is_signed_and_centred_on_0(n, written):
    figure = difference(n)
    (trace,) = figure.data
    assert (trace.zmin, trace.zmax) == (-1, 1)
    assert (trace.text[0][0], trace.text[-1][-1]) == ("−1.00", "+1.00")
    assert bool(trace.texttemplate) == written
    assert figure.layout.yaxis.range[0] > figure.layout.yaxis.range[1]
    assert figure.layout.xaxis.ticktext[0] == "&lt;b&gt;&amp;amp;"
    assert len(figure.layout.shapes) == 1
    assert not difference(n, chosen=None).layout.shapes


def test_a_hidden_difference_shows_nothing():
    (trace,) = difference(4, numbers=False).data
    assert not np.any(trace.z)
    assert {text for row in trace.text for text in row} == {"?"}


def test_depth_draws_a_line_for_each_series_over_all_layers():
    series = [Series("a", np.array([1.0, 0.9, 0.5, 0.7]), "#c2571a", True), Series("b", np.ones(4), "#667085", False)]
    texts = DepthTexts("layer", "cosine", "input", "serif")
    figure = go.Figure(*depth_chart(series, decimals=3, zoom=1.0, texts=texts, palette=PALETTE))
    assert [list(trace.y) for trace in figure.data] == [[1.0, 0.9, 0.5, 0.7], [1.0] * 4]
    assert list(figure.layout.xaxis.ticktext) == ["input", "1", "2", "3"]
    low, high = figure.layout.yaxis.range
    assert low < 0.5
    assert high > 1


def test_a_typed_word_is_no_field_of_what_is_read_at_a_depth():
    texts = DepthTexts("layer", "cosine", "input", "serif")
    series = [Series("%{y}%{customdata}", np.ones(3), "#c2571a", True)]
    figure = go.Figure(*depth_chart(series, decimals=2, zoom=1.0, texts=texts, palette=PALETTE))
    assert figure.data[0].name == "%{y}%{customdata}"
    assert figure.data[0].hovertemplate == "%{fullData.name} · layer %{x}: %{text}<extra></extra>"


def test_a_ripple_is_darkest_where_most_moved():
    distances = np.array([[0, 0.1, 0.2], [0, 0, 0.05]])
    texts = RippleTexts("layer", "input", "{word} {layer} {value}", "serif")
    figure = go.Figure(*ripple_heatmap(distances, ["a", HOSTILE], decimals=2, zoom=1.0, texts=texts, palette=PALETTE))
    (trace,) = figure.data
    assert (trace.zmin, trace.zmax) == (0, 0.2)
    assert trace.hovertext[0][2] == "0.20"
    assert figure.layout.yaxis.ticktext[1] == "&lt;b&gt;&amp;amp;"
    nothing = ripple_heatmap(np.zeros((2, 3)), ["a", "b"], decimals=2, zoom=1.0, texts=texts, palette=PALETTE)
    assert go.Figure(*nothing).data[0].zmax > 0

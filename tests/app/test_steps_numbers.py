"""The numbers of 一步一步: each step follows from the one before, and they are the core's."""

from __future__ import annotations

import json

import numpy as np
import pytest

from attention_app.text import load
from attention_app.ui import state
from attention_core.sources import EMBEDDINGS, SOURCES
from tests.app.looking import unpacked
from tests.app.steps import matrices, result, said


def test_the_explore_pages_number_is_reached(open_steps):
    app = open_steps(step=6)
    assert "0\\.73，和“看一句话”里的 0\\.73 是同一个数" in said(app)
    assert result(app, "words")[4, 7] == pytest.approx(0.73, abs=0.005)  # a row for each word; <s> is column 0


def test_pieces_are_gathered_into_the_words_of_the_explore_page(open_steps):
    from attention_app.ui import cache
    from attention_core.sources import Settings
    from attention_core.words import segment

    text = "他吃了tiramisu和哈根达斯。"
    explored = cache.word_attention(segment(text), "real", Settings())
    for way in ("all", "one"):
        app = open_steps(text=text, step=6, word=4, way=way)
        assert len(matrices(app)["sum-keys"]["sources"][0]["rows"]) > 1
        special = explored.special[6, 2]
        expected = np.hstack([special[:, :1], explored.weights[6, 2], special[:, 1:]])
        found = result(app, "mean-queries")
        np.testing.assert_allclose(found, expected if way == "all" else expected[3:4], atol=1e-6)
        assert "是同一个数" in said(app)


def test_each_step_starts_from_the_result_of_the_one_before(open_steps):
    for source in SOURCES:
        app = open_steps(source=source, step=0, temperature="2", mask="causal")
        given = matrices(app)
        for before, after in (("scores", "scaled"), ("scaled", "masked"), ("masked", "weights")):
            np.testing.assert_array_equal(result(app, before), unpacked(given[after]["sources"][0]["values"]))
        np.testing.assert_array_equal(result(app, "weights"), unpacked(given["z"]["sources"][0]["values"]))
        np.testing.assert_allclose(result(app, "weights").sum(axis=1), 1, rtol=1e-6)


def test_the_parts_add_up_to_the_words_row_of_z(open_steps):
    app = open_steps(step=7, word=5)
    *parts, total = result(app, "parts")
    np.testing.assert_allclose(np.sum(parts, axis=0), total, rtol=1e-9)
    np.testing.assert_allclose(total, result(app, "z")[5], rtol=1e-9)  # <s> is row 0
    (chart,) = app.get("plotly_chart")
    bars = [trace for trace in json.loads(chart.proto.spec)["data"] if trace["type"] == "bar"]
    assert [bar["name"] for bar in bars] == ["苹果", "超市", "昨天", "其余 7 个"]
    np.testing.assert_allclose(np.sum([bar["y"] for bar in bars], axis=0), total, rtol=1e-9)


def test_the_real_models_x_is_what_its_layer_read(open_steps):
    from attention_app.ui import cache
    from attention_core.words import segment

    run = cache.encoder_run(segment("我昨天去超市买了苹果。"))
    for layer in (1, 2, 12):
        np.testing.assert_allclose(result(open_steps(layer=layer), "x"), run.hidden[layer - 1], atol=1e-5)


@pytest.mark.parametrize("embedding", EMBEDDINGS)
@pytest.mark.parametrize("source", ["toy", "paper"])
def test_x_follows_the_settings(open_steps, source, embedding):
    app = open_steps(source=source, embedding=embedding, positions="on")
    assert {"x", "x-sum"} <= matrices(app).keys()
    sources = matrices(open_steps(source=source, embedding=embedding))
    assert sources.keys() == {"x"} | ({"x-edit"} if source == "toy" else set())


def test_one_word_is_the_same_row(open_steps):
    every, one = (
        open_steps(step=0, text="他吃了巧克力冰淇淋。"),
        open_steps(step=0, text="他吃了巧克力冰淇淋。", way="one"),
    )
    rows = matrices(one)["weights"]["result"]["rows"]
    names = matrices(every)["weights"]["result"]["rows"]
    start = names.index(rows[0])
    for key in ("x", "project-q", "scores", "scaled", "masked", "weights", "z"):
        np.testing.assert_array_equal(result(one, key), result(every, key)[start : start + len(rows)])
    assert result(one, "chain").shape == (len(names), 5)


def test_without_the_division_the_scores_go_on(open_steps):
    app = open_steps(step=0, scaled="off", source="paper")
    np.testing.assert_array_equal(result(app, "scaled"), result(app, "scores"))
    divided = open_steps(step=0, source="paper")
    np.testing.assert_allclose(result(divided, "scaled") * 8, result(app, "scaled"))
    np.testing.assert_array_equal(result(app, "compare"), result(divided, "compare"))


@pytest.mark.parametrize("temperature", state.TEMPERATURES)
@pytest.mark.parametrize("scaled", ["on", "off"])
def test_every_temperature_is_stable(open_steps, temperature, scaled):
    app = open_steps(step=6, temperature=temperature, scaled=scaled)
    weights = result(app, "weights")
    assert np.isfinite(weights).all()
    np.testing.assert_allclose(weights.sum(axis=1), 1)


def test_the_row_of_a_word_is_no_bare_space(open_steps):
    app = open_steps(text="你好", step=6)
    assert matrices(app)["weights"]["result"]["rows"] == ["<s>", "▁", "你好", "</s>"]
    assert load("steps", "zh")("steps.chain", query="你好") in said(app)


@pytest.mark.parametrize("way", ["all", "one"])
def test_the_words_matrix_has_the_shape_of_its_formula(open_steps, way):
    app = open_steps(step=6, way=way)
    shown = matrices(app)["words"]
    n_rows = 8 if way == "all" else 1
    assert shown["result"]["values"]["shape"] == [n_rows, 10]
    assert shown["result"]["columns"] == ["<s>", "我", "昨天", "去", "超市", "买", "了", "苹果", "。", "</s>"]
    assert "underset{(8,\\,10)}{A}" in "".join(one.value for one in app.latex)

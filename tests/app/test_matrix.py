"""The linked matrices without a browser: what travels, what is refused, what the callbacks are given."""

from __future__ import annotations

import json
import re
from pathlib import Path

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from attention_app.components import matrix
from attention_app.components.matrix import LIMIT, Matrix, Norm, Scale, Softmax, _edit, _inside
from attention_app.components.matrix.wire import packed
from attention_app.text import load
from attention_core.ops import layer_norm
from tests.app.looking import unpacked, views

HARNESS = str(Path(__file__).parents[1] / "browser" / "apps" / "matrix.py")
SCENES = ("scores", "project", "z", "scale", "mask", "softmax", "toy", "single", "add", "norm", "eight", "two")
TEXTS = matrix.texts(load("matrix", "zh").entries)
COMMON = {"key": "k", "decimals": 2, "texts": TEXTS}
A, B = np.arange(6.0).reshape(2, 3), np.arange(12.0).reshape(3, 4)


def open_scene(scene, **link):
    app = AppTest.from_file(HARNESS, default_timeout=60)
    app.query_params["scene"] = scene
    for name, value in link.items():
        app.query_params[name] = value
    app.run()
    assert not app.exception
    return app


def sent(app):
    return views(app, "matrix")


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_numbers_arrive_as_they_were(dtype):
    values = np.random.default_rng(0).normal(size=(5, 7)).astype(dtype)
    values[2, 3] = -np.inf
    np.testing.assert_array_equal(unpacked(packed(values)), values)


def test_a_large_matrix_travels_as_float32():
    assert packed(np.zeros((65, 64)))["bytes"] == 4
    assert packed(np.zeros((64, 64)))["bytes"] == 8


def test_the_real_projection_stays_below_eighty_kilobytes():
    (data,) = sent(open_scene("project"))
    assert [part["values"]["shape"] for part in data["sources"]] == [[10, 384], [384, 32]]
    assert len(json.dumps(data)) < 80_000


@pytest.mark.parametrize("scene", SCENES)
@pytest.mark.parametrize("link", [{}, {"text": "你好", "lang": "en"}, {"decimals": "6", "hidden": "on"}])
def test_every_scene_is_drawn(scene, link):
    assert sent(open_scene(scene, **link))


def test_the_kept_cell_comes_back():
    (data,) = sent(open_scene("scores", cell="5-7"))
    assert data["cell"] == [5, 7]


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"rows": ["a"]}, "1 rows"),
        ({"columns": ["a"]}, "1 columns"),
        ({"groups": [("a", 3)]}, "hold 3 rows"),
        ({"row_at": [0]}, "1 row_at"),
        ({"mask_reasons": {(2, 0): "why"}}, "outside"),
        ({"values": np.array([[np.nan]])}, "no reason"),
        ({"values": np.array([[-np.inf]])}, "no reason"),
        ({"values": np.array([[np.inf]]), "mask_reasons": {(0, 0): "why"}}, "no reason"),
        ({"values": np.zeros(3)}, "rows and columns"),
        ({"values": np.zeros((0, 3))}, "rows and columns"),
    ],
)
def test_a_matrix_whose_parts_do_not_fit_is_refused(options, said):
    with pytest.raises(ValueError, match=said):
        Matrix(**{"name": "A", "values": A, **options})


def test_a_wrong_picture_is_refused():
    a, b, c = Matrix("A", A), Matrix("B", B), Matrix("C", A @ B)
    with pytest.raises(ValueError, match="is not"):
        matrix.product(a, c, b, **COMMON)
    with pytest.raises(ValueError, match="is not what its factors make"):
        matrix.product(a, b, Matrix("C", A @ B + 1), **COMMON)
    with pytest.raises(ValueError, match="the bias"):
        matrix.product(a, b, c, bias=np.zeros(3), **COMMON)
    with pytest.raises(ValueError, match="names of their own"):
        matrix.product(a, b, Matrix("A", A @ B), **COMMON)
    with pytest.raises(ValueError, match="outside"):
        matrix.product(a, b, c, cell=(2, 0), **COMMON)
    with pytest.raises(ValueError, match="decimals"):
        matrix.product(a, b, c, **{**COMMON, "decimals": 7})
    with pytest.raises(ValueError, match="cannot become"):
        matrix.transform(a, b, how="mask", **COMMON)
    with pytest.raises(ValueError, match="is not what"):
        matrix.transform(a, Matrix("C", A), how=Scale(2, "2"), **COMMON)
    with pytest.raises(ValueError, match="is not what"):
        matrix.transform(a, Matrix("C", A), how=Softmax(), **COMMON)
    with pytest.raises(ValueError, match="above 0"):
        matrix.transform(a, Matrix("C", A), how=Softmax(0), **COMMON)
    with pytest.raises(ValueError, match="cannot be a part"):
        matrix.addition([a, b], Matrix("C", A), **COMMON)
    with pytest.raises(ValueError, match="is not what"):
        matrix.addition([a, Matrix("C", A)], Matrix("D", A), **COMMON)


def test_a_norm_is_checked_row_by_row():
    gain, bias = np.array([1.0, 2.0, -1.0]), np.array([0.0, 0.5, 0.25])
    normed = layer_norm(A**2, gain, bias, 1e-6)
    how = Norm(gain, bias, 1e-6)
    with pytest.raises(ValueError, match="is not what"):
        matrix.transform(Matrix("A", A**2), Matrix("X", normed.T.reshape(2, 3)), how=how, **COMMON)
    with pytest.raises(ValueError, match="is not what"):
        matrix.transform(Matrix("A", A**2), Matrix("X", normed), how=Norm(gain, -bias, 1e-6), **COMMON)


def test_a_click_sends_the_cell_and_no_matrix():
    app = open_scene("project", cell="5-7")
    (view,) = [item.proto.json for item in app.get("bidi_component") if item.proto.component_name == "attention.matrix"]
    assert json.loads(view)["cell"] == [5, 7]
    assert len(view) < 200


def test_a_row_masked_out_entirely_is_refused():
    empty = np.array([[0.0, 1.0], [-np.inf, -np.inf]])
    source = Matrix("A", empty, mask_reasons={(1, 0): "why", (1, 1): "why"})
    with pytest.raises(ValueError, match="masked out entirely"):
        matrix.transform(source, Matrix("C", np.ones((2, 2)) / 2), how=Softmax(), **COMMON)


@pytest.mark.parametrize("cell", [None, "none", [0], [0, 9], [-1, 0], [0.0, 1], [True, 0], {"a": 1}, [0, 1, 2]])
def test_what_is_not_a_cell_is_ignored(cell):
    assert not _inside(cell, A.shape)


def test_an_edit_is_checked_again_on_this_side():
    editable = {"A": A.shape}
    good = {"name": "A", "row": 1, "column": 2, "value": -0.5}
    assert _edit(good, editable) == ("A", 1, 2, -0.5)
    for wrong in (
        {"name": "B"},
        {"name": ["A"]},
        {"row": 2},
        {"column": "1"},
        {"value": "1"},
        {"value": True},
        {"value": LIMIT * 2},
        {"value": float("nan")},
    ):
        assert _edit({**good, **wrong}, editable) is None
    assert _edit(None, editable) is None
    assert _edit([1], editable) is None


def test_every_word_of_the_view_has_its_text():
    view = (Path(matrix.__file__).parent / "view.js").read_text("utf-8")
    used = set(re.findall(r"texts\.(\w+)", view))
    assert used <= TEXTS.keys()
    assert TEXTS.keys() <= used, "words nobody says"


@pytest.mark.parametrize("of_columns", [(-1, 9), (6, 9), (0, 3)])
def test_a_part_of_a_wider_matrix_lies_within_it(of_columns):
    with pytest.raises(ValueError, match="are not within"):
        Matrix("W", np.ones((2, 4)), of_columns=of_columns)
    assert Matrix("W", np.ones((2, 4)), of_columns=(5, 9)).as_data()["ofColumns"] == (5, 9)

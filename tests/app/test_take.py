"""带走 on 一步一步 and 多头与拼接: the program runs with NumPy alone, files hold the numbers on the screen."""

from __future__ import annotations

import csv
import io
import json
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import numpy as np
import pytest

from attention_app.text import LANGUAGES
from attention_app.ui import take
from attention_app.ui.take import bundle, page, program
from attention_core.sources import SOURCES
from tests.app import steps
from tests.app.looking import unpacked, views

HOSTILE = "</script><b>x <img src=x onerror=alert(1)>"
FORMULA = "=1+1 @a"
LONG = "今天早上我和弟弟一起坐公共汽车去城里的图书馆借了三本书，回家以后妈妈给我们做了很好吃的晚饭，我们都很高兴。"


@pytest.fixture
def open_take(open_app, monkeypatch):
    """open_take("steps", **link): the page, and what a visitor can take along."""

    def open_(name, **link):
        seen = []
        with monkeypatch.context() as patch:
            patch.setattr(take, "panel", seen.append)
            app = open_app(**link)
            app.switch_page(f"pages/{name}.py").run()
        assert not app.error
        return app, seen[-1]

    return open_


@pytest.fixture(scope="module")
def numpy_alone(tmp_path_factory):
    """run(script): its output under a Python that finds its own library and NumPy, and nothing else."""
    folder = tmp_path_factory.mktemp("numpy")
    for part in ("numpy", "numpy.libs"):
        found = Path(np.__file__).parents[1] / part
        if found.is_dir():
            (folder / part).symlink_to(found, target_is_directory=True)

    def run(script):
        start = (
            f"import runpy, sys; sys.path.append({str(folder)!r}); runpy.run_path({str(script)!r}, run_name='__main__')"
        )
        # -I: no variables, no current folder; -S: no site-packages
        return subprocess.run(
            [sys.executable, "-I", "-S", "-X", "utf8", "-c", start],
            capture_output=True,
            check=False,
            encoding="utf-8",
            env={"OPENBLAS_NUM_THREADS": "1", "SYSTEMROOT": os.environ.get("SYSTEMROOT", "")},
        )

    return run


def printed(run, taken, folder):
    """The weights that the program prints, (lines, n), and the names before them."""
    with zipfile.ZipFile(io.BytesIO(program.zipped(taken.program()))) as files:
        assert set(files.namelist()) == {"attention.py", "numbers.npz"}
        files.extractall(folder)
    done = run(folder / "attention.py")
    assert done.returncode == 0, done.stderr
    lines = [line.split(" ") for line in done.stdout.splitlines() if not line.startswith("head ")]
    n = len(np.load(folder / "numbers.npz", allow_pickle=False)["names"])
    return np.array([line[-n:] for line in lines], dtype=float), [" ".join(line[:-n]) for line in lines]


def test_the_clean_python_has_nothing_but_numpy(numpy_alone, tmp_path):
    for name in ("streamlit", "jieba", "attention_core", "attention_app", "plotly"):
        (tmp_path / "a.py").write_text(f"import numpy\nimport {name}\n", "utf-8")
        assert f"No module named '{name}'" in numpy_alone(tmp_path / "a.py").stderr


CHANGED = {"mask": "causal", "scaled": "off", "temperature": "5", "way": "one", "head": 2}


@pytest.mark.parametrize("source", SOURCES)
@pytest.mark.parametrize("changed", [{}, CHANGED], ids=["plain", "changed"])
def test_the_program_prints_the_weights_on_the_screen(open_take, numpy_alone, tmp_path, source, changed):
    changed = {name: value for name, value in changed.items() if name != "head" or SOURCES[source].n_heads > 1}
    app, taken = open_take("steps", source=source, step=6, positions="on", projection="seeded", **changed)
    weights, names = printed(numpy_alone, taken, tmp_path)
    shown = steps.matrices(app)["weights"]["result"]
    only = [names.index(row) for row in shown["rows"]]
    np.testing.assert_allclose(weights[only], unpacked(shown["values"]), atol=2e-6)
    assert len(taken.program().script.splitlines()) < 20


def test_the_program_starts_from_the_numbers_a_learner_changed(open_take, numpy_alone, tmp_path):
    from attention_app.ui.steps import edits

    packed = edits.pack({("X", (4, 1)): 2.5, ("W_Q", (0, 0, 1)): -1.0})
    app, taken = open_take("steps", source="toy", step=6, edits=packed)
    weights, _ = printed(numpy_alone, taken, tmp_path)
    np.testing.assert_allclose(weights, steps.result(app, "weights"), atol=6e-7)


@pytest.mark.parametrize("source", SOURCES)
def test_the_layers_program_prints_the_weights_of_every_head(open_take, numpy_alone, tmp_path, source):
    _, taken = open_take("multihead", source=source, text=FORMULA if source == "toy" else "他跑得很快。")
    weights, _ = printed(numpy_alone, taken, tmp_path)
    every = {matrix.name: matrix.values for matrix in taken.matrices()}
    expected = [every[f"attn_weights_{head + 1}"] for head in range(SOURCES[source].n_heads)]
    np.testing.assert_allclose(weights, np.concatenate(expected), atol=2e-6)


def test_nothing_a_person_typed_stands_in_the_program(open_take):
    scripts = [open_take("steps", source="toy", text=text)[1].program().script for text in ("你好", HOSTILE)]
    assert scripts[0] == scripts[1]


# ------------------------------------------------------------------------------------------------ every matrix


def unzipped(content):
    with zipfile.ZipFile(io.BytesIO(content)) as files:
        return {name: files.read(name) for name in files.namelist()}


@pytest.mark.parametrize("source", SOURCES)
@pytest.mark.parametrize("name", ["steps", "multihead"])
def test_every_matrix_is_in_a_csv_and_in_the_json(open_take, name, source):
    _, taken = open_take(name, source=source, layer=1, mask="causal", positions="on", way="one")
    files = unzipped(bundle.zipped(taken))
    held = json.loads(files.pop("matrices.json"))
    layer = name == "multihead"
    assert ("head" in held, held.get("heads")) == (not layer, SOURCES[source].n_heads if layer else None)
    assert (held["source"], held["trained"], held["words"][4]) == (source, source == "real", "买")
    matrices = taken.matrices()
    assert len(files) == len(matrices) == len({matrix.name for matrix in matrices})
    for (file, content), matrix, one in zip(files.items(), matrices, held["matrices"], strict=True):
        (corner, *columns), *lines = csv.reader(io.StringIO(content.decode("utf-8-sig")))
        assert corner == one["name"] == matrix.name, file
        assert columns == one["columns"]
        assert [line[0] for line in lines] == one["rows"]
        numbers = np.array([[-np.inf if text == bundle.MASKED else float(text) for text in line[1:]] for line in lines])
        np.testing.assert_allclose(numbers, matrix.values, rtol=1e-8)
        nulls = np.array([[np.nan if value is None else value for value in row] for row in one["values"]], dtype=float)
        np.testing.assert_allclose(nulls, np.where(np.isneginf(matrix.values), np.nan, matrix.values), rtol=1e-8)


def test_the_bundle_holds_what_the_steps_show(open_take):
    for layer in (1, 7):
        app, taken = open_take("steps", layer=layer, step=0, part="k", text="他吃了tiramisu和哈根达斯。")
        every = {matrix.name: matrix for matrix in taken.matrices()}
        shown = [part for data in steps.matrices(app).values() for part in (*data["sources"], data["result"])]
        own = {"pieces→words", "sums", "1/|u|"}  # ways to the words, and the two rows that step 4 compares
        for part in shown:
            if part["name"] in own or (part["name"] == "softmax" and len(part["rows"]) == 2):
                continue
            matrix = every[part["name"]]
            np.testing.assert_allclose(unpacked(part["values"]), matrix.values, rtol=1e-6, atol=1e-6)
            assert part["rows"] in ([], list(matrix.rows))


def test_a_word_that_is_a_formula_stays_a_word(open_take):
    _, taken = open_take("steps", source="toy", text=FORMULA)
    for name, content in unzipped(bundle.zipped(taken)).items():
        if name.endswith(".csv"):
            for line in csv.reader(io.StringIO(content.decode("utf-8-sig"))):
                assert not [text for text in line if text[:1] in "=+@" or (text[:1] == "-" and not text[1:2].isdigit())]


# ---------------------------------------------------------------------------------------------------- the page


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", ["steps", "multihead"])
def test_the_page_stands_alone(open_take, name, language):
    _, taken = open_take(name, lang=language, source="toy", step=0, text=HOSTILE, off="1")
    content = page.html(taken)
    assert f'<html lang="{language}">' in content
    assert "default-src 'none'; style-src 'sha256-" in content
    assert content.count("</script>") == 2
    assert "<b>" not in content.split("<script")[0]
    assert "<img" not in content.split("<script")[0]
    assert "http" not in content.replace("http-equiv", "").replace("http://www.w3.org/2000/svg", "")
    assert {"zh": "未训练", "en": "untrained"}[language] in content
    data = json.loads(content.split('id="data">')[1].split("</script>")[0])
    assert "switches" not in [given.get("face") for _, given in data["views"]]
    for view, given in data["views"]:
        if view == "given":
            assert not given["content"]["result"]["editable"]


def test_the_page_holds_the_views_of_the_screen_and_each_number_once(open_take):
    app, taken = open_take("steps", step=0)
    content = page.html(taken)
    data = json.loads(content.split('id="data">')[1].split("</script>")[0])
    assert len(taken.sections) == len(app.subheader)
    keys = [given["key"] for view, given in data["views"] if view == "matrix"]
    assert keys == [given["key"] for given in views(app, "matrix")]
    assert len(set(data["numbers"])) == len(data["numbers"])
    every = [part["values"]["data"] for given in views(app, "matrix") for part in (*given["sources"], given["result"])]
    assert set(data["numbers"]) == set(every)
    assert len(every) > len(data["numbers"])


@pytest.mark.parametrize(("name", "link"), [("steps", {"step": 0, "layer": 1}), ("multihead", {})])
def test_the_largest_page_is_small_enough(open_take, name, link):
    _, taken = open_take(name, text=LONG, **link)
    assert len(page.html(taken).encode()) < 1_500_000


def test_nothing_is_made_before_it_is_asked_for(open_app, monkeypatch):
    def never(*_):
        raise AssertionError("made without being asked for")

    for module, made in ((page, "html"), (bundle, "zipped"), (program, "zipped")):
        monkeypatch.setattr(module, made, never)
    app = open_app()
    for name in ("steps", "multihead"):
        app.switch_page(f"pages/{name}.py").run()
        assert not app.error
        assert len(app.get("download_button")) == 3 + (name == "multihead")


@pytest.mark.parametrize("name", ["steps", "multihead"])
def test_a_projector_shows_no_files(open_app, name):
    app = open_app(present="on")
    app.switch_page(f"pages/{name}.py").run()
    assert not app.get("download_button")

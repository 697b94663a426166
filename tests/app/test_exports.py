"""带走 and 给我代码 without a browser: files hold the numbers on the screen, the code computes them."""

from __future__ import annotations

import base64
import contextlib
import csv
import hashlib
import io
import json
import re
import shlex
from html.parser import HTMLParser

import numpy as np
import pytest

import attention_core
from attention_app.text import LANGUAGES
from attention_app.ui import code, exports, state, taken
from attention_app.ui.spreadsheet import cell
from attention_core import cli
from attention_core.sources import SOURCES

HOSTILE = "</script><b>x <img src=x onerror=alert(1)>"
LINKS = {
    "default": {},
    "hidden": {"special": "off"},
    "mean": {"mean": "8-5.9-9"},
    "in": {"direction": "in", "word": 7},
    "guessing": {"numbers": "off"},
    "pieces": {"text": "supercalifragilistic苹果派", "pieces": "on", "word": 1},
    "nobody": {"word": 0},
    "by hand": {"cut": "1.2.3.4.6.7.8.10", "word": 2},
    "toy": {"source": "toy", "d_model": 6, "positions": "on", "seed": 7, "head": 2},
    "paper": {"source": "paper", "embedding": "seeded"},
    "vectors": {"source": "vectors", "projection": "seeded"},
    "hostile": {"text": HOSTILE, "decimals": 5},
    "quotes": {"text": 'it\'s a \\ "b" / $HOME `c`'},
}


@pytest.fixture
def open_taken(open_app, monkeypatch):
    """open_taken(**link): what a visitor with this link can take along, and the lesson's settings."""

    def open_(**link):
        seen = []
        take = exports.take
        with monkeypatch.context() as patch:
            patch.setattr(exports, "take", lambda lesson: seen.append(take(lesson)) or seen[-1])
            app = open_app(**link)
        assert not app.error
        return seen[-1]

    return open_


@pytest.mark.parametrize("name", LINKS)
def test_csv_holds_every_number_on_the_screen(open_taken, name):
    it = open_taken(**LINKS[name])
    content = it.csv()
    assert content.startswith(b"\xef\xbb\xbf")
    (corner, *columns), *rows = csv.reader(io.StringIO(content.decode("utf-8-sig")))
    assert corner == "谁在看＼看谁"
    lesson = it.lesson
    special = list(lesson.map.special_names)
    removed = ["隐藏的特殊词元"] if name == "hidden" else []
    plain = [label.removeprefix("'") for label in columns]
    assert plain == [*special[:1], *lesson.rows, *special[1:], *removed]
    assert [row[0].removeprefix("'") for row in rows] == list(lesson.rows)
    numbers = np.array([row[1:] for row in rows], dtype=float)
    assert {len(number.split(".")[1]) for row in rows for number in row[1:]} == {6}
    np.testing.assert_allclose(numbers[:, len(special[:1]) :][:, : len(lesson.rows)], lesson.map.weights, atol=6e-7)
    if special:
        np.testing.assert_allclose(numbers[:, [0, -1]], lesson.map.special, atol=6e-7)
    if removed:
        np.testing.assert_allclose(numbers[:, -1], lesson.map.removed, atol=6e-7)
        assert numbers[4, -1] == pytest.approx(0.0647, abs=1e-3)


@pytest.mark.parametrize("word", ["=1+1", "+1", "-1", "@SUM(A1)", "＝1", "\t=1", "\r=1"])
def test_a_word_cannot_become_a_formula(word):
    assert cell(word) == f"'{word}"


def test_other_words_stay_as_they_are():
    assert [cell(word) for word in ("苹果", "a=b", "'t", "<s>", "1")] == ["苹果", "a=b", "'t", "<s>", "1"]


def test_csv_of_a_sentence_of_formulas(open_taken):
    cells = [
        c for row in csv.reader(io.StringIO(open_taken(text="=SUM(A1) + 苹果").csv().decode("utf-8-sig"))) for c in row
    ]
    assert "'=" in cells
    assert "'+" in cells
    assert not [cell for cell in cells if cell.startswith(("=", "+", "-", "@"))]


@pytest.mark.parametrize("name", LINKS)
def test_json_holds_what_is_shown(open_taken, name):
    it = open_taken(**LINKS[name])
    content = json.loads(it.json())
    np.testing.assert_allclose(content["weights"], it.lesson.map.weights, atol=6e-7)
    np.testing.assert_allclose(content["special"], it.lesson.map.special, atol=6e-7)
    assert content["rows"] == list(it.lesson.rows)
    assert content["heads"] == [[layer + 1, head + 1] for layer, head in it.lesson.heads]
    assert content["version"] == attention_core.__version__
    assert content["special_hidden"] == (name == "hidden")
    assert content["direction"] == ("in" if name == "in" else "out")
    if name == "default":
        assert content["sentence"] == "我昨天去超市买了苹果。"
        assert content["weights"][4][6] == pytest.approx(0.7346, abs=1e-4)
        assert content["trained"] is True


def run_command(line):
    program, *arguments = shlex.split(line)[2:]
    assert (line[:9], program) == ("python -m", "attention_core")
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        assert cli.main([*arguments, "--format", "json"]) == 0
    return json.loads(out.getvalue())


@pytest.mark.parametrize("name", LINKS)
def test_the_command_gives_the_same_file(open_taken, name):
    it = open_taken(**LINKS[name])
    shown = json.loads(it.json())
    told = run_command(code.command(it.lesson, it.lesson.settings))
    same = ["words", "source", "layer", "head"]
    if name not in ("hidden", "mean", "pieces"):
        same += ["pieces", "weights", "special"]
    if it.lesson.attention.source != "real":
        same += ["settings"]
    assert {key: told[key] for key in same} == {key: shown[key] for key in same}


@pytest.mark.parametrize("name", LINKS)
def test_the_code_runs_as_it_stands_and_prints_the_picture(open_taken, name):
    it = open_taken(**LINKS[name])
    lesson = it.lesson
    program = code.snippet(lesson, it.lesson.settings, special=it.special, direction=it.direction)
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        exec(compile(program, "snippet", "exec"), {})
    lines = out.getvalue().splitlines()
    if lesson.row is None:
        printed = [[float(n) for n in line.split()[1:]] for line in lines]
        expected = np.concatenate([lesson.map.weights, lesson.map.special], axis=1)
    else:
        printed = [float(line.rpartition(" ")[2]) for line in lines]
        row = [*lesson.map.weights[lesson.row], *lesson.map.special[lesson.row]]
        expected = lesson.map.weights[:, lesson.row] if it.direction == "in" else row
    np.testing.assert_allclose(printed, expected, atol=6e-7)
    if name == "default":
        assert lines[6].startswith("买 looks at 苹果: 0.7345")


@pytest.mark.parametrize("name", ["default", "pieces", "toy", "paper", "vectors"])
def test_the_functions_shown_are_the_ones_that_made_the_picture(open_taken, name):
    shown = [function.__name__ for function in code.functions(open_taken(**LINKS[name]).lesson)]
    assert {"softmax", "scaled_dot_product_attention", "multi_head_attention", "attention_map"} <= set(shown)
    assert ("word_level" in shown) == (name == "default")
    assert ("forward" in shown) == (name in ("default", "pieces"))


class Page(HTMLParser):
    """What a browser would see of a page: texts, elements, the contents of script and style, and the policy."""

    def __init__(self, content):
        super().__init__()
        self.elements, self.raw, self.texts, self.policy, self._open = [], [], [], "", ""
        self.feed(content)

    def handle_starttag(self, tag, attributes):
        self.elements.append((tag, dict(attributes)))
        self._open = tag
        if dict(attributes).get("http-equiv") == "Content-Security-Policy":
            self.policy = dict(attributes)["content"]
        if tag in ("script", "style"):
            self.raw.append((tag, dict(attributes).get("type", ""), ""))

    def handle_data(self, data):
        if self._open in ("script", "style"):
            self.raw[-1] = (*self.raw[-1][:2], data)
        self.texts.append(data)

    def handle_endtag(self, tag):
        self._open = ""


@pytest.mark.parametrize("name", LINKS)
def test_the_page_stands_alone_and_lets_nothing_in(open_taken, name):
    content = open_taken(**LINKS[name]).html()
    page = Page(content)
    (style,) = [text for tag, _, text in page.raw if tag == "style"]
    (script,) = [text for tag, kind, text in page.raw if tag == "script" and not kind]
    hashed = ["sha256-" + base64.b64encode(hashlib.sha256(part.encode()).digest()).decode() for part in (style, script)]
    assert page.policy.split("; ") == [
        "default-src 'none'",
        f"style-src '{hashed[0]}'",
        f"script-src '{hashed[1]}'",
        "base-uri 'none'",
        "form-action 'none'",
    ]
    assert not [(tag, a) for tag, a in page.elements if {"src", "href", "style", "onclick"} & a.keys() or tag == "img"]
    assert "http" not in re.sub(r"http://www\.w3\.org/2000/svg|http-equiv", "", content)
    assert len(content.encode()) < 300_000


@pytest.mark.parametrize("name", LINKS)
def test_the_page_holds_the_numbers(open_taken, name):
    it = open_taken(**LINKS[name])
    (data,) = [text for tag, kind, text in Page(it.html()).raw if kind == "application/json"]
    held = json.loads(data)
    special = it.lesson.map.special
    expected = np.concatenate([special[:, :1], it.lesson.map.weights, special[:, 1:]], axis=1)
    np.testing.assert_allclose(held["weights"], expected, atol=6e-7)
    assert held["rows"] == list(it.lesson.rows)


def test_a_hostile_sentence_is_text_in_every_file(open_taken):
    it = open_taken(text=HOSTILE)
    content = it.html()
    page = Page(content)
    assert HOSTILE in page.texts
    assert sum(tag == "script" for tag, _ in page.elements) == content.count("</script>") == 2
    assert not [tag for tag, _ in page.elements if tag in ("b", "img")]
    for picture in (it.arcs(), it.heatmap(), it.heads()):
        assert "<b>" not in picture
        assert "<img" not in picture


def test_the_largest_page_is_small_enough(open_taken):
    it = open_taken(text="的了我你他她它在有是和就不都而及与或也很" * 3 + "去来上下", decimals=6, scale="row")
    assert len(it.lesson.rows) > 40
    assert len(it.html().encode()) < 300_000
    assert len(it.heads().encode()) < 1_500_000


@pytest.mark.parametrize("source", SOURCES)
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_file_names_its_source_in_the_readers_language(open_taken, source, language):
    it = open_taken(source=source, lang=language)
    badge = {"real": ("已训练", "trained"), "vectors": ("没有权重矩阵", "no weight matrices")}.get(
        source, ("未训练", "untrained")
    )
    for content in (it.arcs(), it.heatmap(), it.html()):
        assert f">{badge[language == 'en']}<" in content
        assert f'lang="{language}"' in content
        assert ">我昨天去超市买了苹果。<" in content
    name = {"zh": "注意力", "en": "attention"}[language]
    head = {"real": "7·3", "paper": "1·3"}.get(source, "1·1")
    assert it.file_name("heatmap", ".png") == f"{name}_{head}.png"


def test_numbers_that_a_class_still_guesses_are_in_no_picture(open_taken):
    it = open_taken(numbers="off")
    for content in (it.arcs(), it.heatmap()):
        assert not re.search(r">[^<]*0\.73[^<]*<", content)
        assert ">?<" in content
    assert "买 最关注 苹果（0.73）" in open_taken().arcs()


def test_file_names_tell_the_pictures_apart(open_taken):
    it = open_taken(mean="8-5.9-9")
    names = [it.file_name(kind, ".svg") for kind in ("arcs", "heatmap", "heads")]
    assert names == ["注意力_7·3+2_连线.svg", "注意力_7·3+2.svg", "注意力_所有头.svg"]


def test_hidden_tokens_are_told_under_the_picture(open_taken):
    it = open_taken(special="off")
    removed = it.lesson.map.removed
    assert f"{removed.min():.2f}" in it.heatmap()
    assert f"{removed.max():.2f}" in it.heatmap()
    assert "特殊词元已隐藏" in it.arcs()


def test_nothing_is_made_before_it_is_asked_for(open_app, monkeypatch):
    def never(*_):
        raise AssertionError("made without being asked for")

    for name in ("arcs", "heatmap", "heads", "csv", "json", "html"):
        monkeypatch.setattr(taken.Taken, name, never)
    monkeypatch.setattr(code, "snippet", never)
    app = open_app()
    assert not app.error
    assert [e.proto.component_name for e in app.get("bidi_component")].count("attention.png") == 3


def test_the_png_button_gets_its_picture_once(open_app):
    app = open_app()

    def sent():
        parts = [e.proto for e in app.get("bidi_component") if e.proto.component_name == "attention.png"]
        return [json.loads(part.json)["picture"] for part in parts]

    assert sent() == [None, None, None]
    app.session_state["_png-heatmap"] = 17
    app.run()
    _, picture, _ = sent()
    assert picture["ticket"] == 17
    assert picture["svg"].startswith("<svg ")
    app.run()
    assert sent() == [None, None, None]


def test_a_source_with_one_head_has_no_small_maps(open_app):
    app = open_app(source="vectors")
    names = [
        json.loads(e.proto.json)["file"] for e in app.get("bidi_component") if e.proto.component_name == "attention.png"
    ]
    assert names == ["注意力_1·1_连线.png", "注意力_1·1.png"]


def test_a_projector_shows_neither_card(open_app):
    app = open_app(present="on")
    assert "attention.png" not in [e.proto.component_name for e in app.get("bidi_component")]
    assert "code" not in app.session_state
    assert state.SCHEMA["present"].default is False

"""The page 多头与拼接 through its own controls: every source and language, the sums, switches, links."""

from __future__ import annotations

import base64
import csv
import io
import json
import zlib

import numpy as np
import pytest
import streamlit as st
from streamlit.components.v2.bidi_component.main import _make_trigger_id
from streamlit.testing.v1 import AppTest

from attention_app.figures.head_colors import HEAD_COLORS
from attention_app.text import LANGUAGES, load
from attention_app.ui import cache
from attention_app.ui.multihead import parts
from attention_app.ui.take.bundle import as_csv
from attention_core.contributions import contributions, cosines, output_without, overlaps
from attention_core.measures import entropy
from attention_core.sources import SOURCES
from attention_core.words import segment
from tests.app.looking import component, unpacked, views

PAGE = "multihead"
DEFAULT = "我昨天去超市买了苹果。"
LONG = "的" * 64
HOSTILE = "<img src=x>我*爱*你$x$ :red[a]"
BUY = 5  # the position of 买 in the real model's pieces, <s> is 0


def blocks(app):
    """What the faces of the view were given, by their title or face."""
    return {data["texts"]["title"] if data["face"] == "bars" else data["face"]: data for data in views(app, "blocks")}


def matrices(app):
    return {data["key"].removeprefix("multihead-"): data for data in views(app, "matrix")}


def bars(app, name, language="zh"):
    """The numbers behind the bars, as floats."""
    shown = blocks(app)[load("multihead", language)(f"view.{name}")]["bars"]
    return [[float(text.replace("−", "-").replace("%", "")) for text in bar["numbers"] if text] for bar in shown]


def said(app):
    return "\n".join(markdown.value for markdown in app.markdown).replace("\\", "")


def link(app):
    return dict(app.query_params)


def send(app, view, **event):
    """The run after the browser's setTriggerValue in a face of the heads' view or in a linked matrix."""
    ((name, value),) = event.items()
    for element in app.get("bidi_component"):
        data = json.loads(element.proto.json or "null") or {}
        if element.proto.component_name != "attention.given" and view in (
            data.get("face"),
            str(data.get("key")).removeprefix("multihead-"),
        ):
            states = app._tree.get_widget_states()
            sent = states.widgets.add()
            sent.id = _make_trigger_id(element.proto.id, "events")
            sent.json_trigger_value = json.dumps([{"event": name, "value": value}])
            return app._run(states)
    raise AssertionError(f"{view} is not on the page")


def layer_of_default(layer=6):
    return cache.layer_trace(segment(DEFAULT), layer)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("source", SOURCES)
def test_every_source_and_language_shows_its_cards(open_page, language, source):
    app = open_page(lang=language, source=source)
    n_heads = SOURCES[source].n_heads
    assert app.title[0].value == load("multihead", language)("multihead.title")
    assert len(app.subheader) == (7 if n_heads > 1 else 4)  # the last one is what can be taken along
    assert len(app.latex) == (4 if n_heads > 1 else 3)
    assert all("\\rule{0pt}" in one.value for one in app.latex if "frac" in one.value)  # its top is not cut off
    assert len(blocks(app)["tiles"]["tiles"]) == n_heads
    assert ({"z", "output", "own"} if n_heads > 1 else {"z", "output"}) == matrices(app).keys()
    keys = [key for key, _ in views(app, "jumps")[0]["links"]]
    assert len(keys) == len(app.subheader)


@pytest.mark.parametrize("text", ["好", "你好", LONG, HOSTILE, "hello 123 的 的 的"])
@pytest.mark.parametrize("source", SOURCES)
def test_every_sentence_that_fits(open_page, source, text):
    everything = ".".join(str(head + 1) for head in range(12))
    for options in ({"off": "1"}, {"off": everything, "lang": "en", "decimals": 6}, {"numbers": "off", "off": "2"}):
        open_page(source=source, text=text, **options)


@pytest.mark.parametrize(("source", "width"), [("real", 384), ("paper", 512), ("toy", 4), ("vectors", 75)])
def test_the_outputs_shape_is_that_of_x(open_page, source, width):
    n = 10 if source == "real" else 8
    assert rf"({n},\,{width}) = ({n},\,{width})".replace("\\", "") in said(open_page(source=source))


@pytest.mark.parametrize(("source", "off"), [("real", "99"), ("real", "2.13"), ("toy", "3")])
def test_heads_of_a_link_that_do_not_exist_leave_a_note(open_page, source, off):
    app = open_page(source=source, off=off)
    assert load("common", "zh")("param.off") in app.warning[0].value
    assert "off" not in link(app)
    assert not app.run().warning


def test_a_tile_holds_the_heads_numbers(open_page):
    tile = blocks(open_page(word=5))["tiles"]["tiles"][2]
    row = layer_of_default().attention.attn_weights[2, BUY]
    assert tile["looks"][0] == {"at": 6, "name": "苹果", "weight": pytest.approx(0.73, abs=0.005), "number": "0.73"}
    np.testing.assert_allclose(np.array(tile["row"]) / 100, row, atol=0.0051)
    assert tile["spread"] == f"{entropy(row):.2f} 比特"


def test_concat_stands_head_after_head(open_page):
    data = blocks(open_page())["concat"]
    bytes_ = np.frombuffer(zlib.decompress(base64.b64decode(data["packed"])), np.uint8).reshape(10, 12, 32)
    z = layer_of_default().attention.z.transpose(1, 0, 2)
    np.testing.assert_allclose((bytes_ - 128.0) / 127, z / np.abs(z).max(), atol=0.005)


@pytest.mark.parametrize("source", [name for name, source in SOURCES.items() if source.n_heads > 1])
def test_the_parts_add_up_on_the_screen(open_page, source):
    app = open_page(source=source, decimals=4)
    running = bars(app, "running")
    assert sum(part for part, _ in running[:-1]) == pytest.approx(running[-1][0], abs=1e-3)
    assert running[-2][1] == running[-1][0]
    shares = bars(app, "sizes")
    assert sum(share for _, share in shares[:-1]) == pytest.approx(100, abs=len(shares))
    assert shares[-1][1] == 100


def test_the_real_parts_are_those_of_the_core(open_page):
    app = open_page(word=5, dim=360, decimals=4)
    layer = layer_of_default()
    added = contributions(layer)[:, BUY]
    np.testing.assert_allclose([part for part, _ in bars(app, "running")[:12]], added[:, 359], atol=6e-5)
    np.testing.assert_allclose([size for size, _ in bars(app, "sizes")[:12]], np.linalg.norm(added, axis=1), atol=6e-5)
    assert bars(app, "running")[-1] == [pytest.approx(layer.attn_out[BUY, 359], abs=6e-5)]
    assert bars(app, "sizes")[12][0] == pytest.approx(float(np.linalg.norm(layer.b_O)), abs=6e-5)


def test_the_first_dimension_shown_is_the_words_largest_and_another_can_be_chosen(open_page):
    app = open_page(word=5)
    largest = int(np.abs(layer_of_default().attn_out[BUY]).argmax()) + 1
    assert link(app)["dim"] == str(largest)
    app.number_input(key="dim").set_value(7).run()
    assert link(app)["dim"] == "7"
    assert matrices(app)["output"]["cell"] == [BUY, 6]


def test_a_dimension_that_the_source_does_not_have_is_replaced(open_page):
    assert int(link(open_page(source="toy", dim=360))["dim"]) <= 4


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("given", ["9999", "400", "0", "x"])
def test_a_link_to_a_dimension_that_is_none_says_which_there_are(monkeypatch, open_app, language, given):
    monkeypatch.setattr(AppTest, "run", deep_linked(AppTest.run))
    app = open_app(lang=language, word=5, dim=given)
    t = load("common", language)
    used = link(app)["dim"]
    note = t("note.out_of_range", name=t("param.dim"), low=1, high=384, default=used)
    assert [warning.value for warning in app.warning] == [note]
    assert app.title[0].value == load("multihead", language)("multihead.title")


def deep_linked(run):
    """A first run that a link to this page has sent through app.py."""

    def first(app, **options):
        app.session_state["_want"] = "pages/multihead.py"
        return run(app, **options)

    return first


def test_elsewhere_a_refused_dimension_has_no_number(open_app):
    t = load("common", "zh")
    assert open_app(dim="9999").warning[0].value == t("note.unknown_choice", name=t("param.dim"))


def test_shown_columns_say_which_of_how_many_they_are(open_page):
    app = open_page(word=5, dim=360)
    seen = [data["ofColumns"] for data in (*matrices(app)["output"]["sources"], matrices(app)["output"]["result"])]
    assert seen == [None, [352, 384], [352, 384]]
    assert matrices(app)["own"]["result"]["ofColumns"] == [352, 384]
    assert app.number_input(key="dim").label.endswith("（1–384）")


@pytest.mark.parametrize("projection", ["identity", "seeded"])
def test_one_head_speaks_of_one(open_page, projection):
    app = open_page(source="vectors", projection=projection)
    everything = said(app) + "".join(one.value for one in (*app.caption, *app.subheader))
    assert ("单位矩阵" in everything) == (projection == "identity")
    for wrong in ("各头", "所有的头", "所有头", "关掉"):
        assert wrong not in everything.replace(load("multihead", "zh")("multihead.lead"), "")
    out = matrices(app)["output"]
    same = np.array_equal(unpacked(out["sources"][1]["values"]), np.eye(75)[:, : out["result"]["values"]["shape"][1]])
    assert not same or projection == "identity"


def test_the_file_of_the_parts_has_names_and_adds_up(open_page, monkeypatch):
    seen = []
    monkeypatch.setattr(parts, "show", lambda _, now: seen.append(now))
    open_page(word=3, text="昨天买了苹果", source="paper")
    now = seen[-1]
    made = parts.table(load("multihead", "zh"), load("matrix", "zh"), now)
    (corner, *columns), *lines = csv.reader(io.StringIO(as_csv(made).decode("utf-8-sig")))
    assert corner == now.names[now.at]
    assert (columns[0], columns[-1]) == ("第 1 维", "第 512 维")
    assert [line[0] for line in lines] == [*(f"头 {head}" for head in range(1, 9)), "偏置 b_O", "输出"]
    numbers = np.array([line[1:] for line in lines], dtype=float)
    np.testing.assert_allclose(numbers[:-1].sum(axis=0), numbers[-1], atol=1e-7)


def test_a_kept_cell_sets_dimension_and_word(open_page):
    app = open_page(word=5, dim=3)
    send(app, "output", cell=[1, 5])
    assert (link(app)["word"], link(app)["dim"]) == ("1", "6")
    send(app, "own", cell=[0, 2])
    assert (link(app)["word"], link(app)["dim"]) == ("1", "3")


def test_heads_are_switched_off_and_on(open_page):
    app = open_page(word=5, decimals=4)
    off_title = load("multihead", "zh")("view.moved")
    assert off_title not in blocks(app)
    send(app, "switches", off=[2, 0])
    assert link(app)["off"] == "1.3"
    assert "关掉了头 1、3" in said(app)
    layer = layer_of_default()
    left = output_without(contributions(layer), layer.b_O, [0, 2])
    shown = bars(app, "moved")
    np.testing.assert_allclose([cosine for cosine, _ in shown], cosines(layer.attn_out, left), atol=6e-5)
    moved = np.linalg.norm(left - layer.attn_out, axis=1) / np.linalg.norm(layer.attn_out, axis=1)
    np.testing.assert_allclose([change for _, change in shown], moved, atol=6e-5)
    send(app, "switches", off=[])
    assert "off" not in link(app)
    assert off_title not in blocks(app)


@pytest.mark.parametrize("off", ["0", "00", "1.0", "-1", "13", "12.99"])
def test_heads_that_no_layer_has_are_not_switched_off(open_page, off):
    app = open_page(off=off)
    assert not {int(head) for head in link(app).get("off", "").split(".") if head} & {-1, 0}
    assert component(app, "blocks")


def test_what_each_head_adds_can_be_taken_to_a_spreadsheet_that_runs_nothing(open_page, monkeypatch):
    files = {}

    def offered(label, data, file_name, *_, **__):
        files[file_name] = data

    monkeypatch.setattr(st, "download_button", offered)
    app = open_page(source="toy", text="=cmd 我爱你", word=1)
    lines = list(csv.reader(io.StringIO(files["多头与拼接_1_各头贡献.csv"]().decode("utf-8-sig"))))
    assert lines[0] == ["'=", *(f"第 {dim} 维" for dim in range(1, 5))]
    numbers = np.array([line[1:] for line in lines[1:]], dtype=float)
    np.testing.assert_allclose(numbers[:-1].sum(axis=0), numbers[-1], atol=1e-8)
    assert not app.error


@pytest.mark.parametrize("sent", [None, "1", [12], [-1], [True], [0.5], [[0]]], ids=lambda sent: json.dumps(sent))
def test_only_heads_that_exist_are_taken_from_the_browser(open_page, sent):
    assert "off" not in link(send(open_page(), "switches", off=sent))


def test_all_heads_off_leaves_the_bias_or_nothing(open_page):
    assert "偏置" in said(open_page(off=".".join(map(str, range(1, 13)))))
    app = open_page(source="toy", off="1.2")
    assert "没有方向" in said(app)
    moved = blocks(app)[load("multihead", "zh")("view.moved")]["bars"]
    assert {bar["numbers"][0] for bar in moved} == {"—"}


@pytest.mark.parametrize("face", ["tiles", "concat"])
def test_a_chosen_head_goes_along_to_the_other_pages(open_page, face):
    app = send(open_page(head=3, mean="1-3"), face, head=7)
    assert link(app)["head"] == "8"
    assert "mean" not in link(app)
    assert blocks(app)["tiles"]["chosen"] == 7
    assert link(send(app, face, head=12))["head"] == "8"


def test_likeness_and_entropy_are_those_of_the_core(open_page):
    app = open_page(decimals=3)
    weights = layer_of_default().attention.attn_weights
    shown = [[float(text) for _, text in line] for line in blocks(app)["likeness"]["cells"]]
    np.testing.assert_allclose(shown, overlaps(weights), atol=6e-4)
    np.testing.assert_allclose(np.ravel(bars(app, "entropy")), entropy(weights).mean(axis=-1), atol=6e-4)


def test_hidden_numbers_are_nowhere(open_page):
    app = open_page(numbers="off", off="3")
    data = blocks(app)
    assert all(tile["looks"] == [] and not any(tile["row"]) for tile in data["tiles"]["tiles"])
    maps = np.frombuffer(zlib.decompress(base64.b64decode(data["tiles"]["packed"])), np.uint8).reshape(12, 10, 10)
    assert not maps[..., data["tiles"]["row"]].any()  # column after column
    assert maps.any()
    for face in data.values():
        for bar in face.get("bars", []):
            assert set(bar["numbers"]) <= {"?", ""}
            assert bar["start"] == bar["stop"] == 0
        assert all((share, text) == (0, "?") for line in face.get("cells", []) for share, text in line)
    assert all(given["hidden"] for given in matrices(app).values())


def test_a_word_of_several_pieces_says_which_one_is_followed(open_page):
    """你好 is "▁" and "你好": the mark of a space stands for no word."""
    assert "你好" in next(c.value for c in open_page(text="你好").caption if "个词元" in c.value).rpartition("：")[2]
    app = open_page(text="transformer 好", word=1)
    assert any("个词元" in caption.value for caption in app.caption)
    assert all(set(name) <= set("▁₁₂") for name in blocks(app)["tiles"]["names"] if "▁" in name)


@pytest.mark.parametrize("source", SOURCES)
def test_what_is_sent_stays_small(open_page, source):
    app = open_page(source=source, text=LONG, off="1")
    sent = sum(len(e.proto.json.encode()) for e in app.get("bidi_component"))
    assert sent < 150_000


def test_twelve_heads_have_twelve_colours():
    assert len({color.light for color in HEAD_COLORS}) == len({color.dark for color in HEAD_COLORS}) == 12
    assert max(source.n_heads for source in SOURCES.values()) <= 12

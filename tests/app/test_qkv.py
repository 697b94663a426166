"""The page Q、K、V 是什么 through its own controls: scenes, one's own shelf, links, the same roles in a head."""

from __future__ import annotations

import csv
import io
import json
import re
from concurrent.futures import ThreadPoolExecutor
from threading import Event

import numpy as np
import pytest
from streamlit.components.v2.bidi_component.main import _make_trigger_id

from attention_app.text import LANGUAGES, load
from attention_app.ui import cache
from attention_app.ui.qkv import shelf as shelves
from attention_app.ui.qkv import taking
from attention_app.ui.qkv.shelf import Row, Shelf, pack, problems, ready, unpack
from attention_app.ui.state import SCENES, TAUS
from attention_core.retrieve import retrieve
from attention_core.sources import SOURCES
from attention_core.words import segment
from tests.app.looking import DEFAULT, HOSTILE, link

PAGE = "qkv"
ZH, EN = load("qkv", "zh"), load("qkv", "en")
LONG = "那个昨天在公园里帮我找到钥匙的男孩是你同学，他买了一条鱼、两件衣服和三双鞋，如果明天不下雨就和妈妈去爬山。"
BUY = 5  # the position of 买 in the real model's pieces, <s> is 0


def views(app):
    """What the views of the page were given, by their key."""
    found = {}
    for element in app.get("bidi_component"):
        name = element.proto.id.rpartition("-None-")[0] or element.proto.id
        data = json.loads(element.proto.json or "null") or {}
        for key in ("qkv-scene", "qkv-mixture", "qkv-fits", "qkv-heat", "qkv-head", "shelf-rows"):
            if key in element.proto.id:
                found[key] = (element.proto, data)
        assert name
    return found


def view(app, key):
    return views(app)[key][1]


def send(app, key, **event):
    """The run after the browser's setTriggerValue in the view with this key."""
    ((name, value),) = event.items()
    states = app._tree.get_widget_states()
    sent = states.widgets.add()
    sent.id = _make_trigger_id(views(app)[key][0].id, "events")
    sent.json_trigger_value = json.dumps([{"event": name, "value": value}])
    return app._run(states)


def rows(app):
    return [(row["key"], row["value"]) for row in view(app, "qkv-scene")["rows"]]


def pairs(shelf):
    return [tuple(row) for row in shelf.rows]


def said(app):
    return "\n".join(element.value for element in [*app.markdown, *app.caption]).replace("\\", "")


def core(app, temperature=0.01):
    data = view(app, "qkv-scene")
    keys, values = zip(*rows(app), strict=True)
    return retrieve(data["query"]["text"], keys, values, temperature=temperature)


# ------------------------------------------------------------------------------------------------ the scenes


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("scene", SCENES)
def test_each_scene_shows_the_numbers_of_the_core(open_page, language, scene):
    app = open_page(lang=language, scene=scene, decimals=4)
    assert app.title[0].value == load("qkv", language)("qkv.title")
    data, trace = view(app, "qkv-scene"), core(app)
    np.testing.assert_allclose([float(row["score"]) for row in data["rows"]], trace.scores, atol=6e-5)
    np.testing.assert_allclose([float(row["weight"]) for row in data["rows"]], trace.attn_weights, atol=6e-5)
    np.testing.assert_allclose([row["share"] for row in data["rows"]], trace.attn_weights, atol=1e-5)
    assert trace.best == 0
    mixture = view(app, "qkv-mixture")
    assert sum(mixture["wholes"][0]["parts"]) == pytest.approx(1)
    np.testing.assert_allclose([float(part["numbers"][0]) for part in mixture["parts"]], trace.distances, atol=6e-5)
    np.testing.assert_allclose([float(part["numbers"][1]) for part in mixture["parts"]], trace.cosines, atol=6e-5)
    np.testing.assert_allclose([dot["at"] for dot in view(app, "qkv-fits")["dots"]], trace.scores, atol=1e-5)


def test_the_answer_is_the_value_and_not_the_key(open_page):
    app = open_page(scene="chat")
    assert view(app, "qkv-mixture")["answer"] == "今天北京是晴天，温度25℃。"


@pytest.mark.parametrize("tau", TAUS)
def test_every_temperature_is_one_of_the_bars(open_page, tau):
    app = open_page(tau=tau)
    wholes = view(app, "qkv-heat")["wholes"]
    (chosen,) = [whole for whole in wholes if whole["chosen"]]
    assert chosen["label"] == f"T = {tau}"
    np.testing.assert_allclose(chosen["parts"], core(app, float(tau)).attn_weights, atol=1e-5)


def test_a_bar_chooses_its_temperature(open_page):
    app = send(open_page(), "qkv-heat", choose=3)
    assert link(app)["tau"] == "1"
    assert np.ptp([row["share"] for row in view(app, "qkv-scene")["rows"]]) < 0.02
    assert link(send(app, "qkv-heat", choose=9))["tau"] == "1"


def test_a_request_nothing_fits_is_told_by_its_score(open_page):
    app = send(open_page(), "qkv-scene", ask="水管漏水了找谁修？")
    trace = core(app)
    assert "大概没有合适的" in said(app)
    assert trace.scores.max() < view(app, "qkv-fits")["limit"]
    assert "看起来真的相干" in said(open_page(scene="chat"))


@pytest.mark.parametrize("request_", ["😀", "<b>x</b> http://a.b $x$"])
def test_a_request_without_words_is_not_judged(open_page, request_):
    text = said(send(open_page(), "qkv-scene", ask=request_))
    assert "不能判断" in text
    assert "看起来真的相干" not in text
    assert "大概没有合适的" not in text


# ---------------------------------------------------------------------------------------------- one's own shelf


def test_a_request_of_ones_own_stands_in_the_link_and_comes_back(open_page):
    app = send(open_page(), "qkv-scene", ask="晚上吃什么？")
    assert view(app, "qkv-scene")["query"]["text"] == "晚上吃什么？"
    assert core(app).best == 1
    again = open_page(shelf=link(app)["shelf"])
    assert view(again, "qkv-scene")["query"]["text"] == "晚上吃什么？"
    assert rows(again) == pairs(ready(ZH, "library"))


def test_rows_are_changed_added_and_deleted_and_undone(open_page):
    app = open_page()
    own = [*pairs(ready(ZH, "library"))[1:], ("自行车修理", "怎么换链条。")]
    send(app, "shelf-rows", rows=[*own, ["", " "]])  # a row nobody has filled in yet
    assert rows(app) == own
    assert rows(open_page(shelf=link(app)["shelf"])) == own
    send(app, "shelf-rows", rows=own[:2])
    assert rows(app) == own[:2]
    app.button[[button.label for button in app.button].index(ZH("shelf.undo"))].click().run()
    assert rows(app) == own
    app.button[[button.label for button in app.button].index(ZH("shelf.reset"))].click().run()
    assert rows(app) == pairs(ready(ZH, "library"))
    assert "shelf" not in link(app)
    app.button[[button.label for button in app.button].index(ZH("shelf.undo"))].click().run()
    assert rows(app) == own


def test_a_bad_row_is_named_nothing_is_lost_and_the_picture_stays(open_page):
    app = open_page()
    before = rows(app)
    typed = [*before[:1], ("", " "), *before[1:2], ("只有标签", ""), ("长" * 51, "内容")]
    send(app, "shelf-rows", rows=typed)
    shown = view(app, "shelf-rows")
    assert shown["problems"]["3"].startswith("第 4 行")
    assert "51" in shown["problems"]["4"]
    assert shown["rows"] == [list(row) for row in typed]
    assert rows(app) == before
    assert "shelf" not in link(app)
    app.segmented_control(key="scene").set_value("chat").run()
    app.segmented_control(key="scene").set_value("library").run()
    assert view(app, "shelf-rows")["rows"] == [list(row) for row in typed]
    version = view(app, "shelf-rows")["version"]
    app.button[[button.label for button in app.button].index(ZH("shelf.undo"))].click().run()
    assert view(app, "shelf-rows")["rows"] == [list(row) for row in before]
    assert view(app, "shelf-rows")["version"] > version


def test_the_fields_are_left_alone_while_somebody_types(open_page):
    app = open_page()
    version = view(app, "shelf-rows")["version"]
    own = [("甲", "一"), ("乙", "二"), ("丙", "三")]
    for sent in (own, own[:1], own[:2]):
        send(app, "shelf-rows", rows=[list(row) for row in sent])
        assert view(app, "shelf-rows")["version"] == version
    app.segmented_control(key="scene").set_value("chat").run()
    assert view(app, "shelf-rows")["version"] > version


@pytest.mark.parametrize("request_", ["", "  ", "长" * 81, "\u200b"])
def test_a_request_that_cannot_be_used_is_kept_and_explained(open_page, request_):
    app = send(open_page(), "qkv-scene", ask=request_)
    shown = view(app, "qkv-scene")["query"]
    assert shown["text"] == request_
    assert shown["problem"]
    assert "shelf" not in link(app)


def test_both_scenes_keep_their_own(open_page):
    app = send(open_page(), "qkv-scene", ask="晚上吃什么？")
    app.segmented_control(key="scene").set_value("chat").run()
    send(app, "qkv-scene", ask="作业是什么？")
    app.segmented_control(key="scene").set_value("library").run()
    assert view(app, "qkv-scene")["query"]["text"] == "晚上吃什么？"
    again = open_page(shelf=link(app)["shelf"], scene="chat")
    assert view(again, "qkv-scene")["query"]["text"] == "作业是什么？"


def test_rows_that_were_not_changed_follow_the_language(open_page):
    app = send(open_page(), "shelf-rows", rows=[*pairs(ready(ZH, "library"))[:2], ["我的书", "我写的。"]])
    app.segmented_control(key="lang").set_value("en").run()
    assert rows(app) == [*pairs(ready(EN, "library"))[:2], ("我的书", "我写的。")]


@pytest.mark.parametrize(
    "sent", [None, "x", [["a"]], [["a", 1]], [["a", "b", "c"]], [["长" * 501, "b"]], [["a", "b"]] * 101]
)
def test_only_rows_are_taken_from_the_browser(open_page, sent):
    app = send(open_page(), "shelf-rows", rows=sent)
    assert rows(app) == pairs(ready(ZH, "library"))


def test_what_a_person_typed_stays_text(open_page):
    app = send(open_page(), "shelf-rows", rows=[[HOSTILE, "**b** $x$ :red[a]"], ["乙", HOSTILE]])
    send(app, "qkv-scene", ask=HOSTILE)
    assert rows(app)[0] == (HOSTILE, "**b** $x$ :red[a]")
    for element in [*app.markdown, *app.caption, *app.subheader]:
        assert not re.search(r"(?<!\\)(<img|\$x)", element.value), element.value


# ------------------------------------------------------------------------------------------------- the link


def test_packing_is_undone_by_unpacking_and_short_for_what_is_ready():
    own = Shelf("找什么", (*ready(ZH, "chat").rows[2:], Row("新", "内容")))
    packed = pack({"library": ready(ZH, "library"), "chat": own}, ZH)
    assert unpack(packed, ZH) == {"library": ready(ZH, "library"), "chat": own}
    assert len(packed) < 120
    assert pack({scene: ready(ZH, scene) for scene in SCENES}, ZH) == ""


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("scene", SCENES)
def test_the_ready_shelves_keep_their_own_limits(language, scene):
    assert problems(ready(load("qkv", language), scene)) == []


@pytest.mark.parametrize(
    "content",
    [
        [],
        {"kitchen": [0, 1, 2]},
        {"library": []},
        {"library": [0, 1]},
        {"library": [0, 1, 7]},
        {"library": [0, 1, 0]},
        {"library": [0, True, 2]},
        {"library": [None, 1, 2]},
        {"library": [0, 1, ["a"]]},
        {"library": [0, 1, ["a", ""]]},
        {"library": [0, 1, 2, ["", " "]]},
        {"library": ["长" * 81, 1, 2]},
        {"library": [0, *range(1, 7), *(["a", "b"] for _ in range(7))]},
        {"library": 3},
    ],
    ids=lambda content: json.dumps(content)[:40],
)
def test_a_link_that_holds_no_shelf_is_refused(open_page, monkeypatch, content):
    monkeypatch.setattr(shelves, "ready", lambda t, scene: ready(ZH, scene))
    packed = _packed(content)
    with pytest.raises(ValueError, match="this"):
        unpack(packed, ZH)
    app = open_page(shelf=packed)
    assert rows(app) == pairs(ready(ZH, "library"))
    assert "shelf" not in link(app)
    assert len(app.warning) == 1


@pytest.mark.parametrize("packed", ["x", "AAAA", "eJw"])
def test_a_damaged_link_is_refused(packed):
    with pytest.raises(ValueError, match="this is no shelf"):
        unpack(packed, ZH)


def _packed(content):
    import base64
    import zlib

    return base64.urlsafe_b64encode(zlib.compress(json.dumps(content).encode())).decode().rstrip("=")


def test_a_shelf_too_large_for_a_link_is_refused_and_kept(open_page):
    generator = np.random.default_rng(5)
    text = lambda n: "".join(map(chr, generator.integers(0x4E00, 0x9FA0, n)))  # noqa: E731
    sent = [[text(40), text(60)] for _ in range(12)]
    app = send(open_page(), "shelf-rows", rows=sent)
    assert view(app, "shelf-rows")["problems"]["-1"]
    assert view(app, "shelf-rows")["rows"] == sent
    assert "shelf" not in link(app)


# ---------------------------------------------------------------------------------------------- inside a head


def test_the_head_shows_q_k_v_score_and_weight_of_the_core(open_page):
    app = open_page(word=5, decimals=4)
    trace = cache.layer_trace(segment(DEFAULT), 6).attention
    data = view(app, "qkv-head")
    assert data["query"]["text"] == "买"
    np.testing.assert_allclose([float(row["weight"]) for row in data["rows"]], trace.attn_weights[2, BUY], atol=6e-5)
    scores = [float(row["score"].replace("−", "-")) for row in data["rows"]]
    np.testing.assert_allclose(scores, trace.scaled_scores[2, BUY], atol=6e-5)
    for name, values in (("k", trace.k[2]), ("v", trace.v[2])):
        largest = np.abs(values).max()
        np.testing.assert_allclose(np.array([row[name] for row in data["rows"]]) / 100, values / largest, atol=0.0051)
    assert "苹果" in said(app)


@pytest.mark.parametrize("text", ["好", "你好", LONG, HOSTILE, "hello 123 的 的 的"])
@pytest.mark.parametrize("source", SOURCES)
def test_every_sentence_and_source_has_its_head(open_page, source, text):
    app = open_page(source=source, text=text, lang="en")
    data = view(app, "qkv-head")
    assert sum(row["share"] for row in data["rows"]) == pytest.approx(1, abs=1e-4)
    assert sum(len(e.proto.json.encode()) for e in app.get("bidi_component")) < 150_000


def test_a_source_without_weight_matrices_says_so(open_page):
    assert ZH("card.head.plain_idea") in said(open_page(source="vectors"))
    assert ZH("card.head.idea") in said(open_page(source="vectors", projection="seeded"))


# ------------------------------------------------------------------------------ guessing, and what is taken along


def test_hidden_numbers_are_nowhere(open_page):
    app = open_page(numbers="off")
    for key in ("qkv-scene", "qkv-head"):
        for row in view(app, key)["rows"]:
            assert (row["score"], row["weight"], row["reach"], row["share"]) == ("?", "?", 0, 0)
            assert "0." not in row["spoken"]
    assert view(app, "qkv-fits")["dots"] == []
    for key in ("qkv-mixture", "qkv-heat"):
        for whole in view(app, key)["wholes"]:
            assert len(set(whole["parts"])) == 1
        assert all(set(part["weights"] + part["numbers"]) == {"?"} for part in view(app, key)["parts"])
    assert view(app, "qkv-mixture")["answer"] == "?"


def test_a_projector_shows_no_fields_for_rows_and_no_downloads(open_page):
    app = open_page(present="on")
    assert "shelf-rows" not in views(app)
    assert not app.get("download_button")


def test_the_files_hold_the_numbers():
    trace = retrieve("找书", ["=1+1", "深度学习"], ["-a", "书"], temperature=0.02)
    lines = list(csv.reader(io.StringIO(taking.table(trace).decode("utf-8-sig"))))
    assert [line[:2] for line in lines[1:]] == [["'=1+1", "'-a"], ["深度学习", "书"]]
    np.testing.assert_allclose([float(line[3]) for line in lines[1:]], trace.attn_weights, atol=1e-6)
    content = json.loads(taking.as_json(trace))
    assert content["temperature"] == 0.02
    np.testing.assert_allclose(content["scores"], trace.scores, atol=1e-6)
    np.testing.assert_allclose(content["distances"], trace.distances, atol=1e-6)


def test_the_given_code_prints_the_scores(capsys):
    trace = retrieve("找'书\"", ["家常菜谱", "a'b\"c"], ["x", "y"], temperature=0.05)
    exec(compile(taking.snippet(trace), "snippet", "exec"), {})
    printed = [line.split(" ", 2) for line in capsys.readouterr().out.splitlines()]
    np.testing.assert_allclose([float(score) for score, _, _ in printed], trace.scores, atol=1e-6)
    np.testing.assert_allclose([float(weight) for _, weight, _ in printed], trace.attn_weights, atol=1e-6)
    assert [key for _, _, key in printed] == list(trace.keys)


def test_texts_are_read_once(monkeypatch):
    read = []
    real = cache.sentence_vectors
    monkeypatch.setattr(cache, "sentence_vectors", lambda texts, kind: read.append(list(texts)) or real(texts, kind))
    vectors = cache._Vectors()
    assert vectors.missing(["甲", "乙", "甲"], "passage") == 2
    first = vectors.of(["甲", "乙", "甲"], "passage")
    assert vectors.missing(["乙", "丙"], "passage") == 1
    np.testing.assert_array_equal(first[0], first[2])
    vectors.of(["乙", "丙"], "passage")
    vectors.of(["乙"], "query")
    assert read == [["甲", "乙"], ["丙"], ["乙"]]
    assert not first.flags.writeable


def test_who_has_read_a_text_does_not_wait_for_those_who_read_others(monkeypatch):
    begun, go_on, rounds = Event(), Event(), []

    def slow(texts, kind):
        rounds.append(list(texts))
        if texts != ["甲"]:
            begun.set()
            assert go_on.wait(60)
        return np.arange(3.0 * len(texts)).reshape(len(texts), 3)

    monkeypatch.setattr(cache, "sentence_vectors", slow)
    vectors = cache._Vectors()
    first = vectors.of(["甲"], "passage")
    with ThreadPoolExecutor(3) as pool:
        others = [pool.submit(vectors.of, ["乙", "丙"], "passage") for _ in range(2)]
        assert begun.wait(60)
        seen = pool.submit(lambda: (vectors.of(["甲"], "passage"), vectors.missing(["甲", "乙", "丙"], "passage")))
        try:
            known, missing = seen.result(20)
        finally:
            go_on.set()
        np.testing.assert_array_equal(known, first)
        assert missing == 2
        np.testing.assert_array_equal(others[0].result(60), others[1].result(60))
    assert rounds == [["甲"], ["乙", "丙"]]  # the second visitor finds what the first one has read

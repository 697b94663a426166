"""What the pictures are given: direction, hidden specials, decimals, pieces, hidden numbers; picks; bytes."""

from __future__ import annotations

import json

import numpy as np
import pytest

from attention_app.components import register
from attention_app.text import LANGUAGES, load
from attention_app.ui import cache, pictures
from attention_core.sources import Settings
from attention_core.words import segment
from tests.app.looking import component, figure, link, said, trigger

PIECES = "小明在人工智能实验室研究区块链技术。"
LONG = " ".join(
    "我你他她它去来看听说读写吃喝玩乐走跑跳坐站睡醒开关买卖给拿放大小多少高低长短好坏新旧红黄蓝绿黑白春夏秋冬东西南北上下左右天地人和"
)


def weights(text, layer=6, head=2):
    attention = cache.word_attention(segment(text), "real", Settings())
    return attention.weights[layer, head], attention.special[layer, head]


def test_the_lines_get_every_number_once_in_millionths(open_app):
    app = open_app()
    lines = component(app, "lines")
    words, special = weights(app.session_state["text"])
    np.testing.assert_allclose(np.array(lines["weights"]).reshape(8, 8) / 1e6, words, atol=6e-7)
    np.testing.assert_allclose(np.array(lines["special"]).reshape(8, 2) / 1e6, special, atol=6e-7)
    assert lines["specials"] == ["<s>", "</s>"]
    assert lines["view"] == {"chosen": 4, "direction": "out", "decimals": 2, "least": 1, "numbers": True}


@pytest.mark.parametrize("language", LANGUAGES)
def test_who_looks_at_a_word_is_a_column_that_need_not_add_up_to_one(open_app, language):
    app = open_app(word=7, direction="in", lang=language)
    words, _ = weights(app.session_state["text"])
    t = load("explore", language)
    bars = component(app, "row")["bars"]
    assert [bar["weight"] for bar in bars] == pytest.approx(sorted(words[:, 6], reverse=True), abs=1e-4)
    assert component(app, "row")["byColumn"]
    assert component(app, "row")["total"] == t("lines.column_total", total=f"{words[:, 6].sum():.2f}")
    assert "0.73" in said(app)
    assert figure(app)["layout"]["shapes"][0]["x0"] == 5.5
    assert any(heading.value == t("lines.column_title") for heading in app.subheader)


def test_the_sentence_of_a_column(open_app):
    app = open_app(word=7, direction="in")
    assert said(app) == "第7层第3头里，最关注 苹果 的是 买（0.73），其次 了（0.24）；这一列合计 1.34。"
    roles = [part["role"] for part in component(app, "lines")["said"] if part["text"] in ("苹果", "买", "0.73")]
    assert roles == ["key", "query", "number"]


def test_without_a_locked_word_the_sharpest_row_is_read_and_it_is_said(open_app):
    app = open_app(word=0)
    assert said(app).startswith("没有锁定的词，这里读权重最集中的一行：第7层第3头里，买 最关注 苹果")
    assert component(app, "lines")["view"]["chosen"] is None
    assert figure(app)["layout"]["shapes"] == []
    other = open_app(word=0, direction="in")
    assert said(other).startswith("没有锁定的词，这里读权重最集中的一列：第7层第3头里，最关注 苹果 的是 买")


def test_hidden_specials_are_renormalised_and_their_mass_is_printed(open_app):
    app = open_app(word=7, special="off")
    words, special = weights(app.session_state["text"])
    expected = words[6] / words[6].sum()
    lines = component(app, "lines")
    assert lines["specials"] == []
    np.testing.assert_allclose(np.array(lines["weights"][48:56]) / 1e6, expected, atol=1e-6)
    gone = f"{special[6].sum():.2f}"
    assert float(gone) > 0.5
    assert gone in component(app, "row")["total"]
    assert gone in component(app, "row")["warning"]
    assert f"特殊词元原来占 {gone}" in said(app)
    assert figure(app)["layout"]["xaxis"]["ticktext"][-1] == "已去掉"
    assert len(figure(app)["data"]) == 2
    small = open_app(word=5, special="off")
    assert component(small, "row")["warning"] == ""
    assert "注意" not in said(small)
    assert "已经隐藏" in said(small)


def test_specials_that_hold_most_of_a_row_are_named(open_app):
    assert "这一行的大部分权重都在特殊词元上" in said(open_app(word=7))
    assert "大部分" not in said(open_app(word=5))


def test_a_source_without_specials_has_nothing_to_hide(open_app):
    app = open_app(source="toy", special="off")
    assert len(figure(app)["data"]) == 1
    assert "特殊词元" not in component(app, "row")["total"]
    assert not any(toggle.key in ("special", "pieces") for toggle in app.toggle)


@pytest.mark.parametrize("decimals", [2, 3, 4, 5, 6])
def test_decimals_are_the_learners_everywhere(open_app, decimals):
    app = open_app(decimals=decimals)
    words, _ = weights(app.session_state["text"])
    shown = f"{round(float(words[4, 6]), 6):.{decimals}f}"
    assert shown in said(app)
    assert component(app, "row")["bars"][0]["number"] == shown
    assert shown in figure(app)["data"][0]["text"][4][6]
    assert component(app, "lines")["view"]["decimals"] == decimals


def test_hidden_numbers_are_nowhere_until_revealed(open_app):
    app = open_app(numbers="off", word=7, special="off")
    given = component(app, "row")
    shown = [said(app), given["total"], given["warning"], given["heading"], *(bar["number"] for bar in given["bars"])]
    shown += [json.dumps([trace.get("text"), trace["hovertemplate"]]) for trace in figure(app)["data"]]
    for text in shown:
        assert "0." not in text, text
    maps = component(app, "maps")
    assert (maps["peaks"], maps["held"]) == ([], [])
    app.toggle(key="numbers").set_value(True).run()
    assert "0." in said(app)
    assert len(component(app, "maps")["peaks"]) == len(component(app, "maps")["held"]) == 144


@pytest.mark.parametrize("direction", ["out", "in"])
def test_the_answer_is_nowhere_while_a_class_guesses(open_app, direction):
    """Not even as an order, a length, a colour, or the name of a word beside the question."""
    app = open_app(numbers="off", word=5, direction=direction, text=PIECES, pieces="on")
    lesson = component(app, "lines")
    specials = lesson["specials"] if direction == "out" else []
    bars = component(app, "row")["bars"]
    assert [bar["label"] for bar in bars] == [*specials[:1], *lesson["labels"], *specials[1:]]
    assert {bar["weight"] for bar in bars} == {0}
    row = component(app, "row")["of"]
    assert component(app, "maps")["asked"] == ([row, None] if direction == "out" else [None, row])
    with pytest.raises(AssertionError, match="fold"):  # it would name the word
        component(app, "fold")
    app.toggle(key="numbers").set_value(True).run()
    weights = [bar["weight"] for bar in component(app, "row")["bars"]]
    assert weights == sorted(weights, reverse=True)
    assert component(app, "maps")["asked"] == [None, None]
    component(app, "fold")


def test_the_heatmap_does_not_show_the_row_that_is_guessed(open_app, monkeypatch):
    views = []
    draw = pictures.attention_heatmap

    def spy(*args, view, **options):
        views.append(view)
        return draw(*args, view=view, **options)

    monkeypatch.setattr(pictures, "attention_heatmap", spy)
    app = open_app(numbers="off", word=5)
    app.toggle(key="numbers").set_value(True).run()
    assert [view.asked for view in views] == [4, None]


def test_the_mean_of_heads_says_so(open_app):
    assert said(open_app(mean="8-5.9-9", word=5)).startswith("3 个头的平均里，买 ")


@pytest.mark.parametrize("direction", ["out", "in"])
def test_pieces_fold_into_the_weight_between_the_words(open_app, direction):
    app = open_app(text=PIECES, pieces="on", word=6, direction=direction)
    words, _ = weights(PIECES)
    given = component(app, "fold")
    other = words[5].argmax() if direction == "out" else words[:, 5].argmax()
    weight = words[5, other] if direction == "out" else words[other, 5]
    assert given["result"] == f"{round(float(weight), 6):.4f}"
    cells = np.array(given["cells"], dtype=float)
    np.testing.assert_allclose(cells.sum(axis=1), [float(s) for s in given["sums"]], atol=2e-4)
    assert np.mean([float(s) for s in given["sums"]]) == pytest.approx(float(weight), abs=2e-4)
    assert (given["rows"] if direction == "out" else given["columns"]) == ["区", "块"]
    assert component(app, "row")["bars"][-1]["note"].endswith("个词元")


def test_without_unfolding_there_is_no_panel(open_app):
    with pytest.raises(AssertionError):
        component(open_app(text=PIECES), "fold")
    assert any("锁定一个词" in caption.value for caption in open_app(text=PIECES, pieces="on", word=0).caption)


@pytest.mark.parametrize("view", ["lines", "bridge"])
def test_a_pick_locks_a_word_and_a_second_one_unlocks_it(open_app, view):
    picked = trigger(open_app(), view, "pick", 6)
    assert link(picked)["word"] == "7"
    assert component(picked, "lines")["view"]["chosen"] == component(picked, "bridge")["chosen"] == 6
    assert link(trigger(picked, view, "pick", 6))["word"] == "0"


@pytest.mark.parametrize("view", ["lines", "bridge"])
def test_a_pick_of_a_piece_locks_its_word(open_app, view):
    app = open_app(text=PIECES, pieces="on", word=1)
    of_word = [component(trigger(app, "words", "pick", word), "lines")["view"]["chosen"] for word in (5, 6)]
    assert of_word[1] - of_word[0] == 2  # 区块 is two pieces
    assert link(trigger(app, view, "pick", of_word[0] + 1))["word"] == "6"


@pytest.mark.parametrize("view", ["lines", "bridge"])
@pytest.mark.parametrize("index", [-1, 8, "6", None])
def test_a_pick_of_no_word_changes_nothing(open_app, view, index):
    assert link(trigger(open_app(), view, "pick", index))["word"] == "5"


def test_a_sentence_of_64_words_stays_small_on_the_wire(open_app):
    app = open_app(text=LONG)
    assert len(component(app, "lines")["labels"]) == 64
    size = {name: len(json.dumps(component(app, name))) for name in ("lines", "row", "bridge", "table")}
    assert size["lines"] < 40_000, size
    assert size["row"] < 12_000, size
    assert size["bridge"] + size["table"] < 2_000, size
    (chart,) = app.get("plotly_chart")
    assert len(chart.proto.spec) < 60_000


def test_the_code_of_the_views_travels_apart_from_their_data(open_app):
    """Its message is the same in every run, so that it is sent once; a view's own message holds its data."""

    def code(app):
        return {
            element.proto.component_name.removeprefix("attention."): element.proto.js_content
            + element.proto.css_content
            for element in app.get("bidi_component")
        }

    first, second = code(open_app()), code(open_app(word=2, lang="en", source="toy"))
    assert first["views"] == second["views"]
    assert all(len(text) < 1000 for name, text in first.items() if name != "views")
    with pytest.raises(ValueError, match="no view"):
        register("nothing")

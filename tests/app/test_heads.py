"""Choosing heads on 看一句话: shortcuts with their measurement, the small maps, averages of several heads."""

from __future__ import annotations

import base64
import json
import re
import zlib

import numpy as np
import pytest

from attention_app.components.maps import _checked
from attention_app.figures.thumbnails import STEPS
from attention_app.text import LANGUAGES, load
from attention_core.attend import attend
from attention_core.attention_map import attention_map
from attention_core.head_facts import SHOWN, head_facts
from attention_core.sources import SOURCES
from attention_core.words import segment

DEFAULT = "我昨天去超市买了苹果。"


def maps_message(app):
    """What the small maps were sent in the last run, as text; None: they are not on the page."""
    found = [e.proto.json for e in app.get("bidi_component") if e.proto.component_name == "attention.maps"]
    return found[0] if found else None


def maps_data(app):
    return json.loads(maps_message(app))


def cells(data):
    shape = data["shape"]
    raw = np.frombuffer(zlib.decompress(base64.b64decode(data["packed"])), dtype=np.uint8)
    by_column = raw.reshape(shape["layers"], shape["heads"], shape["columns"] + shape["special"], shape["rows"])
    return by_column.swapaxes(-1, -2)


def link(app):
    return dict(app.query_params)


@pytest.mark.parametrize(("source", "count"), [("real", 144), ("toy", 2), ("paper", 8), ("vectors", 1)])
def test_every_source_shows_all_of_its_heads_and_one_head_shows_none(open_app, source, count):
    app = open_app(source=source)
    if count == 1:
        assert maps_message(app) is None
        return
    data = maps_data(app)
    info = SOURCES[source]
    assert (data["shape"]["layers"], data["shape"]["heads"]) == (info.n_layers, info.n_heads)
    assert any(load("heads", "zh")("heads.title", count=count) == element.value for element in app.subheader)
    assert len(data["peaks"]) == count
    assert len(data["held"]) == (count if source == "real" else 0)


def test_the_small_maps_hold_the_numbers_of_the_large_picture(open_app):
    data = maps_data(open_app())
    attention = attend(segment(DEFAULT))
    shown = cells(data) / STEPS
    np.testing.assert_allclose(shown[..., 1:-1], attention.weights, atol=0.51 / STEPS)
    np.testing.assert_allclose(shown[..., 0], attention.special[..., 0], atol=0.51 / STEPS)
    np.testing.assert_allclose(shown[..., -1], attention.special[..., 1], atol=0.51 / STEPS)
    row, column, value = data["peaks"][6 * 12 + 2]
    assert (data["labels"][row], data["labels"][column], value) == ("买", "苹果", "0.73")
    assert data["held"][6 * 12 + 2] == [f"{attention.special[6, 2].sum(axis=-1).mean():.2f}", False]
    mostly = attention.special.sum(axis=-1).mean(axis=-1).ravel() > 0.5
    assert [most for _, most in data["held"]] == mostly.tolist()


def test_hidden_special_tokens_are_hidden_in_the_small_maps_too(open_app):
    data = maps_data(open_app(special="off"))
    attention = attend(segment(DEFAULT))
    assert data["shape"]["special"] == 0
    picture = attention_map(attention, [(11, 0)], show_special=False)
    np.testing.assert_allclose(cells(data)[11, 0] / STEPS, picture.weights, atol=0.51 / STEPS)
    assert data["texts"]["held"] == load("heads", "zh").entries["heads.removed"]
    assert data["held"][11 * 12][0] == f"{picture.removed.mean():.2f}"  # what is hidden is still said


def test_decimals_reach_the_small_maps(open_app):
    data = maps_data(open_app(decimals=4))
    assert all(re.fullmatch(r"[01]\.\d{4}", value) for *_, value in data["peaks"])
    assert all(re.fullmatch(r"[01]\.\d{4}", value) for value, _ in data["held"])


def test_the_maps_round_as_every_other_picture_does(open_app, monkeypatch):
    """0.145 is a half only in decimal: it goes up everywhere."""
    monkeypatch.setattr("attention_app.ui.pictures.numbers.number", lambda weight, decimals: f"<{decimals}>")
    data = maps_data(open_app(decimals=3))
    assert {value for *_, value in data["peaks"]} == {value for value, _ in data["held"]} == {"<3>"}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("scale", ["fixed", "row"])
def test_the_maps_are_compared_with_the_large_picture_as_its_colours_are_now(open_app, scale, language):
    t = load("heads", language)
    app = open_app(scale=scale, lang=language)
    other = {"fixed": "row", "row": "fixed"}[scale]
    assert any(t(f"heads.how_scale_{scale}") in caption.value for caption in app.caption)
    assert not any(t(f"heads.how_scale_{other}") in caption.value for caption in app.caption)


# The worst for compression: many different words, and numbers with many decimals.
MANY = "那个 昨天 在 公园 里 帮 我 找到 钥匙 的 男孩 是 你 同学 他 买 了 一 条 鱼 两 件 衣服 和 三 双 鞋"
MORE = "如果 明天 不 下雨 就 去 爬山 妈妈 慢慢 地 打开 红色 箱子 小猫 没有 喝 牛奶 因为 它 已经 饱 老师 表扬 学生 音乐"


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("n", "most"), [(9, 16_000), (64, 36_000)])
def test_the_small_maps_stay_small(open_app, language, n, most):
    words = f"{MANY} {MORE} {MANY}".split()[:n]
    message = maps_message(open_app(text=" ".join(words), lang=language, decimals=6))
    assert len(json.loads(message)["labels"]) == n
    assert len(message.encode()) < most


def test_averaged_heads_are_marked_and_can_be_left(open_app):
    app = open_app(layer=7, head=3, mean="1-3.7-4")
    assert maps_data(app)["chosen"] == [[6, 2], [0, 2], [6, 3]]
    assert any("3 个头的平均" in markdown.value for markdown in app.markdown)
    app.button(key="only-head").click().run()
    assert maps_data(app)["chosen"] == [[6, 2]]
    assert "mean" not in link(app)
    assert not any("个头的平均" in markdown.value for markdown in app.markdown)


def test_the_two_rows_of_numbers_leave_an_average(open_app):
    app = open_app(layer=7, head=3, mean="1-3")
    app.button_group(key="head").set_value(4).run()
    assert (link(app)["layer"], link(app)["head"]) == ("7", "4")
    assert "mean" not in link(app)


@pytest.mark.parametrize("name", SHOWN)
def test_a_shortcut_opens_its_head(open_app, name):
    app = open_app(layer=2, head=2, mean="1-3")
    assert app.button_group(key="shortcut").value in (None, [])
    app.button_group(key="shortcut").set_value(name).run()
    layer, head = SHOWN[name]
    assert (link(app)["layer"], link(app)["head"]) == (str(layer + 1), str(head + 1))
    assert "mean" not in link(app)
    assert app.session_state["shortcut"] == name


def test_an_average_is_no_shortcut(open_app):
    assert open_app(layer=7, head=3).session_state["shortcut"] == "object"
    assert open_app(layer=7, head=3, mean="1-3").session_state["shortcut"] is None


@pytest.mark.parametrize("source", ["toy", "paper", "vectors"])
def test_untrained_heads_have_no_shortcuts_and_claim_nothing(open_app, source):
    app = open_app(source=source)
    assert "shortcut" not in [group.key for group in app.button_group]
    if source != "vectors":
        data = maps_data(app)
        assert data["known"] == {}
        assert data["texts"]["nothing"] == load("heads", "zh")("heads.no_facts")


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", SHOWN)
def test_the_numbers_of_a_shortcut_are_those_of_the_measurement(open_app, language, name):
    layer, head = SHOWN[name]
    app = open_app(lang=language, layer=layer + 1, head=head + 1)
    facts = head_facts()
    found = facts[name]
    (line,) = [element.value for element in app.markdown if f"**{found.share[layer][head]:.0%}**" in element.value]
    if not found.by_position:
        assert f"{found.offset_share:.0%}" in line
        assert f"{abs(found.offset)} " in line
    how_it_was = load("heads", language).entries["heads.fact.how"].split("{")[0]
    (how,) = [element.value for element in app.caption if element.value.startswith(how_it_was)]
    numbers = [str(found.cases), f"{found.weight[layer][head]:.2f}", f"{found.special[layer][head]:.2f}"]
    numbers.append(str(facts.own_sentences if found.own else facts.sentences))
    assert all(number in how for number in numbers)
    assert (facts.treebank in how) != found.own
    larger = load("heads", language).entries["heads.held.most"].rpartition("}")[2]
    assert (larger in how) == (found.special[layer][head] > 0.5)


def test_no_number_of_the_measurement_is_typed_into_the_texts():
    for language in LANGUAGES:
        for key, entry in load("heads", language).entries.items():
            if key.startswith("heads."):
                assert not re.search(r"\d", re.sub(r"\{\w+\}|0 到 1|0 to 1", "", entry)), key


def test_a_head_that_was_not_found_good_at_anything_says_so(open_app):
    data = maps_data(open_app())
    assert set(data["known"]) == {
        str(layer * 12 + head) for layer in range(12) for head in range(12) if head_facts().notable(layer, head)
    }
    object_, share = data["known"][str(6 * 12 + 2)][0]
    measured = head_facts()["object"]
    assert share == f"{measured.share[6][2]:.0%}"
    assert f"{measured.offset_share:.0%}" in data["questions"][object_]
    assert all(question.count("{share}") == 1 for question in data["questions"])
    assert len(data["questions"]) == len(SHOWN)
    assert "6 件事" in data["texts"]["nothing"]


@pytest.mark.parametrize(
    "sent",
    [
        None,
        "7-3",
        [],
        [[0, 0], "x"],
        [[12, 0]],
        [[0, 12]],
        [[-1, 0]],
        [[0]],
        [[0, 1.5]],
        [[0, 0]] * 145,
    ],
)
def test_only_heads_that_exist_are_taken_from_the_browser(sent):
    assert _checked(sent, 12, 12) == []


def test_heads_from_the_browser_keep_their_order_and_are_taken_once():
    assert _checked([[6, 2], [0, 0], [6, 2]], 12, 12) == [(6, 2), (0, 0)]
    everything = [[layer, head] for layer in range(12) for head in range(12)]
    assert len(_checked(everything, 12, 12)) == 144


def test_every_set_the_maps_can_choose_fits_into_a_link(open_app):
    others = [f"{layer}-{head}" for layer in range(1, 13) for head in range(1, 13)][1:]
    app = open_app(layer=1, head=1, mean=".".join(others))
    assert not app.warning
    assert len(maps_data(app)["chosen"]) == 144

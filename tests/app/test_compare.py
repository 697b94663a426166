"""The page 比一比 through its own controls: heads, sentences, cuts, pairs by hand, ready pairs, bad input."""

from __future__ import annotations

import io
import json
import zipfile

import numpy as np
import pytest

from attention_app.text import LANGUAGES, load
from attention_app.ui import take
from attention_app.ui.take import bundle
from attention_core.attend import attend
from attention_core.comparison import match_words, row_change
from attention_core.sources import SOURCES
from attention_core.words import join_words, load_contrasts, parse_words, segment
from tests.app.looking import HOSTILE, component, link, trigger

PAGE = "compare"
FULL, COLD = "小猫没有喝牛奶，因为它已经饱了。", "小猫没有喝牛奶，因为它已经凉了。"


def charts(app):
    """The plotly figures by their keys."""
    return {
        element.proto.id.partition("-compare-")[2]: json.loads(element.proto.spec)
        for element in app.get("plotly_chart")
    }


def labels(line):
    return [look["label"] for look in line["words"]]


def weights(line):
    return [look["weight"] for look in (*line["before"], *line["words"], *line["after"])]


def said(app):
    return "\n".join(markdown.value for markdown in app.markdown).replace("\\", "")


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("source", SOURCES)
@pytest.mark.parametrize("versus", ["heads", "sentences", "cuts"])
def test_every_comparison_opens(open_page, versus, source, language):
    app = open_page(versus=versus, source=source, lang=language)
    assert not app.error
    upper, lower = component(app, "pairing")["lines"]
    assert labels(upper) == ["我", "昨天", "去", "超市", "买", "了", "苹果", "。"]
    assert (labels(lower) == labels(upper)) == (versus == "heads")
    titles = [one.value.replace("\\", "") for one in app.subheader]
    assert load("compare", language)("card.row.title") in titles


def test_two_heads_of_one_sentence(open_page):
    data = component(open_page(other_layer=8, other_head=5), "pairing")
    upper, lower = data["lines"]
    attention = attend(segment("我昨天去超市买了苹果。"))
    for line, (layer, head) in ((upper, (6, 2)), (lower, (7, 4))):
        expected = [
            attention.special[layer, head, 4, 0],
            *attention.weights[layer, head, 4],
            attention.special[layer, head, 4, 1],
        ]
        np.testing.assert_allclose(weights(line), expected, atol=1e-4)
    assert data["pairs"] == [[i, i] for i in range(8)]
    assert not data["free"]


def test_the_difference_is_below_minus_above(open_page):
    app = open_page(versus="sentences", text=FULL, other=COLD, word=7, layer=9, head=9)
    (trace,) = charts(app)["difference-chart"]["data"]
    shown = np.array([[float(text.replace("−", "-")) for text in row] for row in trace["text"]])
    above, below = attend(segment(FULL)).weights[8, 8], attend(segment(COLD)).weights[8, 8]
    np.testing.assert_allclose(shown, below - above, atol=0.0051)
    assert "饱→凉" in charts(app)["difference-chart"]["layout"]["xaxis"]["ticktext"]
    assert "0.88 → 0.64" in said(app)


def test_the_heads_are_ranked_by_how_far_the_row_moved(open_page):
    app = open_page(versus="sentences", text=FULL, other=COLD, word=7, decimals=4)
    a, b = attend(segment(FULL)), attend(segment(COLD))
    pairs = match_words([word.text for word in a.words], [word.text for word in b.words])
    expected = row_change(a.weights, b.weights, a.special, b.special, (6, 6), pairs)
    grid = component(app, "headgrid")
    np.testing.assert_allclose(np.array(grid["numbers"], dtype=float), expected, atol=1e-4)
    np.testing.assert_allclose(grid["shades"], expected / expected.max(), atol=1e-3)
    layer, head = np.unravel_index(expected.argmax(), expected.shape)
    assert f"最多的头是 {layer + 1}·{head + 1}（" in said(app)


def test_a_head_of_the_grid_is_looked_with(open_page):
    app = trigger(open_page(versus="sentences"), "headgrid", "heads", [[11, 0]])
    assert (link(app)["layer"], link(app)["head"]) == ("12", "1")
    app = trigger(open_page(), "headgrid", "heads", [[2, 10]])
    assert (link(app)["layer"], link(app)["other_layer"], link(app)["other_head"]) == ("7", "3", "11")
    assert component(app, "headgrid")["chosen"] == [2, 10]
    before = link(app)
    for wrong in ([[12, 0]], [[0, -1]], "x", [], [[0]]):
        app = trigger(app, "headgrid", "heads", wrong)
        assert link(app) == before


def test_words_are_chosen_and_paired_by_hand(open_page):
    app = open_page(versus="sentences", text="他买了苹果", other="她卖了香蕉", word=2)
    app = trigger(app, "pairing", "choose", 3)
    assert link(app)["word"] == "4"
    app = trigger(app, "pairing", "pair", 1)  # 苹果 with 卖 instead of 香蕉
    data = component(app, "pairing")
    assert sorted(data["pairs"]) == [[0, 0], [2, 2], [3, 1]]
    assert data["lines"][1]["chosen"] == 1
    app = trigger(app, "pairing", "pair", 1)
    assert sorted(component(app, "pairing")["pairs"]) == [[0, 0], [2, 2]]
    assert "没有对应的词" in said(app)
    app.button(key="pairs-automatic").click().run()
    assert component(app, "pairing")["pairs"] == [[i, i] for i in range(4)]
    assert "pairs" not in link(app)


def test_pairs_of_a_link_that_do_not_fit_are_put_back(open_page):
    for bad in ("1-9", "1-1.1-2", "1-1.2-1"):
        app = open_page(versus="sentences", text="他买了苹果", other="她卖了香蕉", pairs=bad)
        assert component(app, "pairing")["pairs"] == [[i, i] for i in range(4)]
        assert "成对的词" in app.warning[0].value
    app = open_page(versus="sentences", text="他买了苹果", other="她卖了香蕉", pairs="4-4")
    app.text_input(key="other-sentence").set_value("她卖").run()  # nobody asked for this pair any more
    assert not app.warning


@pytest.mark.parametrize("pair", load_contrasts(), ids=lambda pair: pair.id)
def test_every_ready_pair_stands_as_it_promises(open_page, pair):
    app = open_page()
    app.session_state["contrasts"] = True
    app.run()
    app.button(key=f"contrast-{pair.id}").click().run()
    assert not app.error
    upper, lower = component(app, "pairing")["lines"]
    read = parse_words if pair.kind == "cuts" else segment
    assert labels(upper)[upper["chosen"]].startswith(pair.word)
    assert len(upper["words"]) == len(read(pair.a))
    assert len(lower["words"]) == len(read(pair.b))
    assert lower["chosen"] is not None, "the word has a partner"
    assert pair.question_zh in said(app)
    assert link(app)["text"] == join_words(read(pair.a))


def test_a_cut_by_slashes_must_be_the_same_sentence(open_page):
    app = open_page(versus="cuts", text="他从小学习钢琴。")
    box = app.text_input(key="other-words")
    assert box.value == "他/从/小/学/习/钢/琴/。"
    box.set_value("他/从/小学/习/钢琴/。").run()
    assert labels(component(app, "pairing")["lines"][1]) == ["他", "从", "小学", "习", "钢琴", "。"]
    assert link(app)["other_cut"] == "1.2.4.5.7"
    app.text_input(key="other-words").set_value("他/从/小学/学/钢琴/。").run()
    assert "字要和上面那句一样" in app.error[0].value
    assert app.text_input(key="other-words").value == "他/从/小学/学/钢琴/。"
    assert link(app)["other_cut"] == "1.2.4.5.7"


@pytest.mark.parametrize(
    ("typed", "says"), [("", "至少输入一个词"), ("好" * 201, "最多 200 个字符"), ("a b " * 40, "最多 64 个词")]
)
def test_a_sentence_that_cannot_be_used_is_explained_and_kept(open_page, typed, says):
    app = open_page(versus="sentences", text=FULL, other=COLD)
    app.text_input(key="other-sentence").set_value(typed).run()
    assert says in app.error[0].value
    assert app.text_input(key="other-sentence").value == typed
    assert link(app)["other"] == COLD
    app.text_input(key="other-sentence").set_value("它饿了").run()
    assert not app.error
    assert link(app)["other"] == "它饿了"


def test_without_another_sentence_the_same_one_waits_to_be_changed(open_page):
    app = open_page(versus="sentences", text="我喜欢猫。")
    assert app.text_input(key="other-sentence").value == "我喜欢猫。"
    assert "现在两句话一样" in said(app)
    app.text_input(key="other-sentence").set_value("我喜欢狗。").run()
    assert component(app, "pairing")["pairs"] == [[i, i] for i in range(4)]
    assert "最关注" in said(app)


def test_a_link_with_an_impossible_sentence_opens(open_page):
    app = open_page(versus="sentences", text=FULL, other="好" * 300)
    assert labels(component(app, "pairing")["lines"][1]) == [word.text for word in segment(COLD)]
    assert app.warning


def test_both_maps_and_their_difference_can_be_taken_along(open_page, monkeypatch):
    seen = []
    monkeypatch.setattr(take, "panel", seen.append)
    open_page(versus="sentences", text=FULL, other=COLD, word=7, layer=9, head=9)
    files = zipfile.ZipFile(io.BytesIO(bundle.zipped(seen[-1])))
    content = json.loads(files.read("matrices.json"))
    upper, lower, difference, heads = content["matrices"]
    assert upper["columns"] == ["<s>", *[word.text for word in segment(FULL)], "</s>"]
    above, below = attend(segment(FULL)).weights[8, 8], attend(segment(COLD)).weights[8, 8]
    np.testing.assert_allclose(np.array(lower["values"])[:, 1:-1], below, atol=1e-6)
    np.testing.assert_allclose(difference["values"], below - above, atol=1e-6)
    assert heads["shape"] == [12, 12]
    assert len(files.namelist()) == 5


def test_what_people_type_is_no_markup(open_page):
    app = open_page(versus="sentences", text=HOSTILE, other=HOSTILE + "<b>")
    assert not [one for one in app.markdown if "<img" in one.value and one.allow_html]
    assert "".join(labels(component(app, "pairing")["lines"][0])).startswith("<img")


def test_while_numbers_are_hidden_nothing_tells_them(open_page):
    app = open_page(versus="sentences", text=FULL, other=COLD, word=7, numbers="off")
    data = component(app, "pairing")
    assert {look["number"] for line in data["lines"] for look in line["words"]} == {"?"}
    assert {weight for line in data["lines"] for weight in weights(line)} == {0.0}
    assert {number for row in component(app, "headgrid")["numbers"] for number in row} == {"?"}
    assert not np.any(component(app, "headgrid")["shades"])
    (trace,) = charts(app)["difference-chart"]["data"]
    assert {text for row in trace["text"] for text in row} == {"?"}

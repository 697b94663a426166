"""The page 动手改 through its own controls: every kind of change, taken back, combined, in the link, and refused."""

from __future__ import annotations

import json

import numpy as np
import pytest

from attention_app.text import LANGUAGES, load
from attention_app.ui import take
from attention_app.ui.packed import pack, unpack
from attention_app.ui.qkv.shelf import ready
from attention_app.ui.whatif import plan as plans
from attention_app.ui.whatif.plan import Move, Off, Remove, Replace, Row
from attention_core.changes import Changes, run_changed
from attention_core.retrieve import retrieve
from attention_core.sources import e5
from attention_core.sources.e5_sentences import sentence_vectors
from attention_core.words import segment
from tests.app.looking import DEFAULT, HOSTILE, component, link, trigger

PAGE = "whatif"
PLAN = (
    Off(((6, 2), (6, 3))),
    Replace(6, "香;蕉 <b>"),
    Move(1, 0),
    Remove(7),
    Row(6, 2, 4, "even"),
    Row(3, 1, 2, "only", (5,)),
    Row(3, 1, 0, "hand", (100, 0, 900)),
)


@pytest.fixture
def open_page(open_page):
    """open_page(*plan, …): the same with a plan of changes in the link."""

    def open_(*plan, **link):
        return open_page(**link, **({"changes": pack(plans.write(plan))} if plan else {}))

    return open_


def plan_of(app):
    return plans.parse(unpack(link(app).get("changes", "")))


def rows(app):
    """The chosen row before and after, with the special tokens."""
    return [
        np.array([look["weight"] for look in (*line["before"], *line["words"], *line["after"])])
        for line in component(app, "pairing")["lines"]
    ]


def labels(app, which):
    return [look["label"] for look in component(app, "pairing")["lines"][which]["words"]]


def said(app):
    return "\n".join(markdown.value for markdown in app.markdown).replace("\\", "")


def test_a_plan_survives_its_link():
    assert plans.parse(plans.write(PLAN)) == PLAN
    assert plans.parse(unpack(pack(plans.write(PLAN)))) == PLAN
    assert plans.parse("") == ()


@pytest.mark.parametrize(
    "bad",
    ["x", "h12.0", "h0.12", "d", "s1=", "r6.2.4=even1", "r6.2.4=only", "r6.2.4=only1.2", "r6.2.4=hand0.0", "d1;;d2"],
)
def test_what_is_no_plan_is_refused(bad):
    with pytest.raises(ValueError, match="no such"):
        plans.parse(bad)


def test_a_plan_has_an_end():
    with pytest.raises(ValueError, match="too many"):
        plans.parse(";".join(["d1"] * 61))


def test_text_that_unpacks_to_megabytes_is_refused():
    with pytest.raises(ValueError, match="no packed text"):
        unpack(pack("d1;" * 100_000))


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("tool", ["heads", "words", "row"])
@pytest.mark.parametrize("source", ["real", "toy"])
def test_every_tool_opens_on_the_real_model(open_page, language, tool, source):
    app = open_page(lang=language, tool=tool, source=source)
    assert not app.error
    assert link(app)["source"] == source, "what other pages look at stays"
    assert load("whatif", language)("say.nothing") in said(app)
    if source != "real":
        app.button(key="whatif-real").click().run()
        assert link(app)["source"] == "real"
    before, after = rows(app)
    np.testing.assert_array_equal(before, after)


def test_a_head_is_switched_off_and_on_again(open_page):
    app = trigger(open_page(), "headgrid", "heads", [[6, 2]])
    assert plan_of(app) == (Off(((6, 2),)),)
    assert component(app, "headgrid")["off"] == [[6, 2]]
    assert not rows(app)[1].any()
    model, run = e5.load_model(), e5.load_model().run(segment(DEFAULT))
    changed = run_changed(model, run, Changes(frozenset({(6, 2)})))
    ends = [one.hidden[-1].astype(np.float64).mean(axis=0) for one in (run, changed)]
    cosine = ends[0] @ ends[1] / np.linalg.norm(ends[0]) / np.linalg.norm(ends[1])
    assert f"整句的向量，余弦是 {cosine:.4f}" in said(app)
    app = trigger(app, "headgrid", "heads", [[6, 2]])
    assert plan_of(app) == ()


def test_a_whole_line_and_the_buttons_beside_the_grid(open_page):
    app = trigger(open_page(), "headgrid", "heads", [[6, head] for head in range(12)])
    assert len(component(app, "headgrid")["off"]) == 12
    assert app.button(key="off-layer").disabled
    app.button(key="off-above").click().run()
    assert len(component(app, "headgrid")["off"]) == 12 * 6
    app.button(key="change-1").click().run()
    assert len(component(app, "headgrid")["off"]) == 12


def test_changes_are_undone_redone_and_taken_back_one_by_one(open_page):
    app = open_page(tool="words")
    app.button(key="word-right").click().run()
    app.button(key="word-remove").click().run()
    assert labels(app, 1) == ["我", "昨天", "去", "超市", "了", "苹果", "。"]
    app.button(key="plan-undo").click().run()
    assert labels(app, 1) == ["我", "昨天", "去", "超市", "了", "买", "苹果", "。"]
    app.button(key="plan-redo").click().run()
    assert len(plan_of(app)) == 2
    app.button(key="change-0").click().run()
    assert plan_of(app) == (Remove(5),)
    app.button(key="plan-clear").click().run()
    assert plan_of(app) == ()
    app.button(key="plan-undo").click().run()
    assert plan_of(app) == (Remove(5),)


def test_changes_of_a_link_can_be_undone(open_page):
    app = open_page(Off(((6, 2),)), Remove(1))
    assert len(plan_of(app)) == 2
    app.button(key="plan-undo").click().run()
    assert plan_of(app) == ()
    app.button(key="plan-redo").click().run()
    assert len(plan_of(app)) == 2


def test_a_word_is_replaced_and_the_sentence_itself_stays(open_page):
    app = open_page(tool="words", word=7)
    app.text_input(key="replacement").set_value(" 香蕉 ").run()
    assert labels(app, 1)[6] == "香蕉"
    assert labels(app, 0)[6] == "苹果"
    assert link(app)["text"] == DEFAULT
    assert app.text_input(key="replacement").value == ""
    assert "动得最多的是 :orange[**苹果**]" in said(app)
    app.text_input(key="replacement").set_value("  ").run()
    assert len(plan_of(app)) == 1


def test_a_row_is_dragged_made_even_and_pointed_at_one_word(open_page):
    app = open_page(tool="row")
    row = component(app, "dragrow")
    np.testing.assert_allclose(row["weights"], rows(app)[0], atol=1e-4)
    wanted = [0, 0, 500, 0, 0, 0, 0, 500, 0, 0]
    app = trigger(app, "dragrow", "row", wanted)
    np.testing.assert_allclose(rows(app)[1], np.array(wanted) / 1000, atol=1e-4)
    app.button(key="row-even").click().run()
    np.testing.assert_allclose(rows(app)[1], 0.1, atol=1e-4)
    app.selectbox(key="row-only").set_value(7).run()
    np.testing.assert_allclose(rows(app)[1], np.eye(10)[7], atol=1e-4)
    assert len(plan_of(app)) == 1  # a row set again takes the place of the one before
    for wrong in ([1000] * 9, [-1] + [100] * 9, [0] * 10, [True] * 10, "x", None):
        app = trigger(app, "dragrow", "row", wrong)
        assert len(plan_of(app)) == 1


def test_a_change_that_does_not_fit_is_crossed_out_and_changes_nothing(open_page):
    app = open_page(Remove(20), Row(6, 2, 30, "even"))
    before, after = rows(app)
    np.testing.assert_array_equal(before, after)
    assert [button.label.startswith(":gray[~~") for button in app.button if button.key.startswith("change-")] == [
        True,
        True,
    ]


def test_a_sentence_the_model_cannot_read_stays_as_it_was_and_says_so(open_page):
    long = "𠮷" * 140  # a model token each
    app = open_page(Replace(6, long), Row(6, 2, 7, "even"), tool="heads", clean=False)
    assert "最多 128 个模型词元" in app.error[0].value
    assert labels(app, 1)[6] == "苹果"
    chips = [button.label for button in app.button if button.key.startswith("change-")]
    assert [chip.startswith(":gray[~~") for chip in chips] == [True, False]
    app.button(key="plan-undo").click().run()
    assert not app.error


def test_a_sentence_only_other_sources_take_is_refused_here(open_page):
    app = open_page(text="𠮷" * 140, cut="0", source="toy", clean=False)  # one word
    assert "模型词元" in app.error[0].value


def test_the_last_word_cannot_be_taken_away(open_page):
    app = open_page(tool="words", text="我")
    assert app.button(key="word-remove").disabled
    assert app.button(key="word-left").disabled
    assert app.button(key="word-right").disabled


def test_the_chosen_word_is_gone(open_page):
    app = open_page(Remove(4), tool="words")
    assert "已经不在句子里了" in said(app)
    assert component(app, "pairing")["lines"][1]["chosen"] is None
    assert "已经不在句子里了" in said(open_page(Remove(4), tool="row"))


def test_more_than_a_link_holds_is_not_done(open_page):
    app = open_page(*[Off(((6, 2),))] * 60, tool="words")
    app.button(key="word-left").click().run()
    assert len(plan_of(app)) == 60
    assert "放不下了" in app.error[0].value
    app.run()
    assert not app.error


def test_a_broken_link_opens_without_changes(open_page):
    app = open_page(changes="AAAA")
    assert plan_of(app) == ()
    assert app.warning


def test_the_way_up_from_the_head_is_told(open_page):
    app = open_page(Row(6, 2, 4, "only", (7,)))  # 买 looks at 苹果 alone
    blocks = [one.proto for one in app.get("bidi_component") if one.proto.component_name == "attention.blocks"]
    (way,) = [view for view in map(json.loads, (one.json for one in blocks)) if view["texts"]["title"][:2] == "从这"]
    model, run = e5.load_model(), e5.load_model().run(segment(DEFAULT))
    v = model.layer_trace(run, 6).multi_head.attention.v[2]
    z = run.attn_weights[6, 2, 5] @ v
    assert [bar["label"] for bar in way["bars"]] == ["Z", "Z × W_O", "第7块输出", "再上一块"]
    assert way["bars"][0]["numbers"][0] == f"{np.linalg.norm(z):.2f} → {np.linalg.norm(v[7]):.2f}"
    cosine = z @ v[7] / np.linalg.norm(z) / np.linalg.norm(v[7])
    assert float(way["bars"][0]["numbers"][1]) == pytest.approx(cosine, abs=1e-4)
    off = open_page(Off(((6, 2),)))
    blocks = [one.proto for one in off.get("bidi_component") if one.proto.component_name == "attention.blocks"]
    (way,) = [view for view in map(json.loads, (one.json for one in blocks)) if view["texts"]["title"][:2] == "从这"]
    assert way["bars"][0]["numbers"][1] == "—"


def test_the_library_is_searched_again_without_the_heads(open_page):
    app = open_page(Off(tuple((layer, head) for layer in range(3, 12) for head in range(12))))
    assert "还找得到那本书吗？" in [one.value.replace("\\", "") for one in app.subheader]
    views = [
        json.loads(e.proto.json) for e in app.get("bidi_component") if e.proto.component_name == "attention.blocks"
    ]
    (found,) = [view for view in views if view["texts"]["title"].startswith("还找得到")]
    off = Changes(frozenset((layer, head) for layer in range(3, 12) for head in range(12)))
    keys, values = zip(*ready(load("qkv", "zh"), "library").rows, strict=True)
    query = ready(load("qkv", "zh"), "library").query
    after = retrieve(query, keys, values, encode=lambda texts, kind: sentence_vectors(texts, kind, off.apply))
    order = (-after.scores).argsort()
    assert [bar["label"] for bar in found["bars"]] == [keys[book].partition("：")[0] for book in order]
    assert [bar["numbers"][1].split(" → ")[1] for bar in found["bars"]] == [
        f"{after.scores[book]:.3f}" for book in order
    ]
    assert [bar["numbers"][0].split(" → ")[1] for bar in found["bars"]] == [
        str(place + 1) for place in range(len(keys))
    ]


def test_every_head_is_tried(open_page):
    app = open_page(text="我爱你")
    assert not np.any(component(app, "headgrid")["shades"])
    app.button(key="try-heads").click().run()
    grid = component(app, "headgrid")
    model, run = e5.load_model(), e5.load_model().run(segment("我爱你"))
    changed = run_changed(model, run, Changes(frozenset({(4, 9)})))
    a, b = (one.hidden[-1].astype(np.float64).mean(axis=0) for one in (run, changed))
    assert f"{a @ b / np.linalg.norm(a) / np.linalg.norm(b):.4f}" in grid["numbers"][4][9]
    assert np.max(grid["shades"]) == 1
    assert not [button for button in app.button if button.key == "try-heads"]


def test_readings_beside_the_raw_weights_sum_to_one(open_page):
    app = open_page(decimals=4)
    assert "权重不等于解释" in [one.value for one in app.subheader]
    held = e5.attend(segment(DEFAULT)).special[6, 2, 4].sum()
    assert f"特殊词元占 {held:.4f}" in said(app)


def test_the_change_can_be_taken_along(open_page, monkeypatch):
    seen = []
    monkeypatch.setattr(take, "panel", seen.append)
    open_page(Off(((6, 2),)), Remove(1))
    before, after, moved = seen[-1].matrices()
    assert (before.shape, after.shape, moved.shape) == ((8, 10), (7, 9), (7, 13))
    assert not after.values.any()
    np.testing.assert_allclose(before.values.sum(axis=1), 1, atol=1e-5)


def test_what_people_type_is_no_markup(open_page):
    app = open_page(Replace(0, "<b>**x**$y$"), text=HOSTILE, tool="words")
    assert not [one for one in app.markdown if "<img" in one.value and one.allow_html]
    assert labels(app, 1)[0] == "<b>**x**$y$"


def test_while_numbers_are_hidden_nothing_tells_them(open_page):
    app = open_page(Off(((6, 2),)), numbers="off")
    assert not np.any(rows(app))
    assert {look["number"] for line in component(app, "pairing")["lines"] for look in line["words"]} == {"?"}
    assert not app.get("plotly_chart")
    blocks = [one.proto for one in app.get("bidi_component") if one.proto.component_name == "attention.blocks"]
    (moved,) = [view for view in map(json.loads, (one.json for one in blocks)) if view["columns"][0] == "余弦"]
    assert [bar["at"] for bar in moved["bars"]] == list(range(8)), "in the order of the sentence, not of the answer"

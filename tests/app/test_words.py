"""The words: what a cut by hand does to the lesson and its link, and what is refused."""

from __future__ import annotations

import re

import pytest

from attention_app.text import LANGUAGES, load
from attention_core.words import boundaries, cut_at, example_groups, load_examples, segment
from tests.app.looking import component, link, trigger
from tests.app.looking import words as shown

PIANO = "他从小学习钢琴。"


def chosen(app):
    view = component(app, "words")
    return None if view["chosen"] is None else shown(app)[view["chosen"]]


def recut(app, at, edit=1):
    """A person moves a seam: the view sends all boundaries."""
    return trigger(app, "words", "cut", {"at": at, "edit": edit})


def step(app, which):
    return trigger(app, "words", "step", which)


def test_a_cut_in_the_link_is_what_the_model_reads(open_app):
    plain, cut = open_app(text=PIANO), open_app(text=PIANO, cut="1.2.4.5.7")
    assert shown(plain) == ["他", "从小", "学习", "钢琴", "。"]
    assert shown(cut) == ["他", "从", "小学", "习", "钢琴", "。"]
    assert link(cut)["cut"] == "1.2.4.5.7"
    assert component(cut, "words")["edits"]["restore"]
    assert not component(plain, "words")["edits"]["restore"]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("direction", "what"), [("out", "row"), ("in", "column")])
def test_the_title_says_whose_cut_it_is_and_what_a_click_shows(open_app, language, direction, what):
    t = load("explore", language)
    for cut, key, count in (("", "jieba_many", 5), ("1.2.4.5.7", "yours_many", 6), ("0", "yours_one", 1)):
        app = open_app(text=PIANO, lang=language, direction=direction, **({"cut": cut} if cut else {}))
        assert component(app, "words")["texts"]["title"] == t(f"words.{key}", count=count, what=t(f"words.{what}"))


def test_jiebas_own_cut_is_no_cut_by_hand(open_app):
    app = open_app(text=PIANO, cut="1.3.5.7")
    assert "cut" not in link(app)
    assert not component(app, "words")["edits"]["restore"]


@pytest.mark.parametrize("cut", ["8", "99", "1.x", "1..2", "1.2.", "-1", "1234"])
def test_a_cut_that_does_not_fit_the_sentence_is_said_and_dropped(open_app, cut):
    app = open_app(text=PIANO, cut=cut)
    assert len(app.warning) == 1
    assert "分词" in app.warning[0].value
    assert shown(app) == ["他", "从小", "学习", "钢琴", "。"]
    assert "cut" not in link(app)


@pytest.mark.parametrize(
    ("word", "after", "follows"),
    [
        (3, "1.3.4.5.7", "学"),  # cut: the part that holds its first character
        (3, "1.5.7", "从小学习"),  # joined to the left
        (2, "1.5.7", "从小学习"),  # joined to the right
        (4, "1.2.3.5.7", "钢琴"),  # changed elsewhere
        (5, "", "他从小学习钢琴。"),
        (0, "1.5.7", None),  # none was locked
    ],
)
def test_the_locked_word_stays_on_its_first_character(open_app, word, after, follows):
    app = recut(open_app(text=PIANO, word=word), after)
    assert chosen(app) == follows
    assert link(app)["cut"] == (after or "0")


def test_restore_brings_jiebas_cut_back(open_app):
    app = step(open_app(text=PIANO, word=5, cut="1.2.3.4.5.7"), "restore")
    assert shown(app) == ["他", "从小", "学习", "钢琴", "。"]
    assert chosen(app) == "学习"  # 习 was locked
    assert "cut" not in link(app)


def test_undo_and_redo_go_through_the_cuts(open_app):
    app = recut(recut(open_app(text=PIANO), "1.3.4.5.7"), "1.4.5.7", edit=2)
    assert shown(app) == ["他", "从小学", "习", "钢琴", "。"]
    assert shown(step(app, "undo")) == ["他", "从小", "学", "习", "钢琴", "。"]
    assert link(app)["cut"] == "1.3.4.5.7"
    assert shown(step(app, "undo")) == ["他", "从小", "学习", "钢琴", "。"]
    assert not component(app, "words")["edits"]["undo"]
    assert shown(step(app, "other")) == ["他", "从小", "学习", "钢琴", "。"]
    assert shown(step(step(app, "redo"), "redo")) == ["他", "从小学", "习", "钢琴", "。"]
    assert not component(app, "words")["edits"]["redo"]


def test_a_refused_cut_changes_nothing_is_explained_once_and_is_answered(open_app):
    ones = [str(position) for position in range(1, 65)]
    app = open_app(text="我爱你们" * 16 + "好", cut=".".join(ones[:-1]))
    before, t = shown(app), load("explore", "zh")
    recut(app, ".".join(ones), edit=17)
    told = t("error.too_many_words", limit=64, count=65) + "  \n" + t("words.refused")
    assert [error.value for error in app.error] == [told]
    assert shown(app) == before
    assert link(app)["cut"] == ".".join(ones[:-1])
    assert component(app, "words")["edits"]["answered"] == 17
    assert not app.run().error


def test_a_cut_of_the_sentence_before_does_not_reach_the_one_typed_meanwhile(open_app):
    app = open_app(text=PIANO)
    app.text_input(key="text").set_value("我爱你")
    recut(app, "1.3.4.5.7", edit=17)
    assert shown(app) == ["我", "爱", "你"]
    assert "cut" not in link(app)
    assert component(app, "words")["edits"]["answered"] == 17
    assert not app.error  # it has no place 7, which is nobody's fault


@pytest.mark.parametrize(
    ("event", "value"),
    [
        ("cut", {"at": "1.x", "edit": 1}),
        ("cut", {"at": "1..2", "edit": 1}),
        ("cut", {"at": [1], "edit": 1}),
        ("cut", {"at": "1.2"}),
        ("cut", "1.2"),
        ("pick", 6),
        ("pick", "1"),
    ],
)
def test_what_the_view_never_sends_changes_nothing(open_app, event, value):
    app = open_app(text=PIANO, word=3, cut="1.2.4.5.7")
    before = link(app)
    assert link(trigger(app, "words", event, value)) == before
    assert not app.error


def test_a_new_sentence_does_not_keep_the_word_or_the_cut(open_app):
    app = open_app(text=PIANO, word=1, cut="1.2.3.4.5.7")
    app.text_input(key="text").set_value("弟弟把杯子打破了。").run()
    assert shown(app) == ["弟弟", "把", "杯子", "打破", "了", "。"]
    assert "cut" not in link(app)
    assert link(app)["word"] != "1"


def test_repeated_words_are_told_apart_for_eye_and_ear(open_app):
    chips = component(open_app(text="猫喜欢猫，x₁不是猫", lang="en"), "words")["chips"]
    assert [chip["label"] for chip in chips if "猫" in chip["label"]] == ["猫₁", "猫₂", "猫₃"]
    assert [chip["name"] for chip in chips if chip["name"]] == [f"猫, occurrence {n}" for n in (1, 2, 3)]
    assert {"".join(chip["parts"]) for chip in chips} >= {"猫", "喜欢"}


def test_characters_are_what_a_reader_counts(open_app):
    chips = component(open_app(text="👨‍👩‍👧喜欢 cafe\u0301"), "words")["chips"]
    assert [chip["parts"] for chip in chips] == [["👨‍👩‍👧"], ["喜", "欢"], ["c", "a", "f", "é"]]
    assert [chip["space"] for chip in chips] == [False, False, True]


def test_the_longest_cut_keeps_its_parameter_short(open_app):
    text = "的" * 200
    cut = ".".join(map(str, range(137, 200)))  # 63 boundaries of three figures: none is longer
    app = open_app(text=text, cut=cut, source="toy")
    assert link(app)["cut"] == cut
    assert len(cut.encode()) < 2000
    assert len(shown(app)) == 64
    assert link(open_app(**link(app))) == link(app)


def test_the_link_holds_the_cut_of_the_sentence_it_holds(open_app):
    app = open_app(text=PIANO, cut="1.2.4.5.7")
    before = link(app)
    app.text_input(key="text").set_value("的" * 201).run()
    assert len(app.error) == 1
    assert link(app) == before
    app = open_app(text="的" * 201, cut="1.2")
    assert link(app)["text"] == "我昨天去超市买了苹果。"
    assert "cut" not in link(app)


def test_groups_hold_every_example_and_have_titles():
    groups = example_groups()
    assert {example.group for example in load_examples()} == set(groups)
    for language in LANGUAGES:
        titles = {key.removeprefix("words.group.") for key in load("explore", language).entries if ".group." in key}
        assert titles == set(groups)
    assert max(sum(example.group == group for example in load_examples()) for group in groups) <= 7


def test_examples_can_stand_in_labels_and_captions():
    for example in load_examples():
        for part in (example.sentence, example.question_zh, example.question_en, example.gloss_zh, example.gloss_en):
            assert not re.search(r"[*_`\[\]<>$~#\\]|:\w|^\d+\.", part), part


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_open_picker_shows_the_group_of_the_sentence(open_app, language):
    app = open_app(text=PIANO, lang=language)
    closed = {button.key for button in app.button}
    assert not any(key.startswith("example-") for key in closed)  # nothing is sent before it is opened
    app.session_state["examples"] = True
    app.run()
    there = [button.key for button in app.button if button.key.startswith("example-")]
    assert there == ["example-lost-child", "example-piano-childhood", "example-girl-camera"]
    captions = [caption.value for caption in app.caption]
    (piano,) = [example for example in load_examples() if example.id == "piano-childhood"]
    # What a sentence means is told to those who read the other language.
    told = piano.question_zh if language == "zh" else f"{piano.question_en}  \n{piano.gloss_en}"
    assert told in captions


def test_picking_an_example_is_undone_by_one_step(open_app):
    app = open_app(text=PIANO, cut="1.2.4.5.7")
    app.session_state["examples"] = True
    app.session_state["example_group"] = "voice"
    app.run()
    app.button(key="example-cup-ba").click().run()
    assert shown(app) == [word.text for word in segment("弟弟把杯子打破了。")]
    assert "cut" not in link(app)
    step(app, "undo")
    assert (link(app)["text"], link(app)["cut"]) == (PIANO, "1.2.4.5.7")
    assert app.text_input(key="text").value == PIANO
    assert shown(app) == ["他", "从", "小学", "习", "钢琴", "。"]
    assert not component(app, "words")["edits"]["undo"]
    assert shown(step(app, "redo")) == [word.text for word in segment("弟弟把杯子打破了。")]


def test_every_cut_of_a_sentence_survives_its_link(open_app):
    for positions in ([1], [2, 6], [1, 2, 3, 4, 5, 6, 7]):
        cut = cut_at(PIANO, positions)
        app = open_app(text=PIANO, cut=".".join(map(str, positions)))
        assert shown(app) == [word.text for word in cut]
        assert link(app)["cut"] == ".".join(map(str, boundaries(cut)))

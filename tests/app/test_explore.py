"""The page 看一句话 through its own controls: every source and language, links, bad input, the net under errors."""

from __future__ import annotations

import logging

import pytest

from attention_app.text import LANGUAGES, load
from attention_app.ui import cache
from attention_core.sources import D_MODELS, EMBEDDINGS, PROJECTIONS, SOURCES
from tests.app.looking import DEFAULT, HOSTILE, component, figure, link, said, words

LONG = "的" * 64


def test_opens_on_the_verb_that_looks_at_its_object(open_app):
    app = open_app()
    assert words(app) == ["我", "昨天", "去", "超市", "买", "了", "苹果", "。"]
    assert component(app, "words")["chosen"] == 4
    assert said(app) == "第7层第3头里，买 最关注 苹果（0.73），其次 超市（0.11）；特殊词元占 0.06。"
    assert link(app) == {"text": DEFAULT, "source": "real", "layer": "7", "head": "3", "word": "5"}


def test_the_row_lists_every_key_once_by_weight_and_adds_up_to_one(open_app):
    bars = component(open_app(), "row")["bars"]
    assert sorted(bar["label"] for bar in bars) == sorted([*"我去买了。", "昨天", "超市", "苹果", "<s>", "</s>"])
    weights = [bar["weight"] for bar in bars]
    assert weights == sorted(weights, reverse=True)
    assert sum(weights) == pytest.approx(1, abs=1e-3)
    assert [bar["label"] for bar in bars if bar["special"]] == ["<s>", "</s>"] or [
        bar["label"] for bar in bars if bar["special"]
    ] == ["</s>", "<s>"]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("source", SOURCES)
@pytest.mark.parametrize("text", [DEFAULT, "好", LONG, HOSTILE, "I didn't know it's OK.", "👨‍👩‍👧喜欢🇨🇳👍🏽"])
def test_every_source_in_every_language(open_app, source, language, text):
    app = open_app(lang=language, source=source, text=text)
    assert not app.error
    assert not app.warning
    t = load("explore", language)
    assert app.title[0].value == t("explore.title")
    badge = t("badge.trained") if source == "real" else t("badge.plain" if source == "vectors" else "badge.untrained")
    assert any(badge in markdown.value for markdown in app.markdown)
    n_words = len(words(app))
    n_special = 2 if source == "real" else 0
    assert len(component(app, "row")["bars"]) == n_words + n_special
    assert len(figure(app)["data"]) == 1 + n_special


@pytest.mark.parametrize("d_model", D_MODELS)
@pytest.mark.parametrize("embedding", EMBEDDINGS)
@pytest.mark.parametrize("positions", ["on", "off"])
def test_every_setting_of_the_toy(open_app, d_model, embedding, positions):
    given = {"d_model": str(d_model), "embedding": embedding, "positions": positions, "seed": "9999"}
    app = open_app(source="toy", head=2, **given)
    assert not app.error
    assert not app.warning
    assert str(app.session_state["d_model"]) == given["d_model"]
    defaults = {"d_model": "4", "embedding": "word_vectors", "positions": "off"}
    kept = {name: value for name, value in given.items() if defaults.get(name) != value}
    assert {name: link(app).get(name) for name in kept} == kept


@pytest.mark.parametrize("projection", PROJECTIONS)
def test_word_vectors_with_and_without_weights(open_app, projection):
    app = open_app(source="vectors", projection=projection, text="我昨天去超市买了苹果", word=5)
    weights = {bar["label"]: bar["weight"] for bar in component(app, "row")["bars"]}
    plain = {"我": 0.126, "昨天": 0.127, "去": 0.134, "超市": 0.160, "买": 0.228, "了": 0.106, "苹果": 0.120}
    assert (weights == pytest.approx(plain, abs=6e-4)) == (projection == "identity")


def test_a_seed_is_offered_only_where_something_is_drawn(open_app):
    app = open_app(source="vectors", projection="identity")
    assert not app.number_input
    app.session_state["projection"] = "seeded"
    app.run()
    assert [box.key for box in app.number_input] == ["seed"]


@pytest.mark.parametrize(
    ("link", "sentence"),
    [
        (
            {"word": 7},
            "第7层第3头里，苹果 把最多的权重平分给了特殊词元 <s> 和 </s>（各 0.44）；在词里最关注 自己（0.07）",
        ),
        ({"layer": 2, "head": 8, "word": 5}, "第2层第8头里，买 最关注 了（1.00）。"),
    ],
)
def test_what_is_said_fits_the_decimals_that_are_shown(open_app, link, sentence):
    assert said(open_app(**link)).startswith(sentence)
    assert not said(open_app(**link, decimals=6)).startswith(sentence)


def test_picking_a_word_moves_every_panel(open_app):
    app = open_app()
    app.session_state["words"] = {"pick": 2}
    app.session_state["word"] = 3
    app.run()
    assert component(app, "words")["chosen"] == 2
    assert figure(app)["layout"]["shapes"][0]["y0"] == 1.5
    assert "去 最关注 超市（0.61）" in said(app)
    assert link(app)["word"] == "3"


def test_layer_and_head_are_counted_from_one(open_app):
    app = open_app(layer=2, head=8)
    assert said(app).startswith("第2层第8头里，")
    assert "买 最关注 了（1.00）" in "".join(said(open_app(layer=2, head=8, word=5)))


def test_a_new_sentence_opens_on_its_sharpest_row(open_app):
    app = open_app()
    app.text_input(key="text").set_value("小猫没有喝牛奶，因为它已经饱了。").run()
    chosen = component(app, "words")["chosen"]
    rows = figure(app)["data"][0]
    assert rows["type"] == "heatmap"
    best = cache.word_attention(*_asked(app))
    assert chosen == int(best.weights[6, 2].max(axis=-1).argmax())


def _asked(app):
    from attention_core.sources import Settings
    from attention_core.words import segment

    return segment(app.session_state["text"]), "real", Settings()


def test_the_word_stays_while_heads_are_browsed(open_app):
    app = open_app(word=7)
    app.session_state["head"] = 9
    app.run()
    assert link(app)["word"] == "7"
    assert component(app, "words")["chosen"] == 6


def test_each_source_keeps_its_own_head(open_app):
    app = open_app(layer=8, head=5)
    app.session_state["source"] = "paper"
    app.run()
    assert (link(app)["layer"], link(app)["head"]) == ("1", "1")
    app.session_state["head"] = 8
    app.run()
    app.session_state["source"] = "real"
    app.run()
    assert (link(app)["layer"], link(app)["head"]) == ("8", "5")
    app.session_state["source"] = "paper"
    app.run()
    assert link(app)["head"] == "8"


def test_languages_switch_and_keep_everything_else(open_app):
    app = open_app(layer=3, head=2, word=5)
    before = component(app, "row")["bars"]
    app.session_state["lang"] = "en"
    app.run()
    assert said(app).startswith("In layer 3, head 2, 买 looks most at 超市 (0.51)")
    assert [bar["weight"] for bar in component(app, "row")["bars"]] == [bar["weight"] for bar in before]
    assert link(app)["lang"] == "en"


def test_an_example_brings_its_question(open_app):
    app = open_app()
    app.session_state["examples"] = True
    app.session_state["example_group"] = "reference"
    app.run()
    app.button(key="example-cat-full").click().run()
    assert app.session_state["text"] == "小猫没有喝牛奶，因为它已经饱了。"
    assert any("“它”是小猫还是牛奶" in markdown.value for markdown in app.markdown)
    assert not app.session_state["examples"]


@pytest.mark.parametrize(
    ("text", "numbers"),
    [("的" * 201, "200 201"), ("好 " * 65, "64 65"), ("", ""), (" \u200b\t", ""), ("龘" * 5000, "200 5000")],
)
def test_unusable_text_is_explained_and_nothing_is_lost(open_app, text, numbers):
    app = open_app()
    app.text_input(key="text").set_value(text).run()
    assert len(app.error) == 1
    assert all(number in app.error[0].value for number in numbers.split())
    assert app.text_input(key="text").value == text
    assert "买 最关注 苹果（0.73）" in said(app)  # the last good sentence is still the picture
    assert link(app)["text"] == DEFAULT  # and what the link restores
    app.text_input(key="text").set_value("好").run()
    assert not app.error
    assert link(app)["text"] == "好"


def test_too_many_pieces(open_app):
    app = open_app(text="\U00010330" * 140)  # Gothic: one word for jieba, unknown letters and a mark for the model
    (error,) = app.error
    assert error.value.startswith(load("explore", "zh")("error.too_many_pieces", limit=128, count=141))
    assert link(app)["text"] == DEFAULT


@pytest.mark.parametrize(
    ("name", "value", "given"),
    [
        ("layer", "13", "7"),
        ("layer", "0", "7"),
        ("head", "three", "3"),
        ("head", "３", "3"),
        ("head", "99999999999999999999", "3"),
        ("word", "9", "5"),
        ("word", "-1", "5"),
        ("source", "magic", "real"),
        ("lang", "fr", None),
        ("seed", "10000", None),
        ("d_model", "5", None),
        ("positions", "yes", None),
    ],
)
def test_a_bad_value_in_a_link_gives_the_default_and_a_note(open_app, name, value, given):
    app = open_app(**{name: value})
    assert len(app.warning) == 1
    assert load("common", "zh")(f"param.{name}") in app.warning[0].value or name == "word"
    assert link(app).get(name) == given
    app.run()
    assert not app.warning  # said once


def test_several_bad_values_are_one_note(open_app):
    app = open_app(source="toy", layer=2, head=3)
    assert len(app.warning) == 1
    assert "只能是 1" in app.warning[0].value
    assert "1 到 2 " in app.warning[0].value


def test_what_a_link_does_not_say_is_not_complained_about(open_app):
    assert not open_app(source="toy").warning
    assert not open_app(source="vectors", text="好").warning


def test_a_link_restores_exactly_what_was_on_the_screen(open_app):
    app = open_app(text="弟弟把杯子打破了。", layer=4, head=6, word=3, lang="en")
    again = open_app(**link(app))
    assert component(again, "row") == component(app, "row")
    assert figure(again) == figure(app)
    assert link(again) == link(app)


def test_an_unexpected_error_is_friendly_and_keeps_what_was_typed(open_app, monkeypatch, caplog):
    app = open_app(may_fail=True)

    def broken(*_):
        raise RuntimeError("secret detail")

    monkeypatch.setattr(cache, "word_attention", broken)
    with caplog.at_level(logging.ERROR):
        app.text_input(key="text").set_value("他跑得很快。").run()
    assert not app.exception
    assert [error.value for error in app.error] == [load("common", "zh")("app.oops")]
    assert "secret detail" in caplog.text
    monkeypatch.undo()
    app.run()
    assert app.text_input(key="text").value == "他跑得很快。"
    assert not app.error


def test_two_visitors_do_not_see_each_other(open_app):
    one, other = open_app(text="弟弟把杯子打破了。"), open_app()
    one.text_input(key="text").set_value("他跑得很快。").run()
    other.run()
    assert link(other)["text"] == DEFAULT
    assert words(other)[0] == "我"


def test_a_link_to_a_sentence_that_cannot_be_shown_opens_the_other_one_on_its_own_word(open_app):
    app = open_app(text="的" * 201, word="3")
    assert component(app, "words")["chosen"] == 4
    assert "201" in app.error[0].value
    assert "还在框里" in app.error[0].value


def test_nothing_is_said_to_be_in_an_empty_box(open_app):
    (error,) = open_app(text=" ").error
    assert "还没有可以看的词" in error.value
    assert "还在框里" not in error.value
    assert "下面的图是另一句的" in error.value


def test_who_averages_heads_is_told_which_one_is_computed_step_by_step(open_app):
    said_of_one = "那一页只算其中的第7层第3头"
    assert any(said_of_one in caption.value for caption in open_app(mean="7-4").caption)
    assert not any(said_of_one in caption.value for caption in open_app().caption)


def test_the_mark_of_a_space_is_explained_where_pieces_are_shown(open_app):
    assert any("▁" in caption.value for caption in open_app(pieces="on").caption)
    assert not any("▁" in caption.value for caption in open_app().caption)

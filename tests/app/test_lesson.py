"""What stays usable when a sentence, a source and the settings do not fit together."""

from __future__ import annotations

import gc
import weakref

import pytest

from attention_app.text import LANGUAGES, load
from attention_app.ui import cache, controls, state
from attention_core.sources import SOURCES, Settings
from attention_core.words import MAX_CHARACTERS, load_examples, segment
from tests.app.looking import DEFAULT, component, link, said

ONLY_UNTRAINED = ["好\u2581吗", "好\ufffd吗", "".join(map(chr, [0x10330] * 140))]  # the real model cannot take them


@pytest.mark.parametrize("text", ONLY_UNTRAINED)
def test_a_sentence_that_the_new_source_cannot_take_leaves_a_page_to_work_with(open_app, text):
    app = open_app(source="toy", text=text)
    assert not app.error
    app.session_state["source"] = "real"
    app.run()
    assert "买 最关注 苹果" in said(app)
    assert app.text_input(key="text").value == text
    assert link(app)["text"] == DEFAULT
    app.text_input(key="text").set_value("弟弟把杯子打破了。").run()
    assert not app.error
    assert component(app, "words")["edits"]["undo"]


def test_switching_the_source_and_typing_too_much_at_once(open_app):
    app = open_app(source="toy", text=ONLY_UNTRAINED[0])
    app.session_state["source"] = "real"
    app.text_input(key="text").set_value("的" * 201).run()
    assert "201" in app.error[0].value
    assert "买 最关注 苹果" in said(app)


def test_an_unexpected_error_leaves_the_way_to_start_over(open_app, monkeypatch):
    app = open_app(may_fail=True)

    def broken(*_):
        raise RuntimeError

    monkeypatch.setattr(cache, "word_attention", broken)
    app.text_input(key="text").set_value("他跑得很快。").run()
    assert app.error
    monkeypatch.undo()
    app.button(key="action-reset").click().run()
    assert not app.error
    assert link(app)["text"] == DEFAULT


def test_notes_of_the_link_and_of_the_page_are_one_note(open_app):
    app = open_app(lang="fr", source="toy", layer=2)
    assert len(app.warning) == 1
    assert "语言" in app.warning[0].value
    assert "只能是 1" in app.warning[0].value


def test_settings_that_a_source_ignores_are_one_entry_of_the_cache():
    words = segment("他从小学习钢琴。")
    first = cache.word_attention(words, "real", Settings())
    assert cache.word_attention(words, "real", Settings(seed=5, d_model=8)) is first
    toy = cache.source_trace(words, "toy", Settings())
    assert cache.source_trace(words, "toy", Settings(projection="seeded")) is toy
    assert cache.source_trace(words, "toy", Settings(seed=5)) is not toy
    small = cache.small_maps(words, "real", Settings(), pieces=False, show_special=True)
    assert cache.small_maps(words, "real", Settings(seed=5), pieces=False, show_special=True) is small
    assert cache.small_maps(words, "real", Settings(), pieces=True, show_special=True) is not small


@pytest.mark.parametrize("pieces", ["on", "off"])
def test_an_open_session_does_not_keep_what_the_cache_has_let_go(open_app, pieces):
    """Its callbacks and downloads live as long as it does; a run's weights are megabytes."""
    text = "小明在人工智能实验室研究区块链技术。"
    app = open_app(text=text, pieces=pieces)
    run = weakref.ref(cache.encoder_run(segment(text)).attn_weights.base)
    picture = weakref.ref(cache.word_attention(segment(text), "real", Settings()).weights.base)
    assert run() is not None
    assert picture() is not None
    cache._runs.clear()
    gc.collect()
    assert run() is None
    assert picture() is None
    assert app.session_state["text"] == text  # the session itself is still there


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("source", ["vectors", "toy", "paper"])
def test_words_without_a_vector_are_named_as_they_are(open_app, source, language):
    separator = load("explore", language)("explore.setting.unknown_separator")
    app = open_app(source=source, text="龘龘 爱 *x*$y$ 你 龘龘", lang=language)
    (line,) = [text.value for text in app.text]
    assert line.endswith(separator.join(["龘", "*", "x", "$", "y"]))
    assert "你" not in line
    if source != "vectors":
        app.session_state["embedding"] = "one_hot"
        assert not app.run().text


@pytest.mark.parametrize("source", SOURCES)
def test_where_every_word_is_known_none_is_named(open_app, source):
    assert not open_app(source=source).text


def test_what_is_too_long_is_explained_up_to_far_beyond_a_sentence(open_app):
    app = open_app()
    box = app.text_input(key="text")
    assert box.max_chars == box.proto.max_chars == controls.MOST_TYPED
    assert controls.MOST_TYPED > 10 * MAX_CHARACTERS
    text = "的" * controls.MOST_TYPED
    box.set_value(text).run()
    assert f"{controls.MOST_TYPED}" in app.error[0].value
    assert app.text_input(key="text").value == text


def test_a_first_visit_shows_the_first_example():
    assert load_examples()[0].sentence == state.DEFAULT_SENTENCE == DEFAULT

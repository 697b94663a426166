"""What stays usable when a sentence, a source and the settings do not fit together."""

from __future__ import annotations

import pytest

from attention_app.text import load
from tests.app.looking import DEFAULT, component, link, said

ONLY_UNTRAINED = ["好\u2581吗", "好\ufffd吗", "".join(map(chr, [0x10330] * 140))]  # the real model cannot take them


@pytest.mark.parametrize("text", ONLY_UNTRAINED)
def test_a_sentence_that_the_new_source_cannot_take_leaves_a_page_to_work_with(open_app, text):
    app = open_app(source="toy", text=text)
    assert not app.error
    app.session_state["source"] = "real"
    app.run()
    assert [error.value for error in app.error] != [load("common", "zh")("app.oops")]
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
    from attention_app.ui import cache

    app = open_app()

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
    assert "1 到 1 " in app.warning[0].value

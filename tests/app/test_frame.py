"""What stands around the pages: starting over, presenter mode, the class's address, the introduction."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import streamlit as st

from attention_app.ui import classroom
from tests.app.looking import DEFAULT, component, link, said, trigger

PAGES = sorted(path.stem for path in (Path(__file__).parents[2] / "pages").glob("*.py"))


def button(app, name):
    return app.button(key=f"action-{name}")


def test_start_over_brings_back_the_first_screen_but_keeps_the_language(open_app):
    app = open_app(text="他跑得很快。", layer=3, head=9, word=1, lang="en", decimals=4, special="off", source="real")
    button(app, "reset").click().run()
    assert link(app) == {"lang": "en", "text": DEFAULT, "source": "real", "layer": "7", "head": "3", "word": "5"}
    assert "买 looks most at 苹果 (0.73)" in said(app)


def test_start_over_forgets_the_heads_of_other_sources(open_app):
    app = open_app(source="paper", head=5)
    button(app, "reset").click().run()
    app.session_state["source"] = "paper"
    app.run()
    assert link(app)["head"] == "1"


def test_presenting_folds_the_controls_away_and_hides_the_numbers_at_first(open_app):
    app = open_app(layer=8, head=5)
    button(app, "present").click().run()
    assert not app.text_input
    assert link(app)["present"] == "on"
    assert link(app)["numbers"] == "off"
    assert "ArrowLeft" in component(app, "keys")["names"]
    button(app, "leave").click().run()
    assert app.text_input(key="text").value == DEFAULT
    assert {"present", "numbers"}.isdisjoint(link(app))
    assert (link(app)["layer"], link(app)["head"]) == ("8", "5")


@pytest.mark.parametrize("page", PAGES)
def test_on_a_tablet_without_keys_a_class_can_see_the_numbers(open_app, page):
    app = open_app(present="on", numbers="off")
    app.switch_page(f"pages/{page}.py").run()
    app.toggle(key="numbers").set_value(True).run()
    assert "numbers" not in link(app)
    assert link(app)["present"] == "on"


@pytest.mark.parametrize(
    ("page", "back", "on"),
    [
        ("explore", "ArrowLeft", "ArrowRight"),
        ("multihead", "ArrowLeft", "ArrowRight"),
        ("steps", "ArrowUp", "ArrowDown"),
        ("structure", "ArrowUp", "ArrowDown"),
        ("qkv", "ArrowUp", "ArrowDown"),
        ("translate", "ArrowUp", "ArrowDown"),
    ],
)
def test_a_presenters_keys_move_the_word_alike_on_every_page(open_app, page, back, on):
    app = open_app(present="on", word=0, numbers="off")
    app.switch_page(f"pages/{page}.py").run()
    for key, word in ((on, 1), (on, 2), (back, 1), (back, 8)):
        assert link(trigger(app, "keys", "pressed", key))["word"] == str(word)
    for hostile in ([on], {"key": on}, True, "Enter"):
        assert not trigger(app, "keys", "pressed", hostile).exception
    assert "numbers" not in link(trigger(app, "keys", "pressed", " "))
    assert "present" not in link(trigger(app, "keys", "pressed", "Escape"))


def test_the_introduction_has_three_steps_in_the_readers_language(open_app):
    steps = {language: component(open_app(lang=language), "intro")["steps"] for language in ("zh", "en")}
    assert {language: len(of_language) for language, of_language in steps.items()} == {"zh": 3, "en": 3}
    assert "注意力" in json.dumps(steps["zh"], ensure_ascii=False)
    assert "attention" in json.dumps(steps["en"])


def test_the_introduction_can_be_asked_for_again(open_app):
    app = open_app()
    assert component(app, "intro")["asked"] == 0
    button(app, "intro").click().run()
    button(app, "intro").click().run()
    assert component(app, "intro")["asked"] == 2


def test_the_class_is_offered_only_when_others_can_reach_the_server(open_app, monkeypatch):
    app = open_app()
    with pytest.raises(KeyError):
        button(app, "classroom")
    monkeypatch.setattr(classroom, "is_open", lambda: True)
    monkeypatch.setattr(classroom, "address", lambda: "http://192.0.2.7:8501")
    app.run()
    button(app, "present").click().run()
    button(app, "leave")  # also while presenting: that is when a class wants the address
    button(app, "classroom").click().run()
    assert app.title[-1].value == "http://192.0.2.7:8501"
    (code,) = app.get("image")  # a picture the browser really gets; inline SVG is dropped on its way
    assert code.proto.imgs[0].url


def test_the_address_is_one_of_this_machine_with_the_servers_port():
    scheme, rest = classroom.address().split("://")
    host, port = rest.split(":")
    assert scheme == "http"
    assert host.count(".") == 3
    assert port == str(st.get_option("server.port"))


def test_streamlits_own_words_have_a_wording_in_each_language(open_app):
    words = component(open_app(lang="zh"), "wording")["words"]
    back = component(open_app(lang="en"), "wording")["words"]
    assert words["Main menu"] == words["菜单"] == "菜单"
    assert back["菜单"] == back["Main menu"] == "Main menu"
    assert all(back[ours] == own for own, ours in words.items() if own not in words.values())
    assert component(open_app(), "wording")["helped"] == {
        "ours": "{label}：说明",
        "known": ["{label}：说明", "Help for {label}"],
    }

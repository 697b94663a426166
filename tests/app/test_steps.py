"""The page 一步一步 through its own controls: every step, source and language, links, hidden numbers."""

from __future__ import annotations

import pytest

from attention_app.text import LANGUAGES, load
from attention_core.sources import SOURCES
from tests.app.looking import component, link
from tests.app.steps import matrices, said

LONG = "的" * 64
HOSTILE = "<img src=x>我*爱*你$x$ :red[a]"
STEPS = range(1, 8)


def titles(app):
    """Of the steps; the last card of the page is what can be taken along."""
    *steps, last = (heading.value for heading in app.subheader)
    assert last == load("take", app.session_state["lang"])("take.title")
    return steps


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("source", SOURCES)
@pytest.mark.parametrize("way", ["all", "one"])
def test_every_source_and_language_shows_all_steps(open_steps, language, source, way):
    app = open_steps(lang=language, source=source, step=0, way=way)
    assert app.title[0].value == load("steps", language)("steps.title")
    assert len(titles(app)) == 7 + (source == "real")
    assert {"scores", "scaled", "masked", "weights", "chain", "z", "parts", "project-q"} <= matrices(app).keys()
    assert len(app.latex) == len(titles(app)) + 2  # one each for Q, K and V


@pytest.mark.parametrize("text", ["好", "你好吗", LONG, HOSTILE, "hello 123 的 的 的"])
@pytest.mark.parametrize("source", SOURCES)
def test_every_sentence_that_fits(open_steps, source, text):
    for options in ({}, {"mask": "causal", "way": "one"}, {"mask": "padding", "scaled": "off", "temperature": "0.01"}):
        open_steps(source=source, text=text, step=0, **options)


@pytest.mark.parametrize("step", STEPS)
def test_a_link_opens_one_step(open_steps, step):
    app = open_steps(step=step)
    assert len(titles(app)) == 1 + (step == 6)
    assert app.subheader[0].value.startswith(f"{step} · ")
    assert link(app).get("step", "1") == str(step)


def test_previous_and_next_stop_at_the_ends(open_steps):
    app = open_steps()
    assert app.button(key="steps-previous").disabled
    for step in range(2, 8):
        app.button(key="steps-next").click().run()
        assert app.subheader[0].value.startswith(f"{step} · ")
    assert app.button(key="steps-next").disabled
    app.button(key="steps-previous-foot").click().run()
    assert app.subheader[0].value.startswith("6 · ")


def test_a_kept_cell_goes_along_the_steps(open_steps):
    app = open_steps(step=3, cell="4-5", word=3)
    for step, key in ((3, "scores"), (4, "scaled"), (5, "masked"), (6, "weights")):
        app.session_state["step"] = step
        app.run()
        assert matrices(app)[key]["cell"] == [3, 4]
    app.session_state["way"] = "one"
    app.run()
    assert matrices(app)["weights"]["cell"] == [0, 4]
    again = open_steps(**link(app))
    assert matrices(again)["weights"]["cell"] == [0, 4]


def test_another_word_or_sentence_lets_the_cell_go(open_steps):
    app = open_steps(step=3, cell="4-5", word=3)
    app.session_state["word"] = 7
    app.run()
    assert "cell" not in link(app)
    assert matrices(app)["scores"]["cell"][0] == 7
    app = open_steps(step=2, cell_dim="3-32")
    assert matrices(app)["project-q"]["cell"] == [2, 31]
    app.session_state["text"] = "他跑得很快。"
    app.run()
    assert "cell_dim" not in link(app)


def test_hidden_numbers_give_nothing_away(open_steps):
    for step in STEPS:
        app = open_steps(step=step, numbers="off")
        assert all(data["hidden"] for data in matrices(app).values())
        assert all(data["cell"] is None for data in matrices(app).values())
        for data in matrices(app).values():
            for part in data["sources"]:  # between positions: the scores and weights of the steps before
                assert part["answer"] == (part["rows"] == part["columns"] and bool(part["rows"]))
        assert load("steps", "zh")("lesson.guess") in said(app)
        assert "0\\." not in said(app)


def test_decimals_are_the_learners(open_steps):
    app = open_steps(step=6, decimals=5)
    assert all(data["decimals"] == 5 for data in matrices(app).values())


def test_changes_are_said_and_undone(open_steps):
    app = open_steps(step=6)
    assert not [button for button in app.button if button.key == "steps-restore"]
    app = open_steps(step=6, temperature="0.05", scaled="off", mask="causal")
    assert load("steps", "zh")("steps.changed") in said(app)
    assert "那里是 0\\." in said(app)
    app.button(key="steps-restore").click().run()
    assert {"temperature", "scaled", "mask"}.isdisjoint(link(app))
    assert "是同一个数" in said(app)


@pytest.mark.parametrize(
    ("name", "value", "more"),
    [
        ("pad", "8", {"mask": "padding"}),
        ("cell", "11-1", {"step": 3}),
        ("cell", "1-11", {"step": 6}),
        ("cell_dim", "11-1", {"step": 1}),
        ("cell_dim", "1-385", {"step": 2}),
        ("cell_dim", "1-5", {"source": "toy", "step": 2}),
    ],
)
def test_a_value_of_a_link_that_does_not_fit_the_sentence_leaves_a_note(open_steps, name, value, more):
    app = open_steps(**{name: value}, **more)
    assert load("common", "zh")(f"param.{name}") in app.warning[0].value
    assert name not in link(app)
    app.run()
    assert not app.warning


@pytest.mark.parametrize("name", ["cell", "cell_dim"])
def test_a_cell_of_another_step_stays_in_the_link(open_steps, name):
    value = {"cell": "10-10", "cell_dim": "10-384"}[name]
    app = open_steps(step=2, **{name: value})
    assert not app.warning
    assert link(app)[name] == value


@pytest.mark.parametrize(
    ("name", "value"),
    [("step", "8"), ("way", "x"), ("mask", "all"), ("temperature", "0"), ("cell", "1"), ("hidden", "a"), ("pad", "0")],
)
def test_a_bad_value_in_a_link_gives_the_default_and_a_note(open_app, name, value):
    app = open_app(**{name: value})
    assert load("common", "zh")(f"param.{name}") in app.warning[0].value
    assert name not in link(app)


@pytest.mark.parametrize("cell", ["99-1", "1-99", "0-0"])
def test_a_cell_outside_is_as_none(open_steps, cell):
    app = open_steps(step=3, cell=cell)
    assert matrices(app)["scores"]["cell"] == [5, 7]
    assert matrices(open_steps(step=2, cell_dim=cell))["project-q"]["cell"] == [5, 16]


def test_the_source_of_a_step_is_read_when_it_is_opened(open_steps):
    app = open_steps(step=6)
    assert not app.code
    app.session_state["source-steps-weights"] = True
    app.run()
    assert any("def softmax(" in code.value for code in app.code)


def test_the_page_says_whether_the_weights_are_trained(open_steps):
    for source, badge in (("real", "trained"), ("toy", "untrained"), ("vectors", "plain")):
        app = open_steps(source=source)
        assert any(load("common", "zh")(f"badge.{badge}") in expander.label for expander in app.expander)


def test_what_was_typed_is_shown_and_never_read_as_markdown(open_steps):
    app = open_steps(text=HOSTILE, word=1, step=3)
    assert "\\<" in said(app)
    assert "<img" not in said(app)


def test_presenting_keeps_the_steps_and_hides_the_controls(open_steps):
    app = open_steps(step=6, present="on", numbers="off")
    assert {"ArrowRight", "Escape", " "} <= set(component(app, "keys")["names"])
    assert not [expander for expander in app.expander if "expander" in expander.label]


@pytest.mark.parametrize("source", SOURCES)
def test_every_matrix_of_positions_starts_at_the_chosen_word(open_steps, source):
    given = matrices(open_steps(step=0, word=3, source=source))
    row = 3 if source == "real" else 2  # <s> is row 0
    starts = {
        key: data["cell"][0] for key, data in given.items() if data["cell"] and data["result"]["rowRole"] == "query"
    }
    assert {"x", "project-q", "scores", "scaled", "masked", "weights", "z"} <= starts.keys()
    assert starts.pop("words", 2) == 2  # a row for each word
    assert set(starts.values()) == {row}
    assert given["chain"]["result"]["rowRole"] == "key"
    assert given["chain"]["cell"] == [given["weights"]["cell"][1], 4]
    assert all(data["cell"] is not None for data in given.values())


def test_the_sentence_names_the_cell_that_is_kept(open_steps):
    """In head 1 of layer 1 了 looks at a special token most; the kept cell is that of the word it looks at most."""
    for step, key in ((3, "scores"), (6, "weights")):
        for word in range(1, 9):
            app = open_steps(step=step, word=word, layer=1, head=1)
            column = matrices(app)[key]["cell"][1]
            name = matrices(app)[key]["result"]["columns"][column]
            assert f":blue[**{name}**]" in said(app).replace("\\", "")
            assert not name.startswith("<")


def test_a_mask_moves_the_kept_cell_only_where_it_holds(open_steps):
    app = open_steps(step=0, word=5, mask="causal")
    assert matrices(app)["scores"]["cell"] == [5, 7]
    assert matrices(app)["masked"]["cell"] == matrices(app)["weights"]["cell"] != [5, 7]

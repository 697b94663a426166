"""The page 一步一步 through its own controls: every step, source and language, switches, masks, links."""

from __future__ import annotations

import base64
import json
import zlib

import numpy as np
import pytest

from attention_app.text import LANGUAGES, load
from attention_app.ui import state
from attention_app.ui.steps import edits, masks
from attention_core.sources import EMBEDDINGS, SOURCES

LONG = "的" * 64
HOSTILE = "<img src=x>我*爱*你$x$ :red[a]"
STEPS = range(1, 8)


@pytest.fixture
def open_steps(open_app):
    """open_steps(step=3, …): a visitor of the page whose link holds these parameters."""

    def open_(**link):
        app = open_app(**link)
        app.switch_page("pages/steps.py").run()
        assert not app.exception
        assert not app.error, app.error[0].value
        return app

    return open_


def unpacked(sent):
    planes = np.frombuffer(zlib.decompress(base64.b64decode(sent["data"])), np.uint8)
    numbers = np.ascontiguousarray(planes.reshape(sent["bytes"], -1).T)
    return numbers.view("<f8" if sent["bytes"] == 8 else "<f4").reshape(sent["shape"])


def matrices(app):
    """What the linked matrices of the page were given, by key."""
    found = [json.loads(element.proto.json or "null") or {} for element in app.get("bidi_component")]
    return {data["key"].removeprefix("steps-"): data for data in found if str(data.get("key", "")).startswith("steps-")}


def result(app, key):
    return unpacked(matrices(app)[key]["result"]["values"])


def said(app):
    return "\n".join(markdown.value for markdown in app.markdown)


def link(app):
    return dict(app.query_params)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("source", SOURCES)
@pytest.mark.parametrize("way", ["all", "one"])
def test_every_source_and_language_shows_all_steps(open_steps, language, source, way):
    app = open_steps(lang=language, source=source, step=0, way=way)
    assert app.title[0].value == load("steps", language)("steps.title")
    assert len(app.subheader) == 7 + (source == "real")
    assert {"scores", "scaled", "masked", "weights", "chain", "z", "parts", "project-q"} <= matrices(app).keys()
    assert len(app.latex) == len(app.subheader) + 2  # one each for Q, K and V


@pytest.mark.parametrize("text", ["好", "你好吗", LONG, HOSTILE, "hello 123 的 的 的"])
@pytest.mark.parametrize("source", SOURCES)
def test_every_sentence_that_fits(open_steps, source, text):
    for options in ({}, {"mask": "causal", "way": "one"}, {"mask": "padding", "scaled": "off", "temperature": "0.01"}):
        open_steps(source=source, text=text, step=0, **options)


def test_the_row_of_a_word_is_no_bare_space(open_steps):
    app = open_steps(text="你好", step=6)
    assert matrices(app)["weights"]["result"]["rows"] == ["<s>", "▁", "你好", "</s>"]
    assert load("steps", "zh")("steps.chain", query="你好") in said(app)


@pytest.mark.parametrize("step", STEPS)
def test_a_link_opens_one_step(open_steps, step):
    app = open_steps(step=step)
    assert len(app.subheader) == 1 + (step == 6)
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


def test_the_explore_pages_number_is_reached(open_steps):
    app = open_steps(step=6)
    assert "0\\.73，和“看一句话”里的 0\\.73 是同一个数" in said(app)
    assert result(app, "words")[5, 6] == pytest.approx(0.73, abs=0.005)  # <s> is row 0


def test_pieces_are_gathered_into_the_words_of_the_explore_page(open_steps):
    from attention_app.ui import cache
    from attention_core.sources import Settings
    from attention_core.words import segment

    text = "他吃了tiramisu和哈根达斯。"
    explored = cache.word_attention(segment(text), "real", Settings())
    for way in ("all", "one"):
        app = open_steps(text=text, step=6, word=4, way=way)
        assert len(matrices(app)["sum-keys"]["sources"][0]["rows"]) > 1
        expected = np.hstack([explored.weights[6, 2], explored.special[6, 2]])
        found = result(app, "mean-queries")
        np.testing.assert_allclose(found, expected if way == "all" else expected[3:4], atol=1e-6)
        assert "是同一个数" in said(app)


def test_each_step_starts_from_the_result_of_the_one_before(open_steps):
    for source in SOURCES:
        app = open_steps(source=source, step=0, temperature="2", mask="causal")
        given = matrices(app)
        for before, after in (("scores", "scaled"), ("scaled", "masked"), ("masked", "weights")):
            np.testing.assert_array_equal(result(app, before), unpacked(given[after]["sources"][0]["values"]))
        np.testing.assert_array_equal(result(app, "weights"), unpacked(given["z"]["sources"][0]["values"]))
        np.testing.assert_allclose(result(app, "weights").sum(axis=1), 1, rtol=1e-6)


def test_the_parts_add_up_to_the_words_row_of_z(open_steps):
    app = open_steps(step=7, word=5)
    *parts, total = result(app, "parts")
    np.testing.assert_allclose(np.sum(parts, axis=0), total, rtol=1e-9)
    np.testing.assert_allclose(total, result(app, "z")[5], rtol=1e-9)  # <s> is row 0
    (chart,) = app.get("plotly_chart")
    bars = [trace for trace in json.loads(chart.proto.spec)["data"] if trace["type"] == "bar"]
    assert [bar["name"] for bar in bars] == ["苹果", "超市", "昨天", "其余 7 个"]
    np.testing.assert_allclose(np.sum([bar["y"] for bar in bars], axis=0), total, rtol=1e-9)


def test_the_real_models_x_is_what_its_layer_read(open_steps):
    from attention_app.ui import cache
    from attention_core.words import segment

    run = cache.encoder_run(segment("我昨天去超市买了苹果。"))
    for layer in (1, 2, 12):
        np.testing.assert_allclose(result(open_steps(layer=layer), "x"), run.hidden[layer - 1], atol=1e-5)


@pytest.mark.parametrize("embedding", EMBEDDINGS)
@pytest.mark.parametrize("source", ["toy", "paper"])
def test_x_follows_the_settings(open_steps, source, embedding):
    app = open_steps(source=source, embedding=embedding, positions="on")
    assert {"x", "x-sum"} <= matrices(app).keys()
    sources = matrices(open_steps(source=source, embedding=embedding))
    assert sources.keys() == {"x"} | ({"x-edit"} if source == "toy" else set())


def test_one_word_is_the_same_row(open_steps):
    every, one = (
        open_steps(step=0, text="他吃了巧克力冰淇淋。"),
        open_steps(step=0, text="他吃了巧克力冰淇淋。", way="one"),
    )
    rows = matrices(one)["weights"]["result"]["rows"]
    names = matrices(every)["weights"]["result"]["rows"]
    start = names.index(rows[0])
    for key in ("x", "project-q", "scores", "scaled", "masked", "weights", "z"):
        np.testing.assert_array_equal(result(one, key), result(every, key)[start : start + len(rows)])
    assert result(one, "chain").shape == (len(names), 5)


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
        assert load("steps", "zh")("lesson.guess") in said(app)
        assert "0\\." not in said(app)


def test_decimals_are_the_learners(open_steps):
    app = open_steps(step=6, decimals=5)
    assert all(data["decimals"] == 5 for data in matrices(app).values())


def test_without_the_division_the_scores_go_on(open_steps):
    app = open_steps(step=0, scaled="off", source="paper")
    np.testing.assert_array_equal(result(app, "scaled"), result(app, "scores"))
    divided = open_steps(step=0, source="paper")
    np.testing.assert_allclose(result(divided, "scaled") * 8, result(app, "scaled"))
    np.testing.assert_array_equal(result(app, "compare"), result(divided, "compare"))


def test_changes_are_said_and_undone(open_steps):
    app = open_steps(step=6)
    assert not [button for button in app.button if button.key == "steps-restore"]
    app = open_steps(step=6, temperature="0.05", scaled="off", mask="causal")
    assert load("steps", "zh")("steps.changed") in said(app)
    assert "那里是 0\\." in said(app)
    app.button(key="steps-restore").click().run()
    assert {"temperature", "scaled", "mask"}.isdisjoint(link(app))
    assert "是同一个数" in said(app)


@pytest.mark.parametrize("temperature", state.TEMPERATURES)
@pytest.mark.parametrize("scaled", ["on", "off"])
def test_every_temperature_is_stable(open_steps, temperature, scaled):
    app = open_steps(step=6, temperature=temperature, scaled=scaled)
    weights = result(app, "weights")
    assert np.isfinite(weights).all()
    np.testing.assert_allclose(weights.sum(axis=1), 1)


def test_causal_and_padding_masks(open_steps):
    causal = result(open_steps(step=6, mask="causal"), "weights")
    np.testing.assert_array_equal(np.triu(causal, 1), 0)
    app = open_steps(step=5, mask="padding", pad=2)
    masked = np.isneginf(result(app, "masked"))
    assert masked[:, 7:9].all()  # 苹果 and 。 before </s>
    assert masked.sum() == 2 * 10
    reasons = matrices(app)["masked"]["result"]["reasons"]
    assert {why for *_, why in reasons} == {load("steps", "zh")("steps.why.padding")}


def test_padding_leaves_one_word(open_steps):
    app = open_steps(step=5, mask="padding", pad=63, source="toy", text="你好吗")
    assert int(app.session_state["pad"]) == 1
    app = open_steps(step=5, mask="padding", source="toy", text="好")
    assert [info.value for info in app.info] == [load("steps", "zh")("steps.pad_nothing")]


def test_cells_are_masked_by_hand_and_stand_in_the_link(open_steps):
    app = open_steps(step=5, mask="hand", source="toy", hidden="1-2.5-7")
    assert np.argwhere(np.isneginf(result(app, "masked"))).tolist() == [[0, 1], [4, 6]]
    again = open_steps(**link(app))
    np.testing.assert_array_equal(result(again, "masked"), result(app, "masked"))
    app.session_state["text"] = "他跑得很快。"
    app.run()
    assert "hidden" not in link(app)


def test_a_row_is_never_masked_out_entirely(open_app):
    app = open_app(step=5, mask="hand", source="toy", text="我爱你", hidden="2-1.2-2.2-3.3-1")
    app.switch_page("pages/steps.py").run()
    assert not app.exception
    assert [error.value for error in app.error] == [load("steps", "zh")("steps.refused", word="爱")]
    assert np.argwhere(np.isneginf(result(app, "masked"))).tolist() == [[2, 0]]


def test_clicks_mask_and_open_cells_but_never_a_whole_row(monkeypatch):
    values = {"hidden": "1-1", "_steps_refused": None}
    monkeypatch.setattr(masks.state, "get", values.__getitem__)
    monkeypatch.setattr(masks.state, "put", values.__setitem__)
    monkeypatch.setattr(masks.state, "remember", lambda name, value: values.update({f"_{name}": value}))
    masks.toggle(2, 1, 3)
    assert values["hidden"] == "1-1.3-2"
    masks.toggle(2, 1, 3)
    masks.toggle(0, 2, 3)
    assert values == {"hidden": "1-1.1-3", "_steps_refused": None}
    masks.toggle(0, 1, 3)
    assert values == {"hidden": "1-1.1-3", "_steps_refused": 0}


def test_as_many_cells_as_the_link_holds():
    hidden = state.SCHEMA["hidden"]
    cells = [f"{at // 130 + 1}-{at % 130 + 1}" for at in range(masks.MOST + 1)]
    assert hidden.read(".".join(cells[:-1]))
    with pytest.raises(ValueError, match="hidden"):
        hidden.read(".".join(cells))


@pytest.mark.parametrize(
    ("name", "value"),
    [("step", "8"), ("way", "x"), ("mask", "all"), ("temperature", "0"), ("cell", "1"), ("hidden", "a"), ("pad", "0")],
)
def test_a_bad_value_in_a_link_gives_the_default_and_a_note(open_app, name, value):
    app = open_app(**{name: value})
    assert load("common", "zh")(f"param.{name}") in app.warning[0].value
    assert name not in link(app)


EDITS = {("X", (4, 1)): 2.5, ("W_Q", (1, 0, 1)): -1.0, ("W_V", (1, 3, 0)): 0.125}


def test_edits_are_packed_and_unpacked():
    assert edits.unpack(edits.pack(EDITS)) == EDITS
    assert edits.pack({}) == ""
    for wrong in ("x", "AAAA", "____", edits.pack({("W_O", (0, 0)): 1.0}), edits.pack({("X", (0,)): 1.0})):
        with pytest.raises(ValueError, match="no edits"):
            edits.unpack(wrong)
    bomb = base64.urlsafe_b64encode(zlib.compress(b";" * 10_000_000)).decode().rstrip("=")
    with pytest.raises(ValueError, match="no edits"):
        edits.unpack(bomb)


def test_edits_in_a_link_change_everything_after_them(open_steps):
    plain, app = (open_steps(source="toy", head=2, step=0, edits=given) for given in ("", edits.pack(EDITS)))
    assert result(app, "x-edit")[4, 1] == 2.5
    np.testing.assert_array_equal(result(app, "x"), result(plain, "x"))  # the table is as it was
    for key in ("project-q", "scores", "scaled", "weights", "z"):
        assert not np.array_equal(result(app, key), result(plain, key))
    assert load("steps", "zh")("steps.changed") in said(app)
    app.button(key="steps-restore").click().run()
    assert "edits" not in link(app)
    np.testing.assert_array_equal(result(app, "z"), result(plain, "z"))


def test_the_toys_x_and_weights_can_be_changed_and_no_other_source(open_steps):
    for source in SOURCES:
        given = matrices(open_steps(source=source, step=2))["project-q"]
        assert [part["editable"] for part in given["sources"]] == [source == "toy"] * 2
        assert not given["result"]["editable"]


def test_edits_belong_to_their_sentence_source_and_settings(open_steps):
    for name, value in (("text", "他跑得很快。"), ("source", "paper"), ("seed", 3)):
        app = open_steps(source="toy", edits=edits.pack(EDITS))
        assert "edits" in link(app)
        app.session_state[name] = value
        app.run()
        assert "edits" not in link(app)


def test_edits_of_a_link_that_fit_nothing_leave_a_note(open_app):
    for wrong in ("AAAA", edits.pack({("X", (40, 0)): 1.0})):
        app = open_app(source="toy", edits=wrong)
        app.switch_page("pages/steps.py").run()
        assert not app.exception
        assert load("common", "zh")("param.edits") in app.warning[0].value
        assert "edits" not in link(app)


def test_an_edit_that_the_link_cannot_hold_is_refused(monkeypatch):
    values = {"edits": edits.pack(EDITS), "_steps_full": None}
    monkeypatch.setattr(edits.state, "get", values.__getitem__)
    monkeypatch.setattr(edits.state, "put", values.__setitem__)
    monkeypatch.setattr(edits.state, "remember", lambda name, value: values.update({f"_{name}": value}))
    keep = edits.options("toy", 1, 3)["on_edit"]
    keep("X", 0, 2, 0.25)
    keep("W_K", 0, 1, -7)
    assert edits.unpack(values["edits"]) == {**EDITS, ("X", (3, 2)): 0.25, ("W_K", (1, 0, 1)): -7}
    rng = np.random.default_rng(0)
    for row in range(64):
        for column in range(8):
            keep("X", row, column, float(rng.normal()))
    assert values["_steps_full"]
    assert len(values["edits"]) <= edits.MOST_BYTES
    assert state.SCHEMA["edits"].read(values["edits"])


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
    assert {"ArrowRight", "Escape", " "} <= set(_component(app, "keys")["names"])
    assert not [expander for expander in app.expander if "expander" in expander.label]


def _component(app, name):
    return next(
        json.loads(element.proto.json)
        for element in app.get("bidi_component")
        if element.proto.component_name == f"attention.{name}"
    )

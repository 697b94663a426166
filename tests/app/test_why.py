"""The page 为什么需要注意力 through its own controls: the network's numbers, the way between two words, costs, race."""

from __future__ import annotations

import json

import numpy as np
import pytest
from streamlit.components.v2.bidi_component.main import _make_trigger_id

from attention_app.figures.gains import gain_chart
from attention_app.figures.palette import Palette
from attention_app.figures.race import race_chart
from attention_app.figures.received import ReceivedTexts, received_chart
from attention_app.text import LANGUAGES, load
from attention_app.ui.why import racing
from attention_app.ui.why.prices import written
from attention_app.ui.why.reading import D_HIDDEN
from attention_core import attend
from attention_core.costs import layer_costs
from attention_core.focus import kind, mean_of, received
from attention_core.influence import rnn_changes, survival
from attention_core.race import Lap
from attention_core.rnn import rnn, seeded_weights
from attention_core.sources import SOURCES
from attention_core.sources.word_vectors import N_DIMENSIONS, unit_vectors
from attention_core.words import segment

PAGE = "why"
DEFAULT = "我昨天去超市买了苹果。"
TWO = "我爱"
LONG = "的" * 64
HOSTILE = "<img src=x>我*爱*你$x$ :red[a]"
PALETTE = Palette("#111111", "#666666", "#dddddd", "#ffffff", "#c2571a", "#2357a5", "#684ca0", "#b07010")


def proto(app, name):
    (found,) = [e.proto for e in app.get("bidi_component") if e.proto.component_name == f"attention.{name}"]
    return found


def view(app, name):
    return json.loads(proto(app, name).json)


def send(app, name, **event):
    """The run after the browser's setTriggerValue in a view."""
    states = app._tree.get_widget_states()
    sent = states.widgets.add()
    sent.id = _make_trigger_id(proto(app, name).id, "events")
    sent.json_trigger_value = json.dumps([{"event": key, "value": value} for key, value in event.items()])
    app._run(states)
    assert not app.error, app.error[0].value
    return app


def link(app):
    return dict(app.query_params)


def said(app):
    return "\n".join(element.value for element in app.markdown)


def charts(app):
    return [json.loads(chart.proto.spec) for chart in app.get("plotly_chart")]


def way(app, direction, network):
    return view(app, "path")["ways"][direction][1][network]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("text", [DEFAULT, TWO, "苹果", LONG, HOSTILE, "，。！"])
def test_every_sentence_in_both_languages(open_page, language, text):
    app = open_page(lang=language, text=text)
    assert app.title[0].value == load("why", language)("why.title")
    assert len(view(app, "walk")["states"]) == len(segment(text))


@pytest.mark.parametrize("source", SOURCES)
def test_every_source_gives_its_lines(open_page, source):
    app = open_page(source=source)
    shown = np.array(view(app, "walk")["weights"]) / 100
    layer, head = (int(link(app)[name]) - 1 for name in ("layer", "head"))
    np.testing.assert_allclose(shown, attend(segment(DEFAULT), source).weights[layer, head], atol=0.0051)


def test_the_states_and_what_is_left_are_those_of_the_core(open_page):
    data = view(open_page(gain="0.7"), "walk")
    texts = [word.text for word in segment(DEFAULT)]
    x, other = unit_vectors(texts, 0), np.repeat(unit_vectors(["老师"], 0), len(texts), axis=0)
    weights = seeded_weights(N_DIMENSIONS, D_HIDDEN, gain=0.7, seed=0)
    np.testing.assert_allclose(data["states"], rnn(x, weights).h, atol=1e-6)
    left = survival(rnn_changes(x, other, weights))[:, 0]
    np.testing.assert_allclose([bar for bar, _ in data["left"]], np.minimum(1, left))
    assert data["left"][0] == [1, "100%"]
    assert data["left"][-1][1] == f"{left[-1]:.1%}"


def test_a_small_gain_fades_and_a_large_one_grows(open_page):
    app = open_page(gain="0.5")
    left, number = view(app, "walk")["left"][-1]
    assert left < 0.01
    assert f"还剩 {number}" in said(app).replace("\\", "")
    app = open_page(gain="2")
    assert "越滚越大" in said(app)
    assert view(app, "walk")["left"][-1][0] == 1


def test_the_step_where_a_reader_stops_is_in_the_link(open_page):
    app = open_page()
    assert view(app, "walk")["moment"] == 8
    assert link(send(app, "walk", moment=3))["moment"] == "3"
    assert view(app, "walk")["moment"] == 3
    assert "moment" not in link(send(app, "walk", moment=8))
    assert view(open_page(text=TWO, moment=5), "walk")["moment"] == 2


@pytest.mark.parametrize("sent", [None, "1", -1, 9, True, 0.5], ids=lambda sent: json.dumps(sent))
def test_only_steps_that_exist_are_taken_from_the_browser(open_page, sent):
    assert "moment" not in link(send(open_page(), "walk", moment=sent))


def test_five_steps_from_yesterday_to_apple_and_never_back(open_page):
    app = open_page()
    assert view(app, "path")["pair"] == [1, 6]  # the first and the last content word
    assert "RNN 要走 5 步（这句话里最远的两个词：7 步）" in said(app).replace("\\", "")
    there, back = way(app, 0, 0), way(app, 1, 0)
    assert there["words"] == ["昨天", "去", "超市", "买", "了", "苹果"]
    assert (there["steps"], there["open"]) == ("5 步", True)
    assert there["bar"] > 0
    assert (back["steps"], back["open"], back["bar"]) == ("到不了", False, 0)
    for direction in (0, 1):
        assert way(app, direction, 1)["steps"] == "1 步"
        assert way(app, direction, 1)["bar"] > 0


def test_two_words_are_chosen_and_belong_to_their_sentence(open_page):
    app = send(open_page(), "path", pair=[6, 2])
    assert link(app)["pair"] == "7-3"
    assert view(app, "path")["pair"] == [6, 2]
    assert "永远影响不到" in said(app)
    app.switch_page("pages/explore.py").run()
    app.text_input(key="text").set_value("她给朋友写了一封信").run()
    app.switch_page("pages/why.py").run()
    assert "pair" not in link(app)
    assert not app.warning


@pytest.mark.parametrize("sent", [None, [1], [1, 1], [0, 8], [-1, 2], [0.5, 1], [True, 2], "12"], ids=json.dumps)
def test_only_two_different_words_are_taken_from_the_browser(open_page, sent):
    assert "pair" not in link(send(open_page(), "path", pair=sent))


def test_a_pair_that_the_sentence_does_not_have_is_replaced_and_said(open_page):
    app = open_page(pair="1-9")
    assert "pair" not in link(app)
    assert view(app, "path")["pair"] == [1, 6]


def test_the_cost_table_is_that_of_the_core(open_page):
    app = open_page(cost_n=100, cost_d=70, cost_k=4, cost_r=20)
    rows = view(app, "costs")["rows"]
    for (_, cells), cost in zip(rows, layer_costs(100, 70, 4, 20), strict=True):
        assert [cell["number"] for cell in cells] == [f"{n:,}" for n in (cost.operations, cost.sequential, cost.path)]
    assert [cells[0]["least"] for _, cells in rows] == [False, False, False, True]
    assert "n 大于 d" in said(app)
    app.button(key="why-use").click().run()
    assert (link(app)["cost_n"], link(app)["cost_d"]) == ("8", "384")
    assert "n 小于 d" in said(app)


def test_numbers_of_the_table_stay_short():
    assert [written(value) for value in (999_999_999, 10**9, 1_234_567_890_123)] == [
        "999,999,999",
        "1.00\xa0×\xa010⁹",
        "1.23\xa0×\xa010¹²",
    ]


def test_the_race_reports_and_one_runs_at_a_time(open_page, monkeypatch):
    laps = [Lap(8, 2e-5, 1e-5), Lap(256, 6e-4, 3e-4), Lap(512, 12e-4, 12e-4), Lap(1024, 24e-4, 48e-4)]
    monkeypatch.setattr(racing, "race", lambda: iter(laps))
    app = open_page()
    before = len(charts(app))
    with racing._TRACK:
        app.button(key="why-race").click().run()
        assert "别人正在" in app.info[0].value
        assert len(charts(app)) == before
    app.button(key="why-race").click().run()
    assert len(charts(app)) == before + 1
    assert "1024 个词的时候是 2.0 倍" in said(app).replace("\\", "")
    assert "变成大约 4.0 倍（斜率 2.00" in said(app).replace("\\", "")
    assert not racing._TRACK.locked()


def test_a_race_that_fails_gives_the_track_free(open_page, monkeypatch):
    def stumble():
        yield Lap(8, 1e-5, 1e-5)
        raise RuntimeError("stumbled")

    monkeypatch.setattr(racing, "race", stumble)
    app = open_page(may_fail=True)
    app.button(key="why-race").click().run()
    assert [error.value for error in app.error] == [load("common", "zh")("app.oops")]
    assert not racing._TRACK.locked()


def test_what_words_receive_is_that_of_the_core(open_page):
    app = open_page()
    words = segment(DEFAULT)
    each, kinds = received(attend(words).weights), [kind(word) for word in words]
    lines = {trace["name"]: trace for trace in charts(app)[-1]["data"] if trace["mode"] == "lines"}
    assert set(lines) == {"实词", "虚词"}
    np.testing.assert_allclose(lines["实词"]["y"], mean_of(each, kinds, "content"), rtol=1e-6)
    np.testing.assert_allclose(lines["虚词"]["y"], mean_of(each, kinds, "function"), rtol=1e-6)
    (bars,) = [
        data
        for e in app.get("bidi_component")
        if (data := json.loads(e.proto.json or "null")) and data.get("face") == "bars"
    ]
    means = dict(zip((word.text for word in words), each.mean(axis=0), strict=True))
    assert [bar["label"] for bar in bars["bars"]] == sorted(means, key=means.get, reverse=True)
    assert {bar["label"] for bar in bars["bars"] if bar["strong"]} == {"去", "买"}
    assert "去、买 是实词" in said(app)


def test_a_sentence_of_one_kind_is_not_compared(open_page):
    assert "没法比" in said(open_page(text="苹果"))


def test_hidden_numbers_are_nowhere(open_page):
    app = open_page(numbers="off")
    data = view(app, "walk")
    assert data["hidden"]
    assert {tuple(one) for one in data["left"]} == {(0, "?")}
    assert {cell["number"] for _, cells in view(app, "costs")["rows"] for cell in cells} == {"?"}
    assert not any(cell["least"] for _, cells in view(app, "costs")["rows"] for cell in cells)
    for direction in (0, 1):
        for one in view(app, "path")["ways"][direction][1]:
            assert (one["steps"], one["moved"], one["bar"], one["open"]) == ("?", "?", 0, None)
    assert charts(app) == []


@pytest.mark.parametrize("text", [DEFAULT, LONG])
def test_hidden_lines_are_all_alike(open_page, text):
    weights = np.array(view(open_page(numbers="off", text=text), "walk")["weights"])
    assert weights.shape == (len(segment(text)),) * 2
    assert len(np.unique(weights)) == 1


def test_words_without_a_vector_are_named(open_page):
    assert any("词表里没有“zzzq”" in caption.value.replace("\\", "") for caption in open_page(text="我爱zzzq").caption)


@pytest.mark.parametrize("source", SOURCES)
def test_what_is_sent_stays_small(open_page, source):
    app = open_page(source=source, text=LONG)
    assert sum(len(e.proto.json.encode()) for e in app.get("bidi_component")) < 100_000
    assert len(json.dumps(link(app))) < 2048


def test_the_race_chart_holds_milliseconds_on_log_axes():
    figure = race_chart(
        [Lap(8, 0.002, 0.001), Lap(16, 0.004, 0.003)],
        names=("a", "b"),
        titles=("x", "y"),
        font="f",
        zoom=1,
        palette=PALETTE,
    )
    assert [list(trace.y) for trace in figure.data] == [[2, 4], [1, 3]]
    assert figure.layout.xaxis.type == figure.layout.yaxis.type == "log"
    assert list(figure.layout.xaxis.tickvals) == [8, 16]


def test_the_gain_chart_draws_no_rounding_error():
    figure = gain_chart([0.2, 1, 2], [1e-17, 0.5, 3], 1, titles=("x", "y"), font="f", zoom=1, palette=PALETTE)
    assert list(figure.data[0].y) == [None, 0.5, 3]
    assert list(figure.data[1].y) == [0.5]


def test_the_received_chart_writes_words_as_text():
    texts = ReceivedTexts("c", "f", "layer", "weight", "{word} {layer} {value}", "font")
    figure = received_chart(
        np.array([[0.1, 0.2], [0.3, 0.4]]),
        ["<b>", "的"],
        ["content", "function"],
        decimals=3,
        zoom=1,
        texts=texts,
        palette=PALETTE,
    )
    assert list(figure.data[0].text) == ["&lt;b&gt;", "&lt;b&gt;"]
    assert list(figure.data[0].y) == [0.1, 0.3]
    assert figure.data[0].hovertemplate == "%{text} %{customdata} %{y:.3f}<extra></extra>"

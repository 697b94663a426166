"""The page 看它学会 through its own controls: settings, the recording as it is sent, sentences, a weight."""

from __future__ import annotations

import base64
import json
import re
import zlib
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from attention_app.components.learning import PLACES
from attention_app.text import LANGUAGES, load
from attention_app.ui import cache
from attention_app.ui.learn import unseen
from attention_app.ui.learn.sentence import parts, put_together
from attention_app.ui.learn.weight import significant
from attention_core.learn.embeddings import noun_points
from attention_core.learn.held_out import HeldOut
from attention_core.learn.settings import HEADS, LearnSettings
from attention_core.learn.tasks import answers_of, read_sentence
from attention_core.learn.training import N_STEPS, STEPS, train
from attention_core.learn.vocabulary import load_vocabulary
from tests.app.looking import link, trigger, views

PAGE = "learn"
V = load_vocabulary()
EXAMPLE = "我昨天买了一[?]红色的鞋"
MOST_BYTES = 150_000
HOSTILE = "<img src=x>*我*[?]$x$鱼"


def player(app):
    """What the player was given in the last run."""
    (data,) = views(app, "learning")
    return data


def spoken(app):
    return " ".join(element.value for element in app.markdown)


def said(data, moment):
    """The sentences of a moment with their fields filled in, as the view does it."""
    sentences = []
    for key, values in data["said"][moment]:
        pieces = re.split(r"\{(\w+)\}", data["says"][key])
        sentences += [values[piece] if i % 2 else piece for i, piece in enumerate(pieces)]
    return "".join(sentences)


def numbers(data, name, *shape):
    return np.array(data["sentence"][name]).reshape(len(STEPS), *shape) / 1e6


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_recording_is_the_trainings_own(open_page, language):
    app = open_page(lang=language)
    data = player(app)
    run = cache.training(LearnSettings())
    replay = cache.training_replay(LearnSettings(), read_sentence(EXAMPLE, "measure"))
    sent, sentence = data["recording"], data["sentence"]
    assert sent["steps"] == list(STEPS)
    np.testing.assert_allclose(sent["losses"], run.losses, atol=5e-4)
    np.testing.assert_allclose(sent["accuracies"], run.accuracies, atol=5e-4)
    np.testing.assert_allclose(sent["held_out"], run.held_out, atol=5e-4)
    assert (sent["guessing"], sent["chance"]) == (pytest.approx(np.log(10), abs=1e-3), 0.1)
    assert sentence["words"] == ["我", "昨天", "买", "了", "一", "[?]", "红色", "的", "鞋"]
    assert sentence["answers"] == list(V.measures)
    assert sentence["answers"][sentence["right"]] == "双"
    np.testing.assert_allclose(numbers(data, "rows", 2, 9), replay.attn_weights[:, :, 5], atol=5.1e-7)
    np.testing.assert_allclose(numbers(data, "probs", 10), replay.probs, atol=5.1e-7)
    maps = np.frombuffer(zlib.decompress(base64.b64decode(sentence["maps"])), "<u2").reshape(len(STEPS), 2, 9, 9)
    np.testing.assert_allclose(maps / 65535, replay.attn_weights, atol=1e-5)
    points = np.array(sent["points"]).reshape(len(STEPS), 50, 2)
    assert points.min() == 0
    assert points.max() == PLACES
    real = noun_points(run)
    for moment, one, other in ((0, 3, 41), (30, 30, 7), (-1, 0, 12)):  # one scale in both directions at all moments
        drawn, there = (np.linalg.norm(array[moment, one] - array[moment, other]) for array in (points, real))
        assert drawn / there == pytest.approx(PLACES / np.ptp(real, axis=(0, 1)).max(), rel=0.01)
    assert [name for name, _, new in sent["nouns"] if new] == list(V.held_out)


@pytest.mark.parametrize("n_heads", HEADS)
@pytest.mark.parametrize("task", ["measure", "copy", "shuffled"])
def test_every_task_and_number_of_heads_is_small_enough_to_send(open_page, task, n_heads):
    longest = "我今天买了一[?]可爱的奇怪的毛笔送给妈妈妈妈妈妈"
    app = open_page(task=task, learn_heads=n_heads, gap=longest, rate="0.3", learn_scaled="off", learn_positions="off")
    data = player(app)
    assert len(data["sentence"]["words"]) >= 14
    assert len(data["heads"]) == n_heads
    assert len(json.dumps(data, ensure_ascii=False).encode()) < MOST_BYTES
    assert data["recording"]["name"] == repr(LearnSettings(task, False, False, n_heads, 0.3))
    assert (data["recording"]["held_out"] is None) == (task == "copy")
    np.testing.assert_allclose(numbers(data, "probs", len(data["sentence"]["answers"])).sum(axis=1), 1, atol=1e-4)
    np.testing.assert_allclose(
        numbers(data, "rows", n_heads, len(data["sentence"]["words"])).sum(axis=-1), 1, atol=1e-4
    )


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_is_said_of_a_moment_is_computed(open_page, language):
    data = player(open_page(lang=language))
    looked = numbers(data, "rows", 2, 9)[:, :, 8].mean(axis=1)
    probs = numbers(data, "probs", 10)
    for moment in range(len(STEPS)):
        text = said(data, moment)
        assert f"{looked[moment]:.2f}" in text
        assert f"{probs[moment].max():.2f}" in text
        assert V.measures[probs[moment].argmax()] in text
        key = data["said"][moment][0][0]
        right = probs[moment].argmax() == 0
        assert key == ("start_measure" if moment == 0 else "right" if right else "wrong")
    assert data["said"][-1][-1][0] == "gather"
    changes = [key for moment in data["said"] for key, _ in moment if key in ("more", "less")]
    assert "more" in changes


def test_by_lot_nothing_is_called_wrong(open_page):
    data = player(open_page(task="shuffled"))
    assert {moment[0][0] for moment in data["said"][1:]} == {"lot"}
    assert data["sentence"]["right"] == -1


def test_coming_to_rest_goes_into_the_link_and_into_the_chain(open_page):
    app = open_page()
    assert player(app)["at"] is None
    assert "learn_step" not in link(app)
    trigger(app, "learning", "moment", 25)
    assert link(app)["learn_step"] == str(STEPS[25])
    assert player(app)["at"] == 25
    assert load("learn", "zh")("weight.which", step=STEPS[25], head=1, row=1, column=1, value="").split("，")[
        0
    ] in spoken(app)
    for bad in (len(STEPS), -1, True, "3", None):
        trigger(app, "learning", "moment", bad)
        assert player(app)["at"] == 25


@pytest.mark.parametrize(("asked", "moment"), [(0, 0), (2, 1), (N_STEPS, len(STEPS) - 1), (239, len(STEPS) - 2)])
def test_a_link_to_a_step_that_was_not_recorded_gets_the_one_before(open_page, asked, moment):
    app = open_page(learn_step=asked)
    assert player(app)["at"] == moment


def test_another_training_plays_from_its_start(open_page):
    app = open_page(learn_step=50, weight="1-2-3")
    app.button_group(key="task").set_value("copy").run()
    assert player(app)["at"] is None
    assert "weight" not in link(app)
    app.button_group(key="lang").set_value("en").run()
    trigger(app, "learning", "moment", 9)
    app.button_group(key="lang").set_value("zh").run()
    assert player(app)["at"] == 9


def test_going_back_finds_the_moment_of_that_training(open_page):
    app = open_page(learn_step=STEPS[30])
    app.query_params["task"], app.query_params["learn_step"] = "copy", str(STEPS[12])
    app.run()
    assert player(app)["recording"]["name"] == repr(LearnSettings("copy"))
    assert player(app)["at"] == 12


def test_the_settings_stay_while_other_pages_are_visited(open_page):
    app = open_page(
        task="copy", learn_heads=4, rate="0.01", learn_seed=3, learn_positions="off", learn_scaled="off", gap="一[?]鱼"
    )
    before = link(app)
    app.switch_page("pages/steps.py").run()
    app.switch_page("pages/learn.py").run()
    assert link(app) == before
    assert player(app)["recording"]["name"] == repr(LearnSettings("copy", False, False, 4, 0.01, 3))


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    ("text", "key", "values"),
    [
        ("我吃了一[?]苹果", "unknown_words", {"words": "吃、苹果"}),
        (HOSTILE, "unknown_words", {"words": "img、src、x"}),
        ("我买了鞋", "one_gap", {"count": 0}),
        ("我买了一[?]", "no_noun", {}),
        ("", "empty", {}),
    ],
)
def test_a_sentence_that_cannot_be_used_is_explained_and_stays_in_its_box(open_page, language, text, key, values):
    app = open_page(lang=language, gap="他画了一[?]鱼")
    app.text_input(key="gap").set_value(text).run()
    (error,) = app.error
    assert load("common", language)(f"error.{key}", **values).split(":")[0] in error.value
    for word in str(values.get("words", "")).split("、"):
        assert word in error.value
    assert app.text_input(key="gap").value == text
    assert player(app)["sentence"]["words"] == ["他", "画", "了", "一", "[?]", "鱼"]
    app.text_input(key="gap").set_value("这里有一[?]书").run()
    assert not app.error
    assert player(app)["sentence"]["words"][-1] == "书"


def test_words_are_clicked_into_the_sentence(open_page):
    app = open_page()
    app.button_group(key="learn-noun").set_value("猫").run()
    assert app.text_input(key="gap").value == "我昨天买了一[?]红色的猫"
    app.button_group(key="learn-adjectives").set_value(["红色", "小"]).run()
    assert app.text_input(key="gap").value == "我昨天买了一[?]红色的小的猫"
    app.button_group(key="learn-adjectives").set_value(["红色", "小", "便宜"]).run()
    assert app.text_input(key="gap").value == "我昨天买了一[?]小的便宜的猫"
    app.button_group(key="learn-unseen").set_value("羊").run()
    assert app.text_input(key="gap").value == "我昨天买了一[?]小的便宜的羊"
    assert app.button_group(key="learn-noun").value in (None, [])
    app.button_group(key="learn-frame").set_value(V.frames[-1]).run()
    assert app.text_input(key="gap").value == "我画了一[?]小的便宜的羊给你看"
    data = player(app)["sentence"]
    assert V.measures[data["right"]] == "只"


def test_a_sentence_is_taken_apart_as_it_was_put_together():
    for frame in V.frames:
        for adjectives in ((), ("红色",), ("小", "便宜")):
            words = put_together(frame, adjectives, "大衣")
            assert parts(words) == (frame, adjectives, "大衣")
    assert parts(("猫", "一", "[?]", "鱼")) == (None, (), None)


def test_copying_answers_with_the_words_of_the_sentence(open_page):
    data = player(open_page(task="copy", gap="猫一[?]鱼"))["sentence"]
    assert data["answers"] == ["猫", "一", "[?]", "鱼", load("learn", "zh")("learning.others")]
    assert data["right"] == 1
    replay = cache.training_replay(LearnSettings("copy"), read_sentence("猫一[?]鱼", "copy"))
    names = answers_of("copy")
    np.testing.assert_allclose(
        np.array(data["probs"]).reshape(-1, 5)[:, 0] / 1e6, replay.probs[:, names.index("猫")], atol=1e-6
    )


def test_guessing_first_nothing_shows_the_answer(open_page):
    app = open_page(present="on", numbers="off", learn_step=N_STEPS)
    data = player(app)
    assert data["hidden"]
    assert load("common", "zh")("lesson.guess") == data["texts"]["guess_first"]
    shown = spoken(app)
    assert load("learn", "zh")("weight.one") not in shown
    assert not re.search(r"答对了 \d", shown)
    assert not app.text_input
    trigger(app, "keys", "pressed", "n")
    assert not player(app)["hidden"]
    trigger(app, "keys", "pressed", "Escape")
    assert app.text_input(key="gap").value == EXAMPLE


def test_the_chain_ends_at_the_finite_difference(open_page):
    app = open_page(learn_step=STEPS[20], weight="2-7-5")
    shown = spoken(app)
    t = load("learn", "zh")
    run = cache.training(LearnSettings())
    value = float(run.at(20).W_Q[1, 6, 4])
    assert t("weight.which", step=STEPS[20], head=2, row=7, column=5, value=significant(value)).split("：")[
        0
    ] in shown.replace("\\", "")
    latex = [element.value for element in app.latex]
    gradient, difference = (re.search(r"= (-?[\d.]+)(?: \\times 10\^\{(-?\d+)\})?\s*\$*$", text) for text in latex[-2:])
    one, other = (float(found[1]) * 10 ** int(found[2] or 0) for found in (gradient, difference))
    assert one == pytest.approx(other, rel=2e-3)


@pytest.mark.parametrize("weight", ["3-1-1", "1-33-1", "1-1-17", "9-99-99"])
def test_a_weight_that_is_not_there_gives_way_to_the_steepest(open_page, weight):
    app = open_page(weight=weight, learn_step=0)
    assert "weight" not in link(app)
    assert load("learn", "zh")("weight.one") in spoken(app)


@pytest.mark.parametrize(
    "bad",
    [{"task": "x"}, {"rate": "1"}, {"learn_heads": "3"}, {"learn_step": "241"}, {"weight": "a"}, {"learn_seed": "100"}],
)
def test_a_link_with_a_value_that_does_not_exist_says_so(open_app, bad):
    app = open_app(**bad)
    assert app.warning


def test_two_trainings_asked_for_at_once_do_not_disturb_each_other():
    """Several threads of one server, two settings, the cache empty: each gets its own run, made once."""
    wanted = [LearnSettings(seed=11), LearnSettings(seed=12, n_heads=1)] * 2
    alone = {settings: train(settings) for settings in wanted[:2]}
    cache._runs.clear()
    with ThreadPoolExecutor(len(wanted)) as pool:
        runs = list(pool.map(cache.training, wanted))
    for settings, run in zip(wanted, runs, strict=True):
        assert (run.losses == alone[settings].losses).all()
        assert (run.parameters.W_Q == alone[settings].parameters.W_Q).all()
    assert runs[0] is runs[2]
    assert runs[1] is runs[3]
    with pytest.raises(ValueError, match="read-only"):
        runs[0].parameters.E[0] = 0


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.0, "0"),
        (-0.00375236, "−0.003752"),
        (1.0522e-7, "1.052×10⁻⁷"),
        (0.9, "0.9000"),
        (-12345.6, "−1.235×10⁴"),
        (2, "2.000"),
    ],
)
def test_numbers_are_written_with_significant_digits(value, text):
    assert significant(value) == text


@pytest.mark.parametrize("task", ["measure", "copy", "shuffled"])
def test_nouns_never_taught_are_reported_where_there_is_something_to_miss(open_page, task):
    shown = spoken(open_page(task=task))
    assert (V.held_out[0] in shown) == (task == "measure")


def begins(key):
    return load("learn", "zh").entries[f"say.{key}"][:7]


def test_a_training_that_fails_claims_nothing(open_page):
    assert begins("new_failed") in spoken(open_page(rate="0.3"))


@pytest.mark.parametrize(("right", "verdict"), [(0, "new_no"), (3, "new_no"), (4, "new_more"), (10, "new_more")])
def test_whether_the_measure_words_were_learned_is_computed(open_page, monkeypatch, right, verdict):
    given = [HeldOut(noun, "双", "双" if at < right else "本", 0.9, 0.8) for at, noun in enumerate(V.held_out)]
    monkeypatch.setattr(unseen, "held_out_answers", lambda run, moment: given)
    shown = spoken(open_page())
    assert f"{len(V.held_out)} 个没教过的名词答对了 {right} 个" in shown
    assert [key for key in ("new_no", "new_more", "new_failed") if begins(key) in shown] == [verdict]


def test_a_weight_of_a_link_that_does_not_exist_leaves_a_note(open_page):
    app = open_page(weight="3-1-1")  # of two heads
    assert load("common", "zh")("param.weight") in app.warning[0].value
    assert "weight" not in link(app)

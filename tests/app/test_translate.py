"""The page 翻译与交叉注意力 through its own controls: steps, beam, picked pieces, mask, reference, refusals."""

from __future__ import annotations

import base64
import csv
import io
import json

import numpy as np
import pytest

from attention_app.components.grid import grid
from attention_app.text import LANGUAGES, load
from attention_app.ui.packed import pack, unpack
from attention_app.ui.state import STAGES
from attention_app.ui.translate import cache, taking
from attention_core.translator import MAX_STEPS, load_translator, search, target_words
from attention_core.translator.examples import load_translation_examples
from attention_core.words import segment
from tests.app.looking import DEFAULT, HOSTILE, component, link, trigger, unpacked, views

UNIT = 1e6
LONG = "那个昨天在公园里帮我找到钥匙的男孩是你同学，他买了一条鱼、两件衣服和三双鞋，如果明天不下雨就和妈妈去爬山。"


@pytest.fixture
def open_page(open_app):
    """open_page(made=3, …): a visitor of the page whose link holds these parameters."""

    def open_(**link):
        app = open_app(**link)
        app.switch_page("pages/translate.py").run()
        assert not app.exception
        return app

    return open_


def decoded(app):
    (data,) = views(app, "decode")
    return data


def grid_of(app, key):
    data = next(data for data in views(app, "grid") if data["key"] == f"translate-{key}")
    return np.array(data["weights"]).reshape(len(data["rows"]), len(data["columns"])) / UNIT, data


def matrices(app):
    return {data["key"].removeprefix("translate-"): data for data in views(app, "matrix")}


def said(app):
    return "\n".join(markdown.value for markdown in app.markdown).replace("\\", "")


def run_of(sentence=DEFAULT, width=1, prefix=()):
    model = load_translator()
    source = model.encode(segment(sentence))
    return model.read(source, search(model, source, width, prefix).pieces)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("sentence", [DEFAULT, "猫睡觉", LONG])
@pytest.mark.parametrize("made", [0, 1, MAX_STEPS])
def test_every_step_shows_the_numbers_of_the_core(open_page, language, sentence, made):
    app = open_page(lang=language, text=sentence, made=made)
    assert not app.error
    run, data = run_of(sentence), decoded(app)
    assert data["made"] == min(made, len(run.pieces))
    assert len(data["steps"]) == len(run.pieces)
    words = target_words(run)
    np.testing.assert_allclose(
        [target["row"] for target in data["targets"]][: len(words.words)],
        words.cross_attention[-1].mean(axis=0) * UNIT,
        atol=1,
    )
    for step, shown in enumerate(data["steps"]):
        assert sum(shown["row"]) == pytest.approx(UNIT, abs=len(shown["row"]))
        probabilities = [probability for _, probability, _, _ in shown["candidates"]]
        assert probabilities[:10] == sorted(probabilities[:10], reverse=True)
        assert probabilities[shown["chosen"]] == pytest.approx(run.chosen[step] * UNIT, abs=1)
    for key in ("cross", "mask"):
        np.testing.assert_allclose(grid_of(app, key)[0].sum(axis=1), 1, atol=1e-4)


@pytest.mark.parametrize("width", [1, 2, 5])
def test_a_beam_of_every_width(open_page, width):
    app = open_page(text=LONG, beam=width)
    assert [shown["text"] for shown in decoded(app)["steps"]][-1] == "（结束）"
    assert "".join(run_of(LONG, width).pieces[:-1]).replace("▁", "") == "".join(
        shown["text"].removeprefix("…") for shown in decoded(app)["steps"][:-1]
    )


@pytest.mark.parametrize("head", [0, 3])
@pytest.mark.parametrize("layer", [1, 2])
def test_layer_and_head_or_the_mean(open_page, layer, head):
    app = open_page(decoder_layer=layer, decoder_head=head)
    words = target_words(run_of())
    for key, of_run in (("cross", words.cross_attention), ("mask", words.self_attention)):
        expected = of_run[layer - 1].mean(axis=0) if head == 0 else of_run[layer - 1, head - 1]
        np.testing.assert_allclose(grid_of(app, key)[0][: len(expected)], expected, atol=1e-6)
    scores = unpacked(matrices(app)["enter"]["result"]["values"])
    run = run_of()
    trace = load_translator().decoder_trace(run, layer - 1).cross_attention.attention
    np.testing.assert_allclose(scores, trace.scores[max(0, head - 1)], rtol=1e-5)


def test_every_head_has_its_small_map(open_page):
    app = open_page()
    data = component(app, "tiles")
    maps = np.frombuffer(base64.b64decode(data["packed"]), np.uint8).reshape(data["shape"]) / 255
    cross = target_words(run_of()).cross_attention
    n = cross.shape[2]
    np.testing.assert_allclose(maps[:, 1:, :n], cross, atol=0.5 / 255 + 1e-6)
    np.testing.assert_allclose(maps[:, 0, :n], cross.mean(axis=1), atol=0.5 / 255 + 1e-6)
    app = trigger(app, "tiles", "tile", [0, 5])
    assert (link(app)["decoder_layer"], link(app)["decoder_head"]) == ("1", "5")
    np.testing.assert_allclose(grid_of(app, "cross")[0][:n], cross[0, 4], atol=1e-6)
    for bad in ([2, 0], [0, 9], [0], "x", [True, 1]):
        app = trigger(app, "tiles", "tile", bad)
        assert (link(app)["decoder_layer"], link(app)["decoder_head"]) == ("1", "5")


def test_the_mask_hides_the_future_and_without_it_the_future_leaks(open_page):
    app = open_page()
    weights, data = grid_of(app, "mask")
    assert data["future"] == "hidden"
    assert not np.triu(weights, 1).any()
    assert data["taken"] == [stop for _, stop in target_words(run_of()).input_spans]
    app.toggle(key="unmasked").set_value(True).run()
    weights, data = grid_of(app, "mask")
    assert data["future"] == "open"
    assert (np.triu(weights, 1) > 0).any()
    assert link(app)["unmasked"] == "on"
    assert "没有掩蔽" in said(app)


def test_another_piece_changes_what_follows_and_nothing_before(open_page):
    app = open_page()
    before, data = grid_of(app, "mask")[0], decoded(app)
    step = 1
    piece = data["steps"][step]["candidates"][1][0]
    app = trigger(app, "decode", "pick", [step, 1])
    after = decoded(app)
    assert after["made"] == step + 1
    assert after["forced"] == step + 1
    assert after["steps"][step]["text"] == piece
    assert after["steps"][:step] == data["steps"][:step]
    assert [shown["text"] for shown in after["steps"]] != [shown["text"] for shown in data["steps"]]
    # Row i reads the pieces before i: the picked one enters below row `step`.
    np.testing.assert_array_equal(grid_of(app, "mask")[0][: step + 1, : step + 1], before[: step + 1, : step + 1])
    run = run_of()
    assert unpack(link(app)["prefix"]).split("\n") == [*run.pieces[:step], run.candidates(step)[1].piece]
    assert run.text in said(app)  # what the model says by itself stands beside it

    app.button(key="pick-undo").click().run()
    assert "prefix" not in link(app)
    assert decoded(app)["steps"] == data["steps"]
    assert app.button(key="pick-undo").disabled
    assert app.button(key="pick-clear").disabled


def test_all_picks_are_taken_back_together(open_page):
    app = trigger(open_page(), "decode", "pick", [0, 2])
    app = trigger(app, "decode", "pick", [2, 1])
    assert decoded(app)["forced"] == 3
    app.button(key="pick-clear").click().run()
    assert "prefix" not in link(app)
    app.button(key="pick-undo").click().run()
    assert decoded(app)["forced"] == 3


def test_picks_belong_to_their_sentence(open_page):
    app = trigger(open_page(), "decode", "pick", [0, 3])
    app = trigger(app, "words", "cut", {"at": "1.2.3.4.6.7.8.10", "edit": 1})
    assert "prefix" not in link(app)
    assert decoded(app)["forced"] == 0


def test_an_end_picked_at_once_is_a_translation_without_a_word(open_page):
    app = open_page(prefix=pack("</s>"))
    assert [shown["text"] for shown in decoded(app)["steps"]] == ["（结束）"]
    assert "一个词也没有" in said(app)


@pytest.mark.parametrize("bad", ["xxx", pack("▁nosuchpiece-at-all"), pack("</s>\n▁I"), pack("<s>")])
def test_a_beginning_that_nobody_can_say_is_put_back_and_told(open_page, bad):
    app = open_page(prefix=bad)
    assert "prefix" not in link(app)
    assert [shown["text"] for shown in decoded(app)["steps"]] == [
        shown["text"] for shown in decoded(open_page())["steps"]
    ]


@pytest.mark.parametrize("value", [True, -1, 99, "1", None, [0]])
def test_a_browser_may_send_anything_as_a_step(open_page, value):
    app = trigger(open_page(made=2), "decode", "made", value)
    assert link(app)["made"] == "2"


@pytest.mark.parametrize("value", [[0], [0, 99], [-1, 0], [99, 0], ["0", 1], [True, 1], "x", None])
def test_a_browser_may_send_anything_as_a_pick(open_page, value):
    app = trigger(open_page(), "decode", "pick", value)
    assert "prefix" not in link(app)


def test_where_the_steps_stop_goes_into_the_link(open_page):
    app = trigger(open_page(), "decode", "made", 3)
    assert link(app)["made"] == "3"
    assert "第 3 步，第2层" in said(app)
    app = trigger(app, "decode", "made", len(run_of().pieces))
    assert "made" not in link(app)  # all of them, whatever comes next


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("stage", STAGES)
def test_the_path_through_the_block(open_page, language, stage):
    app = open_page(stage=stage, lang=language, made=3, decoder_layer=1)
    assert not app.error
    shown = matrices(app)
    trace = load_translator().decoder_trace(run_of(), 0)
    path = unpacked(shown["path"]["result"]["values"])
    np.testing.assert_array_equal(path[0], trace.self_attention.x_q[2])
    np.testing.assert_array_equal(path[-1], trace.norm_ffn[2])
    expected = {
        "norm_self": ("path-norm", trace.norm_attn[2]),
        "cross": ("path-attn", trace.cross_attention.attn_out[2]),
        "ffn": ("path-ffn", trace.ffn_out[2]),
        "out": ("path-out", -np.sort(-run_of().probabilities[2])),
    }
    if stage in expected:
        key, values = expected[stage]
        np.testing.assert_allclose(unpacked(shown[key]["result"]["values"])[0], values, rtol=1e-5)


def test_numbers_that_are_hidden_do_not_travel(open_page):
    app = open_page(numbers="off")
    data = decoded(app)
    assert data["hidden"]
    assert not any(sum(shown["row"]) for shown in [*data["steps"], *data["targets"]])
    assert not any(shown["candidates"] for shown in data["steps"])
    for key in ("cross", "mask"):
        assert not grid_of(app, key)[0].any()
    assert not np.frombuffer(base64.b64decode(component(app, "tiles")["packed"]), np.uint8).any()
    app = open_page(numbers="off", reference=pack("I like it."))
    assert all(bar["stop"] == 0 for bar in component(app, "blocks")["bars"])


def test_a_given_translation_word_by_word(open_page):
    text = "I bought aubergines at the supermarket yesterday."
    app = open_page(reference=pack(text))
    assert app.text_input(key="reference_text").value == text
    model = load_translator()
    run = model.read(model.encode(segment(DEFAULT)), model.reference_pieces(text))
    bars = component(app, "blocks")["bars"]
    words = target_words(run)
    assert max(stop - start for start, stop in words.spans) > 1  # a word of several pieces
    assert [bar["label"] for bar in bars] == [*words.words, "（结束）"]
    np.testing.assert_allclose([bar["stop"] for bar in bars], [*words.probabilities, run.chosen[-1]], rtol=1e-5)
    best = run.candidates(words.spans[1][0], 1)[0].piece
    assert bars[1]["numbers"][1] == ("" if best == "▁bought" else best.removeprefix("▁"))

    app.text_input(key="reference_text").set_value("An apple was bought.").run()
    assert unpack(link(app)["reference"]) == "An apple was bought."
    app.button(key="reference-own").click().run()
    assert app.text_input(key="reference_text").value == run_of().text
    assert "这就是它自己的译文" in said(app)


@pytest.mark.parametrize(
    ("text", "complains"),
    [("a " * 150, True), ("x" * 2000, True), ("@#$%" * 40, True), (HOSTILE, False), ("**I** $x$ `a`", False)],
)
def test_a_given_translation_may_be_anything(open_page, text, complains):
    app = open_page()
    app.text_input(key="reference_text").set_value(text).run()
    assert bool(app.error) == complains
    assert app.text_input(key="reference_text").value == text  # nothing is lost
    assert len(link(app).get("reference", "")) <= 2000


def test_a_sentence_may_be_anything(open_page):
    app = open_page(text=HOSTILE)
    assert not app.error
    assert decoded(app)["source"][0] == "<"


def test_a_sentence_that_the_translator_cannot_take_is_refused_aloud(open_page):
    app = open_page(text="z" * 188, source="toy")
    assert load("common", "zh")("error.too_many_pieces", limit=128, count=188) in app.error[0].value
    assert not views(app, "decode")
    assert app.button(key="translation-0")  # the way to a shorter one


def test_little_is_sent(open_page):
    for sentence, most in ((DEFAULT, 60_000), (LONG, 120_000)):
        app = open_page(text=sentence)
        sizes = [len(element.proto.json) for element in app.get("bidi_component")]
        assert len(json.dumps(decoded(app), ensure_ascii=False).encode()) < most / 3
        assert sum(sizes) < most * 3


def test_files(open_page):
    open_page()
    words = segment(DEFAULT)
    run = run_of()
    kept = taking.Kept(words, run.pieces, 1, 0, 1, None)
    rows = list(csv.reader(io.StringIO(taking.as_csv(kept).decode("utf-8-sig"))))
    assert rows[0] == ["", *(word.text for word in words)]
    weights = target_words(run).cross_attention[1].mean(axis=0)
    assert [row[0] for row in rows[1:]] == list(target_words(run).words)
    np.testing.assert_allclose([list(map(float, row[1:])) for row in rows[1:]], weights, atol=1e-6)
    content = json.loads(taking.as_json(kept))
    assert content["text"] == run.text
    assert content["head"] == "mean"
    np.testing.assert_allclose(content["cross"], weights, atol=1e-6)


def test_runs_are_kept_and_shared():
    words = segment(DEFAULT)
    pieces = cache.found(words, 1, ()).pieces
    assert cache.run(words, pieces) is cache.run(words, pieces)
    run = cache.run(words, pieces)
    assert cache.n_bytes(run) >= run.probabilities.nbytes + run.logits.nbytes + run.hidden.nbytes
    layer = cache.decoder_layer(words, pieces, 0)
    assert cache.n_bytes(layer) > layer.cross_attention.W_Q.nbytes + layer.ffn_act.nbytes
    with pytest.raises(ValueError, match="read-only"):
        layer.norm_ffn[0, 0] = 1


def test_a_grid_has_a_weight_for_every_cell():
    options = {"decimals": 2, "hidden": False, "texts": {}}
    with pytest.raises(ValueError, match="5 weights"):
        grid("g", ["a", "b"], ["x", "y", "z"], [0] * 5, taken=[1, 2], **options)
    with pytest.raises(ValueError, match="2 rows"):
        grid("g", ["a", "b"], ["x", "y", "z"], [0] * 6, taken=[1], **options)


@pytest.mark.parametrize("example", load_translation_examples(), ids=lambda example: example.sentence)
def test_an_example_says_what_the_model_says(example):
    assert run_of(example.sentence).text == example.translation
    assert example.kind in ("works", "fails")
    assert example.notice_zh.rstrip("”").endswith("。")
    assert example.notice_en.endswith(".")


def test_an_example_is_taken(open_page):
    app = open_page()
    app.button(key="translation-1").click().run()
    assert link(app)["text"] == load_translation_examples()[1].sentence
    assert not app.error

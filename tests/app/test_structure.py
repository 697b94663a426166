"""The page Transformer 结构 through its own controls: every box, language and source, the sums, the masks, links."""

from __future__ import annotations

import base64
import re
import zlib

import numpy as np
import pytest

from attention_app.boxes import BOXES
from attention_app.components.diagram import diagram, neighbours
from attention_app.text import LANGUAGES
from attention_app.ui import cache, state
from attention_app.ui.structure.lines import small
from attention_app.ui.structure.positions import new_order
from attention_core.sources.e5 import load_model
from attention_core.words import segment
from tests.app.looking import DEFAULT, HOSTILE, component, link, trigger, views

PAGE = "structure"
BUY = 5  # the position of 买 among the pieces, <s> is 0
LONG = "那个昨天在公园里帮我找到钥匙的男孩是你同学，他买了一条鱼、两件衣服和三双鞋，如果明天不下雨就和妈妈去爬山。"


def matrices(app):
    """The linked matrices: key without its page -> {name of the matrix: its data}."""
    return {
        data["key"].removeprefix("structure-"): {one["name"]: one for one in [*data["sources"], data["result"]]}
        for data in views(app, "matrix")
    }


def numbers(one):
    shape, size = one["values"]["shape"], one["values"]["bytes"]
    raw = np.frombuffer(zlib.decompress(base64.b64decode(one["values"]["data"])), np.uint8)
    planes = raw.reshape(size, -1).T
    return np.frombuffer(np.ascontiguousarray(planes).tobytes(), f"<f{size}").reshape(shape)


def said(app):
    return "\n".join(markdown.value for markdown in app.markdown).replace("\\", "")


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("box", BOXES)
def test_every_box_opens(open_page, box, language):
    app = open_page(box=box, lang=language)
    drawing = component(app, "diagram")
    assert [one["name"] for one in drawing["boxes"]] == list(BOXES)
    assert drawing["chosen"] == box
    assert link(app).get("box", "attention") == box
    untrained = "未训练" if language == "zh" else "untrained"
    assert (untrained in said(app)) == (BOXES.index(box) > BOXES.index("encoder"))
    before, after = neighbours(box)
    assert {button.key for button in app.button} >= {
        f"structure-{side}" for side, other in (("previous", before), ("next", after)) if other
    }


@pytest.mark.parametrize("text", ["好", "你好", LONG, HOSTILE])
@pytest.mark.parametrize(
    "more",
    [
        {"box": "norm_attn"},
        {"box": "positions", "position_view": "like"},
        {"box": "positions", "position_view": "order"},
        {"box": "masked", "mask_kind": "both"},
        {"box": "masked", "mask_kind": "cross", "target": HOSTILE},
    ],
    ids=lambda more: "-".join(more.values())[:20],
)
def test_short_long_and_hostile_sentences(open_page, text, more):
    app = open_page(text=text, **more)
    assert component(app, "diagram")["ends"]["source"].startswith("<s>")


@pytest.mark.parametrize(("word", "at", "key"), [(3, 3, "超市"), (6, 6, ""), (1, 1, "")])
def test_the_framed_cell_is_the_one_that_is_talked_about(open_page, word, at, key):
    app = open_page(box="attention", word=word)
    (picture,) = views(app, "matrix")
    names = picture["result"]["rows"]
    i, j = picture["rest"]
    assert i == at
    weights = numbers(picture["result"])
    assert weights[i, j] == weights[i, 1:-1].max()
    assert f"**{names[i]}** 看得最多的词元是 **{names[j]}**" in re.sub(r":\w+\[(\*\*.*?\*\*)\]", r"\1", said(app))
    if word == 3:
        assert names[j] == key


@pytest.mark.parametrize(
    ("box", "key"),
    [
        ("target", "target"),
        ("target_positions", "target-positions"),
        ("masked", "causal"),
        ("cross", "cross"),
        ("target_ffn", "target-ffn"),
        ("linear", "linear"),
        ("softmax", "softmax"),
    ],
)
def test_the_decoders_framed_row_is_the_chosen_position(open_page, box, key):
    app = open_page(box=box, target_place="3")
    (picture,) = (one for one in views(app, "matrix") if one["key"] == f"structure-{key}")
    i, j = picture["rest"]
    assert i == 2
    values = numbers(picture["result"])
    assert abs(values[i, j]) == np.abs(values[i]).max()
    assert key not in ("cross", "linear", "softmax") or picture["result"]["columns"][j] in said(app)


def test_while_a_class_guesses_no_column_is_framed(open_page):
    app = open_page(present="on", numbers="off", box="attention", word=3)
    (picture,) = views(app, "matrix")
    assert picture["rest"] == [3, 0]


def test_a_word_of_several_pieces_says_which_one_is_shown(open_page):
    text = "Transformer"
    assert "模型把" not in said(open_page())
    app = open_page(text=f"我喜欢{text}。", word=3)
    (picture,) = views(app, "matrix")
    pieces = picture["result"]["rows"][3:-2]
    assert "".join(pieces) == text
    assert f"模型把“{text}”切成了 {len(pieces)} 个词元：{' · '.join(pieces)}。下面看的是“{pieces[0]}”。" in said(app)


def test_the_decoders_example_is_marked_where_another_sentence_is_read(open_page):
    assert component(open_page(), "diagram")["ends"]["note"] == ""
    assert component(open_page(text="我打他"), "diagram")["ends"]["note"] == "例句，不是译文"
    assert component(open_page(text="我打他", target="I hit him"), "diagram")["ends"]["note"] == ""


def test_a_click_on_a_box_opens_it_and_nothing_else_does(open_page):
    app = open_page()
    assert component(app, "diagram")["chosen"] == "attention"
    trigger(app, "diagram", "box", "cross")
    assert component(app, "diagram")["chosen"] == link(app)["box"] == "cross"
    trigger(app, "diagram", "box", "<script>")
    assert component(app, "diagram")["chosen"] == "cross"
    next(button for button in app.button if button.key == "structure-next").click().run()
    assert component(app, "diagram")["chosen"] == "norm_cross"


def test_shapes_are_those_of_this_sentence(open_page):
    shapes = {one["name"]: one["shape"] for one in component(open_page(target="a b a"), "diagram")["boxes"]}
    assert shapes["attention"] == "10 × 384"
    assert shapes["ffn"] == "10 × 384 → 1536 → 384"
    n_q = len(segment("a b a")) + 1
    assert shapes["cross"] == f"{n_q} × 384"
    assert shapes["softmax"] == f"{n_q} × {len({word.text for word in segment('a b a')}) + 1}"


def test_add_and_norm_is_the_blocks_own(open_page):
    shown = matrices(open_page(box="norm_attn", word=5))
    parts = [numbers(one) for one in shown["norm_attn-sum"].values()]
    np.testing.assert_allclose(parts[0] + parts[1], parts[2], rtol=1e-5, atol=1e-6)
    steps = numbers(shown["norm_attn"]["LayerNorm"])
    total, centred, normalised, gain, bias, out = steps
    np.testing.assert_allclose(total, parts[2][0], rtol=1e-6)
    np.testing.assert_allclose(centred, total - total.mean(), atol=1e-6)
    np.testing.assert_allclose(normalised.std(), 1, rtol=1e-4)
    np.testing.assert_allclose(out, normalised * gain + bias, atol=1e-6)
    run = cache.encoder_run(segment(DEFAULT))
    np.testing.assert_allclose(out, load_model().layer_trace(run, 6).norm_attn[BUY], rtol=1e-4, atol=1e-5)


def test_the_chart_without_residuals_ends_where_all_words_are_one(open_page):
    (chart,) = views(open_page(box="norm_attn"), "curves")
    with_residual, without = (line["values"] for line in chart["lines"])
    assert with_residual[0] == without[0]
    assert without[-1] > 0.99
    assert with_residual[6] < 0.5
    assert not chart["hidden"]


def test_feed_forward_shows_the_most_active_units(open_page):
    shown = matrices(open_page(box="ffn", word=5))
    act = load_model().layer_trace(cache.encoder_run(segment(DEFAULT)), 6).ffn_act
    top = np.argsort(-act[BUY])[:8]
    assert shown["units"]["ffn_act"]["columns"] == [f"#{unit + 1}" for unit in top]
    np.testing.assert_allclose(numbers(shown["units"]["ffn_act"]), act[:, top], rtol=1e-5)


@pytest.mark.parametrize("positions", ["on", "off"])
def test_another_word_order(open_page, positions):
    app = open_page(text="我打他", box="positions", position_view="order", order_positions=positions)
    (bars,) = views(app, "blocks")
    assert [bar["label"] for bar in bars["bars"]] == ["<s>", "他", "打", "我", "</s>"]
    cosines = [bar["stop"] for bar in bars["bars"]]
    assert (min(cosines) > 0.9999) == (positions == "off")
    before, after = (numbers(next(iter(matrices(app)[key].values()))) for key in ("before", "after"))
    assert np.allclose(before[[0, 3, 2, 1, 4]], after, atol=1e-4) == (positions == "off")


def test_the_sentence_to_try_takes_the_place_of_the_other(open_page):
    app = open_page(box="positions", position_view="order")
    next(button for button in app.button if button.key == "structure-try").click().run()
    assert link(app)["text"] == "我打他"
    assert component(app, "diagram")["ends"]["source"] == "<s> 我 打 他 </s>"
    assert "structure-try" not in {button.key for button in app.button}


def test_punctuation_stays_in_every_order():
    words = segment(DEFAULT)
    for how in state.SCHEMA["order"].choices:
        order = new_order(words, str(how))
        assert sorted(order) == list(range(len(words)))
        assert order[-1] == len(words) - 1
        assert order[0] == 6


def test_every_masked_cell_says_why(open_page):
    shown = matrices(open_page(box="masked", mask_kind="both"))
    (one,), (two,) = shown["padded-0"].values(), shown["padded-1"].values()
    for picture, n_real in ((one, 10), (two, 5)):
        weights = numbers(picture)
        reasons = {(i, j): why for i, j, why in picture["reasons"]}
        assert set(reasons) == {(i, j) for i in range(10) for j in range(10) if j > i or j >= n_real}
        assert all(weights[cell] == 0 for cell in reasons)
        np.testing.assert_allclose(weights.sum(axis=1), 1, rtol=1e-5)
    assert two["rows"][-1].startswith("<pad>")
    assert {(i, j): why for i, j, why in two["reasons"]}[0, 9].count("；") == 1  # the future, and padding


def test_the_decoder_sees_its_past_and_no_padding(open_page):
    causal = matrices(open_page(box="masked"))["causal"]
    weights = numbers(next(iter(causal.values())))
    assert (np.triu(weights, 1) == 0).all()
    assert weights[0, 0] == 1
    cross = matrices(open_page(box="masked", mask_kind="cross"))["cross-mask"]
    weights = numbers(next(iter(cross.values())))
    assert weights.shape == (8, 10)
    assert (weights[:, 5:] == 0).all()


def test_while_a_class_guesses_nothing_is_given_away(open_page):
    app = open_page(present="on", numbers="off", box="norm_attn")
    assert all(chart["hidden"] for chart in views(app, "curves"))
    assert all(data["hidden"] for data in views(app, "matrix"))
    assert "0.27" not in said(app)


def test_a_typed_word_is_no_markdown_beside_its_place(open_page):
    app = open_page(box="cross", target="*a* :red[b]")
    options = "".join(app.select_slider(key="target_place").options)
    assert r"\*" in options
    assert r"\:" in options or r"\[" in options


def test_the_encoder_is_the_real_one_whatever_the_source(open_page):
    app = open_page(source="toy", box="attention")
    real = numbers(next(iter(matrices(open_page(box="attention"))["attention"].values())))
    np.testing.assert_array_equal(numbers(next(iter(matrices(app)["attention"].values()))), real)
    next(button for button in app.button if button.key == "structure-real").click().run()
    assert link(app)["source"] == "real"


def test_a_sentence_that_cannot_be_used_leaves_the_default_one(open_page):
    open_page(clean=False, box="cross", target="!" * 3 + " " * 3, second="   ")
    app = open_page(clean=False, box="masked", mask_kind="padding", second="   ")
    assert len(app.error) == 1
    assert numbers(next(iter(matrices(app)["padded-1"].values()))).shape == (10, 10)


@pytest.mark.parametrize("given", [{"box": "nothing"}, {"wave_pair": "193"}, {"target_place": "66"}, {"order": "up"}])
def test_a_bad_link_says_so(open_app, given):
    app = open_app(**given)
    assert len(app.warning) == 1
    assert not set(given) & set(link(app))


def test_a_place_beyond_the_decoders_sentence_becomes_one_within(open_page):
    app = open_page(box="softmax", target_place="65")
    assert len(app.warning) == 1
    assert link(app)["target_place"] == "2"


def test_the_drawing_needs_all_its_boxes():
    ends = {"source": "", "target": "", "out": "", "note": ""}
    with pytest.raises(ValueError, match="the boxes embedding"):
        diagram({}, "ffn", ends, panel="", card="", present=False, texts={}, on_box=print)
    assert neighbours("embedding") == (None, "positions")
    assert neighbours("softmax") == ("linear", None)


def test_rounding_errors_are_written_out(monkeypatch):
    monkeypatch.setattr("attention_app.ui.pictures.revealed", lambda: True)
    assert small(8.3e-7).split() == ["8", "×", "10⁻⁷"]
    assert " " not in small(8.3e-7)  # it is not broken over two lines
    assert small(0.0) == "0"

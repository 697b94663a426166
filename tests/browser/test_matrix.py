"""The linked matrices in a real browser, alone on a page (apps/matrix.py)."""

from __future__ import annotations

import os
import re
import shutil

import numpy as np
import pytest

from attention_app.figures.products import products, shown
from attention_core.sources.e5 import layer_trace, load_model
from attention_core.words import segment
from tests.browser.helpers import rerun, wait_ready
from tests.browser.server import ROOT, serve

SENTENCE = "我昨天去超市买了苹果。"
LONG = "今天早上我和弟弟一起坐公共汽车去城里的图书馆借了三本书，回家以后妈妈给我们做了很好吃的晚饭，我们都很高兴。"
BUY, APPLE = 5, 7
PHONE = {"viewport": {"width": 390, "height": 800}}


@pytest.fixture(scope="module")
def harness(tmp_path_factory):
    """The harness under the app's own theme: Streamlit reads config.toml where the server starts."""
    folder = tmp_path_factory.mktemp("harness")
    (folder / ".streamlit").mkdir()
    shutil.copy(ROOT / ".streamlit" / "config.toml", folder / ".streamlit")
    shutil.copy(ROOT / "tests" / "browser" / "apps" / "matrix.py", folder / "harness.py")
    paths = os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH")]))
    with serve(folder / "harness.py", PYTHONPATH=paths) as server:
        yield server


@pytest.fixture
def open_scene(harness, open_page):
    def open_(scene, link="", sent=None, **options):
        page = open_page(harness, **options)
        if sent is not None:  # everything the browser tells the server
            page.on("websocket", lambda socket: socket.on("framesent", lambda frame: sent.append(frame)))
        page.goto(f"/?scene={scene}{link}")
        page.wait_for_selector(".root[data-paint]", timeout=40_000)
        wait_ready(page)
        return page

    return open_


@pytest.fixture(scope="module")
def real():
    return layer_trace(load_model().run(segment(SENTENCE)), 6).multi_head


def panel(page, name):
    return page.locator(f'.matrix[data-name="{name}"]')


def cell(page, name, row, column):
    return panel(page, name).locator(f'td[data-at="{row},{column}"]')


def terms(page):
    """[[name, product as written, value], …] of the sum, and the total."""
    lines = page.locator(".terms .line:not(.total)").evaluate_all(
        "lines => lines.map(line => [...line.children].map(part => part.textContent))"
    )
    return [[name, made, value] for name, made, _, value in lines], page.locator(".terms .total .value").inner_text()


def told(page):
    return page.locator("[data-testid=stText]").inner_text()


def lit_rows(page, name):
    return panel(page, name).locator("tbody .row-label.lit").all_inner_texts()


def test_pointing_at_a_cell_lights_row_and_column_and_spells_the_sum_without_the_server(open_scene):
    sent = []
    page = open_scene("scores", sent=sent)
    before = len(sent)
    assert before
    cell(page, "scores", BUY, APPLE).hover()
    assert page.locator(".place").inner_text() == "scores[买, 苹果] = 61.10"
    assert lit_rows(page, "Q") == ["买"]
    assert lit_rows(page, "K") == ["苹果"]
    lines, total = terms(page)
    assert lines[0][:2] == ["第 17 维", "3.13 × 3.25"]
    assert total == "61.10"
    page.mouse.move(5, 5)
    assert page.locator(".place").inner_text() != "scores[买, 苹果] = 61.10"
    with rerun(page):
        cell(page, "scores", BUY, APPLE).click()
    assert len(sent) == before + 1  # the click alone: messages go in their order


@pytest.mark.parametrize("decimals", [0, 2, 4, 6])
def test_what_is_shown_is_what_the_helper_says_and_adds_up(open_scene, real, decimals):
    for scene, left, right, bias, at in (
        ("scores", real.attention.q[2][BUY], real.attention.k[2][APPLE], 0.0, (BUY, APPLE)),
        ("project", real.x_q[BUY], real.W_Q[2][:, 3], float(real.b_Q[2][3]), (BUY, 3)),
        ("z", real.attention.attn_weights[2][BUY], real.attention.v[2][:, 1], 0.0, (BUY, 1)),
    ):
        matrices = {"scores": real.attention.scores[2], "project": real.attention.q[2], "z": real.attention.z[2]}
        expected = products(left, right, float(matrices[scene][at]), decimals=decimals, bias=bias)
        page = open_scene(scene, f"&decimals={decimals}&cell={at[0]}-{at[1]}")
        lines, total = terms(page)
        assert total == shown(expected.total, decimals)
        plain = [value.removeprefix("+") for *_, value in lines]
        largest = [shown(term.whole, decimals) for term in expected.terms]
        assert plain[: len(largest)] == largest
        assert plain[len(largest)] == shown(expected.rest, decimals)
        numbers = [round(float(value.replace("−", "-")) * 10**decimals) for value in plain]
        assert sum(numbers) == expected.total


def test_a_short_sum_shows_every_product(open_scene):
    page = open_scene("toy", "&cell=2-1")
    assert terms(page) == (
        [
            ["第 2 维", "−1.00 × 1.00", "−1.00"],
            ["第 3 维", "1.00 × (−1.00)", "−1.00"],
            ["第 1 维", "2.00 × 0.00", "0.00"],
            ["第 4 维", "0.00 × 2.00", "0.00"],
        ],
        "−2.00",
    )


def test_a_click_keeps_the_cell_and_a_second_one_lets_it_go(open_scene):
    page = open_scene("scores")
    with rerun(page):
        cell(page, "scores", BUY, APPLE).click()
    assert told(page) == "cell (5, 7)"
    page.mouse.move(5, 5)
    assert page.locator(".place").inner_text().startswith("scores[买, 苹果] = 61.10")
    assert cell(page, "scores", BUY, APPLE).get_attribute("aria-selected") == "true"
    with rerun(page):
        cell(page, "scores", BUY, APPLE).click()
    assert told(page) == "cell None"


def test_the_keyboard_walks_speaks_and_keeps(open_scene):
    page = open_scene("scores", "&cell=5-6")
    cell(page, "scores", 5, 6).focus()
    page.keyboard.press("ArrowRight")
    assert page.locator(".place").inner_text() == "scores[买, 苹果] = 61.10"
    status = page.locator("[role=status]").inner_text()
    assert status.startswith("scores，买，苹果：61.10; 第 17 维 3.13 × 3.25 = 10.17; ")
    assert status.endswith("= 61.10")
    with rerun(page):
        page.keyboard.press("Enter")
    assert told(page) == "cell (5, 7)"
    page.keyboard.press("ArrowDown")  # the focus is where it was
    assert page.locator(".place").inner_text().startswith("scores[了, 苹果]")
    page.keyboard.press("Escape")
    assert page.locator(".place").inner_text().startswith("scores[买, 苹果]")
    page.keyboard.press("Control+End")
    assert page.locator(".place").inner_text().startswith("scores[</s>, </s>]")


def test_there_is_one_tab_stop_in_each_grid(open_scene):
    page = open_scene("scores")
    assert page.locator("table[role=grid]").count() == 3
    for name in ("Q", "K", "scores"):
        assert panel(page, name).locator("td[tabindex='0']").count() == 1


def first_column(page, name):
    return int(panel(page, name).locator(".column-name").first.get_attribute("data-column"))


def test_the_window_of_a_wide_matrix_moves_by_button_key_wheel_and_mouse(open_scene):
    page = open_scene("project")
    x = panel(page, "X")
    assert first_column(page, "X") == 0
    x.get_by_role("button", name="往右移数字").click()
    columns = first_column(page, "X")
    assert columns > 3
    x.locator(".picture").hover()
    page.mouse.wheel(0, 100)
    wait_ready(page)
    assert first_column(page, "X") == columns + 1
    x.locator("td").first.click()
    page.keyboard.press("End")
    assert x.locator(".column-name").last.inner_text() == "384"
    assert x.locator("tbody .row-label").all_inner_texts()  # the names stay
    box = x.locator(".picture").bounding_box()
    page.mouse.move(box["x"] + box["width"] - 2, box["y"] + 5)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + 5)
    page.mouse.up()
    assert abs(first_column(page, "X") + columns / 2 - 192) < 6


def test_the_lit_column_of_the_weights_is_always_in_the_window(open_scene):
    page = open_scene("project")
    q = panel(page, "Q")
    with rerun(page):
        q.locator("td").first.click()
    page.keyboard.press("End")
    assert panel(page, "W_Q").locator("thead .column-name.lit").inner_text() == "32"


def test_pieces_stand_under_their_words(open_scene):
    page = open_scene("scores", f"&text={LONG}")
    group = panel(page, "scores").locator("tbody .group.first").first
    assert group.inner_text() == "公共汽车"
    assert panel(page, "scores").locator("[data-row='8'] .row-name, [data-row='9'] .row-name").all_inner_texts() == [
        "公共",
        "汽车",
    ]


def test_a_masked_cell_says_why(open_scene):
    page = open_scene("mask", "&cell=2-5")
    assert page.locator(".place").inner_text().startswith("masked[昨天, 买] = −∞")
    assert page.locator(".end").inner_text() == "掩蔽：后面的词还没有出现"
    assert cell(page, "masked", 2, 5).get_attribute("aria-label") == "掩蔽：后面的词还没有出现"
    assert cell(page, "scaled", 2, 5).inner_text() != "−∞"


def test_the_softmax_is_spelled_out(open_scene):
    page = open_scene("softmax", "&cell=5-4&lang=en")
    lines, total = terms(page)
    assert lines[0] == ["超市", "exp(8.87 − 8.87)", "1.00"]
    assert lines[-1] == ["4 masked", "exp(−∞)", "0.00"]
    assert total == "1.95"
    assert page.locator(".end").inner_text() == "1.00 ÷ 1.95 = 0.51"


def test_scaling_names_the_divisor(open_scene):
    page = open_scene("scale", "&cell=5-7")
    assert page.locator(".end").inner_text() == "61.10 ÷ √32 = 61.10 ÷ 5.66 = 10.80"


def test_layer_norm_is_spelled_out(open_scene):
    page = open_scene("norm", "&cell=5-21&lang=en")
    row = load_model().embedding(load_model().run(segment(SENTENCE)).ids).summed[BUY].astype(float)
    weights = load_model().weights.embedding
    between = (row[21] - row.mean()) / np.sqrt(row.var() + weights.eps)
    lines, total = terms(page)
    assert [name for name, *_ in lines] == ["mean μ", "variance σ²", "normalised", "× gain + bias"]
    values = [float(value.replace("−", "-")) for *_, value in lines]
    assert values == pytest.approx(
        [row.mean(), row.var(), between, between * weights.norm_gain[21] + weights.norm_bias[21]], abs=0.006
    )
    assert values[1] == pytest.approx(row.var(), rel=0.01)  # small, and still with three digits
    assert float(total.replace("−", "-")) == values[3]


def test_a_matrix_and_what_becomes_of_it_stand_side_by_side_where_both_fit(open_scene):
    for width, beside in ((1440, True), (900, False)):
        page = open_scene("scale", viewport={"width": width, "height": 900})
        before, after = (panel(page, name).bounding_box() for name in ("scores", "scaled"))
        assert (before["y"] == after["y"]) is beside
        assert panel(page, "scaled").locator("tbody td").count() == 100


def test_a_number_is_edited_by_mouse_and_everything_follows(open_scene):
    page = open_scene("toy")
    cell(page, "X", 0, 0).dblclick()
    with rerun(page):
        page.locator(".editor").fill("3.5")
        page.keyboard.press("Enter")
    assert told(page) == "edit X 0 0 3.5"
    assert cell(page, "X", 0, 0).inner_text() == "3.50"
    assert cell(page, "Q", 0, 0).inner_text() == "4.25"


def test_a_bad_number_is_refused_and_escape_restores(open_scene):
    page = open_scene("toy")
    cell(page, "X", 1, 1).click()
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("Enter")
    for bad in ("abc", "", "1000", "1e9", "Infinity"):
        page.locator(".editor").fill(bad)
        page.keyboard.press("Enter")
        assert page.locator("[role=alert]").inner_text() == "请输入 −999 到 999 之间的数。"
    page.keyboard.press("Escape")
    assert cell(page, "X", 1, 0).inner_text() == "0.50"
    assert page.locator("[role=alert]").inner_text() == ""
    assert told(page) == "-"
    page.keyboard.press("Enter")  # the focus is back on the cell
    with rerun(page):
        page.locator(".editor").fill("−0.25")
        page.keyboard.press("Enter")
    assert told(page) == "edit X 1 0 -0.25"


def test_hidden_numbers_are_uncovered_one_by_one_or_all(open_scene):
    page = open_scene("toy", "&hidden=on")
    results = panel(page, "Q").locator("td")
    assert set(results.all_inner_texts()) == {"？"}
    assert "？" in page.locator(".place").inner_text()
    assert page.locator(".terms").count() == 0
    with rerun(page):
        cell(page, "Q", 1, 1).click()
    assert cell(page, "Q", 1, 1).inner_text() == "3.00"
    assert cell(page, "Q", 0, 1).inner_text() == "？"
    page.get_by_role("button", name="显示所有数字").click()
    assert "？" not in results.all_inner_texts()


@pytest.mark.parametrize(
    ("scene", "source", "uncovers"),
    [
        ("scale", "scores", lambda i, j: (i, j) == (BUY, APPLE)),
        ("softmax", "masked", lambda i, j: i == APPLE),
        ("z", "weights", lambda i, j: i == BUY),
    ],
)
def test_a_source_that_is_the_answer_stays_covered_with_the_result(open_scene, scene, source, uncovers):
    page = open_scene(scene, "&hidden=on")
    made = page.locator(".matrix").last.get_attribute("data-name")
    kept = (APPLE, BUY) if scene == "softmax" else (BUY, 1) if scene == "z" else (BUY, APPLE)
    open_cells = panel(page, source).locator("td:not(.covered):not(.masked)")
    assert open_cells.count() == 0
    assert page.locator(".terms").count() == 0
    with rerun(page):
        cell(page, made, *kept).click()
    assert "？" not in cell(page, made, *kept).inner_text()
    seen = [tuple(map(int, at.split(","))) for at in open_cells.evaluate_all("all => all.map(e => e.dataset.at)")]
    assert seen
    assert all(uncovers(*at) for at in seen)
    page.get_by_role("button", name="显示所有数字").click()
    assert page.locator("td.covered").count() == 0


def test_views_follow_each_other(open_scene):
    page = open_scene("two")
    page.evaluate("() => document.addEventListener('attn:hover', e => (window.heard = e.detail))")
    cell(page, "scaled", BUY, APPLE).hover()
    assert page.evaluate("() => [window.heard.row, window.heard.column]") == [4, 6]  # words, <s> not counted
    assert cell(page, "weights", BUY, APPLE).evaluate("e => e.classList.contains('here')")
    page.evaluate(
        "() => document.dispatchEvent(new CustomEvent('attn:hover', {detail: {from: 'x', row: -1, column: -2}}))"
    )
    assert page.locator(".place").inner_text().startswith("scaled[<s>, </s>]")


@pytest.mark.parametrize("scene", ["scores", "project", "z", "softmax", "toy", "add", "single"])
def test_a_phone_needs_no_sideways_scrolling_of_the_page(open_scene, scene):
    page = open_scene(scene, **PHONE)
    assert page.evaluate("document.querySelector('[data-testid=stMain]').scrollWidth") <= 390
    edges = page.locator(".matrix, .sum, table.numbers, .picture").evaluate_all(
        "all => all.map(e => e.getBoundingClientRect().right)"
    )
    assert max(edges) <= 390


def test_a_finger_sees_the_sum_and_moves_the_window(open_scene):
    page = open_scene("scores", has_touch=True, is_mobile=True, **PHONE)
    with rerun(page):
        cell(page, "scores", BUY, APPLE).tap()
    assert page.locator(".place").inner_text().startswith("scores[买, 苹果] = 61.10")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_numbers_can_be_read_on_their_colours_and_type_is_never_small(open_scene, scheme):
    page = open_scene("scores", color_scheme=scheme)
    pairs = page.locator("td").evaluate_all(
        "all => all.map(e => [getComputedStyle(e).color, getComputedStyle(e).backgroundColor])"
    )
    for ink, paper in pairs:
        lights = sorted(luminance([int(v) for v in re.findall(r"\d+", color)[:3]]) for color in (ink, paper))
        assert (lights[1] + 0.05) / (lights[0] + 0.05) >= 4.5
    sizes = page.locator(".matrix *, .sum *, .foot *").evaluate_all(
        "all => all.filter(e => e.textContent && e.tagName !== 'SUP')"
        ".map(e => parseFloat(getComputedStyle(e).fontSize))"
    )
    assert min(sizes) >= 12.5


def luminance(rgb):
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in np.array(rgb) / 255]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def test_minus_can_be_told_from_plus_without_colour(open_scene):
    page = open_scene("scores")
    minus = cell(page, "Q", BUY, 3)
    cell(page, "scores", BUY, APPLE).hover()
    assert minus.inner_text() == "−1.85"
    # the middle of a negative cell in the strip carries a dash, that of a positive one does not
    differ = (
        panel(page, "Q")
        .locator("canvas")
        .evaluate(
            """canvas => [[5, 3], [5, 5]].map(([row, column]) => {
          const ink = canvas.getContext("2d");
          const [w, h] = [canvas.width / 32, canvas.height / 10];
          const at = (dx, dy) => [...ink.getImageData((column + dx) * w, (row + dy) * h, 1, 1).data].join();
          return at(0.5, 0.5) !== at(0.5, 0.25);
        })"""
        )
    )
    assert differ == [True, False]


def test_eight_matrices_paint_in_well_under_a_tenth_of_a_second(open_scene):
    page = open_scene("eight")
    times = [np.inf]
    for _ in range(12):  # the best of some: other work on the machine only adds
        if min(times) < 100:
            break
        page.reload()
        page.wait_for_function(
            "() => [...document.querySelectorAll('*')].filter(e => e.shadowRoot?.querySelector('.root[data-paint]'))"
            ".length === 8"
        )
        painted = page.locator(".root[data-paint]").evaluate_all("all => all.map(e => Number(e.dataset.paint))")
        times.append(sum(painted))
    assert min(times) < 100

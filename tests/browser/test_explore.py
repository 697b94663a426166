"""The page 看一句话 in a real browser."""

from __future__ import annotations

import re
from urllib.parse import quote, urlsplit

import pytest
from playwright.sync_api import expect

from tests.browser.helpers import HOSTILE, link, open_at, rerun, said, sentence, type_sentence

SAID = "第7层第3头里，买 最关注 苹果（0.73），其次 超市（0.11）；特殊词元占 0.06。"


def tick_color(page):
    return page.locator(".st-key-heatmap .xtick text").first.evaluate("e => getComputedStyle(e).fill")


def test_main_path_by_mouse(page):
    open_at(page)
    assert said(page) == SAID
    type_sentence(page, "弟弟把杯子打破了。")
    assert page.locator(".chip").all_inner_texts() == ["弟弟", "把", "杯子", "打破", "了", "。"]
    with rerun(page):
        page.locator(".chip", has_text="杯子").click()
    with rerun(page):
        page.locator(".st-key-layer").get_by_text("8", exact=True).click()
    with rerun(page):
        page.locator(".st-key-head").get_by_text("5", exact=True).click()
    assert said(page).startswith("第8层第5头里，杯子 ")
    assert link(page) == {"text": "弟弟把杯子打破了。", "source": "real", "layer": "8", "head": "5", "word": "3"}


def test_main_path_by_keyboard(page):
    open_at(page)
    chosen = page.locator(".chip[aria-checked=true]")
    assert chosen.inner_text() == "买"
    chosen.focus()
    with rerun(page):
        page.keyboard.press("ArrowRight")
    assert page.locator(".chip[aria-checked=true]").inner_text() == "了"
    with rerun(page):
        page.keyboard.press("ArrowRight")  # the focus went along
    assert said(page).startswith("第7层第3头里，苹果 ")
    with rerun(page):
        page.keyboard.press("Home")
    assert page.locator(".chip[aria-checked=true]").inner_text() == "我"
    with rerun(page):
        page.keyboard.press("ArrowLeft")  # round the corner, as radio buttons do
    assert page.locator(".chip[aria-checked=true]").inner_text() == "。"


def test_hover_reads_both_words_both_positions_and_the_value(page):
    open_at(page)
    cell = page.locator(".st-key-heatmap .js-plotly-plot .nsewdrag")
    cell.scroll_into_view_if_needed()
    box = cell.bounding_box()
    rows, columns = 8, 10.5  # eight words, two special tokens and their two gaps of a quarter cell
    x = box["x"] + box["width"] * (1.25 + 6.5) / columns
    y = box["y"] + box["height"] * 4.5 / rows
    page.mouse.move(x - 3, y)
    page.mouse.move(x, y)
    page.wait_for_selector(".hoverlayer .hovertext")
    assert page.locator(".hoverlayer .hovertext").text_content() == "第 5 个词 买 → 第 7 个词 苹果：0.73"
    page.mouse.move(box["x"] + box["width"] * 0.5 / columns, y)
    page.wait_for_function("document.querySelector('.hoverlayer .hovertext')?.textContent.includes('特殊词元')")
    assert page.locator(".hoverlayer .hovertext").text_content() == "第 5 个词 买 → 特殊词元 <s>：0.03"


def test_deep_link_first_on_a_fresh_server(fresh_server, open_page):
    query = f"text={quote('小猫没有喝牛奶，因为它已经饱了。')}&source=real&layer=9&head=9&word=7&lang=en"
    for path in ("/explore?", "/?"):
        page = open_page(fresh_server)
        open_at(page, path + query)
        assert said(page).startswith("In layer 9, head 9, 它 "), path
        assert page.locator("h1").inner_text() == "One sentence"
        assert link(page)["word"] == "7"


def test_link_restores_the_screen_in_a_fresh_browser_on_a_fresh_server(page, fresh_server, open_page):
    open_at(page, "/?source=toy")
    type_sentence(page, "我喜欢我的猫，猫也喜欢我")
    with rerun(page):
        page.locator(".chip", has_text="猫₂").click()
    with rerun(page):
        page.locator(".st-key-lang").get_by_text("English").click()
    again = open_page(fresh_server)
    open_at(again, "/?" + urlsplit(page.url).query)
    assert said(again) == said(page)
    assert again.locator(".bars").inner_text() == page.locator(".bars").inner_text()
    assert link(again) == link(page)


def test_a_bad_value_in_the_link_is_said(page):
    open_at(page, "/?layer=77&head=2")
    assert "层" in page.locator("[data-testid=stAlert]").inner_text()
    assert (link(page)["layer"], link(page)["head"]) == ("7", "2")


def shown_literally(page, text):
    """Chips and the axis hold the characters that were typed, and nothing else."""
    places = (page.locator(".chip").all_inner_texts(), page.locator(".st-key-heatmap .ytick").all_text_contents())
    shown = {re.sub(r"[₀-₉\s]", "", "".join(place)) for place in places}
    return shown == {re.sub(r"\s", "", text)}


def test_hostile_text_is_text(page):
    asked = []
    page.on("dialog", lambda dialog: asked.append(dialog.message) or dialog.dismiss())
    open_at(page, f"/?text={quote(HOSTILE)}&word=1")
    assert shown_literally(page, HOSTILE)
    for text in (
        "<b>重点</b> <script>alert(1)</script> <a href=javascript:alert(1)>点</a>",
        "**粗** :red[红] ![图](https://example.com/a.png)",
        "$x$ :smile: :material/home: `码`",
        "a%{y}b &amp; <b>重</b> %{customdata[0]}",
    ):
        type_sentence(page, text)
        assert shown_literally(page, text)
    assert page.locator("img[src=x]").count() == 0
    assert not asked


@pytest.mark.parametrize("n", [64, 65])
def test_as_many_words_as_fit(page, n):
    open_at(page)
    words = (["我", "爱", "你", "们"] * 17)[:n]
    type_sentence(page, " ".join(words))
    if n == 64:
        assert page.locator(".chip").count() == 64
        assert page.locator("[data-testid=stAlert]").count() == 0
        assert page.locator(".st-key-heatmap .ytick").count() == 64
    else:
        alert = page.locator("[data-testid=stAlert]").inner_text()
        assert "64" in alert
        assert "65" in alert
        assert sentence(page).input_value() == " ".join(words)
        assert said(page) == SAID


def test_too_many_characters(page):
    open_at(page)
    type_sentence(page, "的" * 201)
    alert = page.locator("[data-testid=stAlert]").inner_text()
    assert "200" in alert
    assert "201" in alert
    assert sentence(page).input_value() == "的" * 201
    type_sentence(page, "的" * 200 + "x" * 100)
    assert "300" in page.locator("[data-testid=stAlert]").inner_text()


def test_switching_to_dark_repaints_the_figure(page):
    open_at(page)
    light = tick_color(page)
    page.mouse.move(640, 20)
    page.get_by_test_id("stMainMenuButton").click()
    with rerun(page):
        page.get_by_test_id("stMainMenuPopover").get_by_text("深色").click()
    page.wait_for_function(
        "before => getComputedStyle(document.querySelector('.st-key-heatmap .xtick text')).fill !== before", arg=light
    )
    assert tick_color(page) == "rgb(233, 231, 225)"


@pytest.mark.parametrize("page_options", [{"color_scheme": "dark", "viewport": {"width": 390, "height": 844}}])
def test_phone_in_the_dark(page):
    open_at(page)
    assert (
        page.locator(".st-key-heatmap .xtick text").first.evaluate("e => getComputedStyle(e).fill")
        == "rgb(233, 231, 225)"
    )
    assert page.evaluate("document.querySelector('[data-testid=stMain]').scrollWidth") <= 390  # nothing sticks out
    card = page.locator(".st-key-heatmap")
    assert card.evaluate("e => e.scrollWidth > e.clientWidth")  # the matrix scrolls inside its card


def test_back_and_forward_show_what_was_there(page):
    open_at(page, "/?layer=3&head=2&word=5")
    first = said(page)
    type_sentence(page, "弟弟把杯子打破了。")
    with rerun(page):
        page.locator(".chip", has_text="杯子").click()
    second = said(page)
    type_sentence(page, "他跑得很快。")
    for step, there in (("back", second), ("back", None), ("back", first), ("forward", None), ("forward", second)):
        with rerun(page):
            page.go_back() if step == "back" else page.go_forward()
        if there:
            expect(page.locator("p.said[aria-live]")).to_have_text(there)
    assert sentence(page).input_value() == "弟弟把杯子打破了。"

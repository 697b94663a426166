"""The line view, the heatmap's bridge, the ranked row and the table, linked to each other in a real browser."""

from __future__ import annotations

import re
from urllib.parse import quote

import pytest
from playwright.sync_api import expect

from tests.browser.helpers import HOSTILE, open_at, rerun, said, sentence, wait_chart, witness_of

LONG = (
    "那天 晚上 我们 在 学校 门口 等 了 很 久 老师 终于 来 了 他 说 "
    "今天 的 作业 已经 改 完 了 大家 都 很 高兴 我们 去 吃 面"
)
CARD = ".st-key-card-lines"


def word(page, index):
    return page.locator(f"{CARD} .word").nth(index)


def numbers(page):
    return page.locator(f"{CARD} .value").all_text_contents()


def bands(page):
    return sorted(page.locator(".attention-marks > div").evaluate_all("all => all.map(e => e.className)"))


def marked_bar(page):
    return page.locator(".bar.marked .name").all_inner_texts()


def cell_at(page, row, column):
    """A point in a cell of the eight words' heatmap with its two special tokens; column -1 is <s>."""
    area = page.locator(".st-key-heatmap .nsewdrag")
    area.scroll_into_view_if_needed()
    box = area.bounding_box()
    across = (column + 1 + (0.25 if column >= 0 else 0) + 0.5) / 10.5
    return box["x"] + box["width"] * across, box["y"] + box["height"] * (row + 0.5) / 8


def hover_cell(page, row, column):
    x, y = cell_at(page, row, column)
    page.mouse.move(x - 4, y)
    page.mouse.move(x, y)


def test_a_word_under_the_pointer_shows_its_own_row_without_the_server(page):
    open_at(page)
    asked = witness_of(page).asked
    before = numbers(page)
    word(page, 2).hover()
    assert "0.61" in numbers(page)
    assert "0.73" not in numbers(page)
    assert word(page, 2).get_attribute("class") == "word query"
    assert word(page, 3).get_attribute("class") == "word key"
    assert bands(page) == ["band-query"]
    page.mouse.move(5, 5)
    page.wait_for_function("document.querySelectorAll('.attention-marks > div').length === 0")
    assert numbers(page) == before
    assert witness_of(page).asked == asked


def test_a_click_locks_and_a_second_one_unlocks(page):
    open_at(page)
    with rerun(page):
        word(page, 2).click()
    assert "去 最关注 超市（0.61）" in said(page)
    assert word(page, 2).get_attribute("aria-selected") == "true"
    assert "word=3" in page.url
    with rerun(page):
        word(page, 2).click()
    assert "word=0" in page.url
    assert said(page).startswith("没有锁定的词")
    page.mouse.move(5, 5)
    expect(page.locator(f"{CARD} .value")).to_have_count(0)
    assert page.locator(f"{CARD} .arc").count() > 20


def test_the_line_view_by_keyboard(page):
    open_at(page)
    assert page.locator(f"{CARD} [tabindex='0'][role=option]").count() == 1
    word(page, 4).focus()
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowLeft")
    assert "0.61" in numbers(page)
    with rerun(page):
        page.keyboard.press("Enter")
    assert "去 最关注 超市" in said(page)
    page.keyboard.press("End")  # the focus went along
    assert "0.45" in numbers(page)
    assert page.locator(f"{CARD} [role=listbox]").count() == 1
    name = page.locator(f"{CARD} [role=option]").nth(4).get_attribute("aria-label")
    assert name.startswith("买：苹果 0.73，超市 0.11，")


def test_a_cell_under_the_pointer_is_marked_in_every_view(page):
    open_at(page)
    hover_cell(page, 2, 3)
    page.wait_for_selector(".band-ink")
    assert bands(page) == ["band-ink", "band-key", "band-query"]
    assert page.locator(".st-key-bridge .cell, .cell").first.inner_text() == "去 → 超市：0.61"
    assert "0.61" in numbers(page)
    assert "marked" in word(page, 3).get_attribute("class")
    assert marked_bar(page) == ["超市"]
    hover_cell(page, 4, -1)
    page.wait_for_function("document.querySelector('.hoverlayer .hovertext')?.textContent.includes('特殊词元')")
    assert marked_bar(page) == ["<s>"]


def test_the_ring_lies_on_its_cell(page):
    open_at(page)
    hover_cell(page, 5, 6)
    page.wait_for_selector(".band-ink")
    x, y = cell_at(page, 5, 6)
    box = page.locator(".band-ink").bounding_box()
    assert box["x"] + box["width"] / 2 == pytest.approx(x, abs=1.5)
    assert box["y"] + box["height"] / 2 == pytest.approx(y, abs=1.5)


def test_a_click_on_a_cell_locks_its_row_and_the_bridge_survives_the_rerun(page):
    open_at(page)
    for row, text in ((2, "去 最关注 超市"), (0, "我 最关注 昨天")):
        hover_cell(page, row, 3)
        with rerun(page):
            page.mouse.click(*cell_at(page, row, 3))
        assert text in said(page)
        wait_chart(page, "heatmap")
    assert page.locator(".attention-marks").count() == 1


def test_cells_are_read_by_keyboard(page):
    open_at(page)
    cell = page.locator(".cell").first
    cell.focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowDown")
    assert cell.inner_text() == "了 → 昨天：0.15"
    assert cell.get_attribute("aria-rowindex") == "6"
    assert cell.get_attribute("aria-colindex") == "3"
    assert page.locator("[aria-live=polite]", has_text="了 → 昨天：0.15").count() == 1
    page.keyboard.press("End")
    assert cell.inner_text() == "了 → </s>：0.08"
    with rerun(page):
        page.keyboard.press("Enter")
    assert "了 最关注" in said(page)


def test_a_bar_of_the_row_is_marked_in_the_heatmap_and_the_lines(page):
    open_at(page)
    page.locator(".bar", has_text="超市").hover()
    assert bands(page) == ["band-ink", "band-key", "band-query"]
    assert "marked" in word(page, 3).get_attribute("class")


def test_who_looks_at_a_word(page):
    open_at(page, "/?word=7")
    with rerun(page):
        page.locator(".st-key-direction").get_by_text("被谁看").click()
    assert said(page).startswith("第7层第3头里，最关注 苹果 的是 买（0.73）")
    assert word(page, 6).get_attribute("class").startswith("word key")
    assert word(page, 4).get_attribute("class").startswith("word query")
    assert len(numbers(page)) == 8  # special tokens look at nobody here
    word(page, 3).hover()
    assert bands(page) == ["band-key"]
    assert "0.61" in numbers(page)


def test_options_change_the_pictures(page):
    open_at(page, "/?word=7")
    page.get_by_role("button", name="显示选项").click()
    with rerun(page):
        page.get_by_text("显示特殊词元", exact=True).click()
    assert "注意：特殊词元原来占 0.87" in said(page)
    assert page.locator(f"{CARD} .token").count() == 0
    with rerun(page):
        page.get_by_text("显示数字", exact=True).click()
    assert "0." not in said(page)
    assert numbers(page) == []
    with rerun(page):
        page.get_by_text("显示数字", exact=True).click()
    with rerun(page):
        page.locator(".st-key-decimals").get_by_text("5", exact=True).click()
    assert "0.59508" in said(page)
    assert all(len(number) == 7 for number in numbers(page))
    with rerun(page):
        page.locator(".st-key-scale").get_by_text("每行各自").click()
    assert page.locator(".scale").inner_text().split() == ["0", "该行最大值"]


def test_weak_lines_are_left_out(page):
    open_at(page, "/?least=10")
    assert page.locator(f"{CARD} .arc").count() == 2  # 苹果 and 超市
    open_at(page, "/?least=50&word=1")
    assert page.locator(f"{CARD} .arc").count() == 0
    assert "下限" in page.locator(f"{CARD} .aid").inner_text()


def test_the_row_is_copied_as_text(open_page):
    page = open_page(permissions=["clipboard-read", "clipboard-write"])
    open_at(page)
    page.get_by_role("button", name="复制成文字").click()
    page.get_by_role("button", name="已复制").wait_for()
    lines = page.evaluate("navigator.clipboard.readText()").splitlines()
    assert lines[0] == "第7层第3头里 买 →"
    assert lines[1:3] == ["苹果\t0.73", "超市\t0.11"]
    assert len(lines) == 11


def test_without_a_clipboard_the_text_is_still_copied(page):
    page.add_init_script("Object.defineProperty(navigator, 'clipboard', { value: undefined })")
    open_at(page)
    page.get_by_role("button", name="复制成文字").click()
    page.get_by_role("button", name="已复制").wait_for()
    assert page.locator(".plain").count() == 0
    sentence(page).fill("")
    sentence(page).press("Control+V")
    assert sentence(page).input_value().startswith("第7层第3头里 买 →")
    sentence(page).press("Escape")


def test_where_nothing_can_be_copied_the_text_is_there_to_select(page):
    page.add_init_script(
        "Object.defineProperty(navigator, 'clipboard', { value: undefined }); document.execCommand = () => false;"
    )
    open_at(page)
    page.get_by_role("button", name="复制成文字").click()
    plain = page.locator(".plain")
    plain.wait_for()
    lines = plain.input_value().splitlines()
    assert lines[:2] == ["第7层第3头里 买 →", "苹果\t0.73"]
    assert plain.evaluate("e => [e.selectionStart, e.selectionEnd]") == [0, len("\n".join(lines))]


def test_the_table_holds_the_numbers_that_the_heatmap_shows(page):
    open_at(page, "/?decimals=4")
    page.get_by_text("以表格查看").click()
    table = page.locator(".st-key-table table, table").first
    table.wait_for()
    rows = [row.split("\t") for row in table.locator("tbody").inner_text().splitlines()]
    assert len(rows) == 8
    assert rows[4][0] == "买"
    assert all(sum(map(float, row[1:])) == pytest.approx(1, abs=6e-4) for row in rows)
    assert rows[4][8].startswith("0.73")


def literal(text):
    """Without spaces and without the small numbers that tell repeated words apart."""
    return re.sub(r"[₀-₉\s]", "", text)


def test_hostile_text_is_text_in_every_view(page):
    open_at(page, f"/?text={quote(HOSTILE)}&word=1")
    shown = "".join(page.locator(f"{CARD} .word > text").all_text_contents())
    assert literal(shown) == literal(HOSTILE)
    page.get_by_text("以表格查看").click()
    page.locator("table").first.wait_for()
    head = page.locator("table tbody th").all_text_contents()
    assert literal("".join(head)) == literal(HOSTILE)
    page.locator(".cell").first.focus()
    page.keyboard.press("ArrowRight")
    assert page.locator("img[src=x]").count() == 0


@pytest.mark.parametrize("page_options", [{"viewport": {"width": 390, "height": 844}}])
def test_eight_words_fit_a_phone_and_a_long_sentence_scrolls_to_its_word(page):
    open_at(page)
    scroller = page.locator(f"{CARD} .scroller")
    assert scroller.evaluate("e => e.scrollWidth <= e.clientWidth")
    sizes = page.locator(f"{CARD} .word > text").evaluate_all(
        "all => all.map(e => parseFloat(e.getAttribute('font-size')))"
    )
    assert min(sizes) >= 15
    tokens = page.locator(f"{CARD} .token > text").evaluate_all("all => all.map(e => +e.getAttribute('font-size'))")
    assert min(tokens) >= 12.5
    open_at(page, f"/?text={quote(LONG)}&word=20")
    assert scroller.evaluate("e => e.scrollWidth > e.clientWidth")
    outer, inner = scroller.bounding_box(), word(page, 19).bounding_box()
    assert outer["x"] < inner["x"]
    assert inner["x"] + inner["width"] < outer["x"] + outer["width"]
    assert page.evaluate("document.querySelector('[data-testid=stMain]').scrollWidth") <= 390


def test_never_more_than_two_thousand_marks(page):
    words = " ".join(
        "我你他她它去来看听说读写吃喝玩乐走跑跳坐站睡醒开关买卖给拿放大小多少高低长短好坏新旧红黄蓝绿黑白春夏秋冬东西南北上下左右"
    )
    open_at(page, f"/?text={quote(words)}&word=0&least=0")
    drawn = page.locator(f"{CARD} svg[role=listbox]").evaluate("e => e.querySelectorAll('path, rect, text').length")
    assert page.locator(f"{CARD} .word").count() == 60
    assert 1800 < drawn <= 2000
    assert "只画了最强的" in page.locator(f"{CARD} .aid").inner_text()

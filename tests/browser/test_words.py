"""The words: chosen, cut, joined and taken back by mouse, touch and keyboard; typed with an input method."""

from __future__ import annotations

from contextlib import contextmanager
from urllib.parse import quote, urlsplit

import pytest
from playwright.sync_api import expect

from tests.browser.helpers import link, open_at, rerun, sentence, settle, type_sentence, wait_ready, witness_of

PIANO = "他从小学习钢琴。"
COARSE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}


def shown(page):
    """The words on the chips, in either mode."""
    return page.locator(".chip").all_text_contents()


def chosen(page):
    return page.locator(".chip[aria-checked=true], .chip.chosen").all_text_contents()


def button(page, name):
    return page.get_by_role("button", name=name, exact=True)


def seam(page, position):
    return page.locator(f"[data-id=seam-{position}]")


def focused(page):
    """What has the focus inside a view: its data-id, or its text."""
    return page.evaluate(
        """() => { let at = document.activeElement;
                   while (at.shadowRoot?.activeElement) at = at.shadowRoot.activeElement;
                   return at.dataset.id || at.textContent; }"""
    )


def hovered(page):
    """Collect what is announced from now on; returns a function that gives the last announcement."""
    page.evaluate("document.addEventListener('attn:hover', e => { window.lastHover = e.detail })")
    return lambda: page.evaluate("window.lastHover")


def announce(page, row, column):
    """What another view would say."""
    detail = {"from": "test", "row": row, "column": column}
    page.evaluate("detail => document.dispatchEvent(new CustomEvent('attn:hover', { detail }))", detail)


def edit(page):
    button(page, "改分词").click()


@contextmanager
def no_rerun(page):
    """Nothing in the block may ask the server."""
    before = witness_of(page).asked
    yield
    settle(page)
    assert witness_of(page).asked == before


def test_cut_and_join_by_mouse(page):
    open_at(page, f"/?text={quote(PIANO)}&layer=7&head=3&word=2")
    assert shown(page) == ["他", "从小", "学习", "钢琴", "。"]
    with no_rerun(page):
        edit(page)
    with rerun(page):
        button(page, "切开：从｜小").click()
    with rerun(page):
        button(page, "切开：学｜习").click()
    with rerun(page):
        button(page, "合并：小 + 学").click()
    assert shown(page) == ["他", "从", "小学", "习", "钢琴", "。"]
    assert link(page)["cut"] == "1.2.4.5.7"
    assert "切法不同" in page.locator(".st-key-card-sentence .note").inner_text()
    assert page.locator(".st-key-card-sentence .title").inner_text() == "已合并：小学"
    assert "小学" in page.locator(".st-key-heatmap .ytick").all_text_contents()
    with rerun(page):
        button(page, "恢复 jieba 的切法").click()
    assert shown(page) == ["他", "从小", "学习", "钢琴", "。"]
    assert "cut" not in link(page)
    assert button(page, "恢复 jieba 的切法").is_disabled()


def test_choosing_a_word_never_cuts_it(page):
    open_at(page)
    assert page.locator(".seam").count() == 0
    with rerun(page):
        page.locator(".chip", has_text="超市").click()
    with rerun(page):
        page.locator(".chip", has_text="超市").click()
    assert chosen(page) == []
    assert link(page)["word"] == "0"
    edit(page)
    with rerun(page):
        page.locator(".part", has_text="市").click()
    assert chosen(page) == ["超市"]
    assert "cut" not in link(page)


def test_cut_join_undo_and_redo_by_keyboard(page):
    open_at(page, f"/?text={quote(PIANO)}&word=3")
    button(page, "改分词").focus()
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")  # undo and redo have nothing to do yet
    assert focused(page) == "seam-1"
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    assert focused(page) == "seam-4"
    with rerun(page):
        page.keyboard.press("Enter")
    assert shown(page) == ["他", "从小", "学", "习", "钢琴", "。"]
    assert focused(page) == "seam-4"  # the focus stayed at its place
    page.keyboard.press("ArrowLeft")
    with rerun(page):
        page.keyboard.press("Space")
    assert shown(page) == ["他", "从小学", "习", "钢琴", "。"]
    assert focused(page) == "seam-3"
    with rerun(page):
        page.keyboard.press("Control+z")
    assert shown(page) == ["他", "从小", "学", "习", "钢琴", "。"]
    assert focused(page) == "seam-3"
    with rerun(page):
        page.keyboard.press("Control+z")
    assert shown(page) == ["他", "从小", "学习", "钢琴", "。"]
    with rerun(page):
        page.keyboard.press("Control+y")
    with rerun(page):
        page.keyboard.press("Control+Shift+z")
    assert shown(page) == ["他", "从小学", "习", "钢琴", "。"]
    page.keyboard.press("End")
    assert focused(page) == "seam-7"
    page.keyboard.press("ArrowRight")  # round the corner
    assert focused(page) == "seam-1"
    page.keyboard.press("Escape")
    assert focused(page) == "cut"
    assert page.locator(".seam").count() == 0


def test_every_seam_has_a_name_and_one_of_them_a_tab_stop(page):
    open_at(page, f"/?text={quote(PIANO)}")
    edit(page)
    seams = page.locator(".seam")
    assert seams.count() == 7
    names = seams.evaluate_all("seams => seams.map(seam => seam.getAttribute('aria-label'))")
    assert names[:3] == ["合并：他 + 从小", "切开：从｜小", "合并：从小 + 学习"]
    assert seams.evaluate_all("seams => seams.map(seam => seam.tabIndex)") == [0] + [-1] * 6
    assert page.get_by_role("toolbar", name="改分词").count() == 1


def test_white_space_always_cuts_and_says_so(page):
    open_at(page, f"/?text={quote('我爱 New York')}")
    edit(page)
    space = seam(page, 2)
    assert space.get_attribute("aria-disabled") == "true"
    with no_rerun(page):
        space.click(force=True)  # it is disabled in name only, so that it can be asked why
    assert page.locator(".st-key-card-sentence .title").inner_text() == "这里有空格，空格总是把词分开"
    assert shown(page)[-2:] == ["New", "York"]


def test_fast_edits_build_on_one_another(page):
    open_at(page, f"/?text={quote(PIANO)}")
    edit(page)
    page.evaluate(
        """() => { const root = [...document.querySelectorAll('*')].map(e => e.shadowRoot)
                     .find(root => root?.querySelector('.seam'));
                   for (const position of [2, 4, 6]) root.querySelector(`[data-id=seam-${position}]`).click(); }"""
    )
    page.wait_for_function("location.search.includes('cut=1.2.3.4.5.6.7')")
    wait_ready(page)
    assert shown(page) == list(PIANO)


def test_a_sentence_can_become_one_word(page):
    open_at(page, f"/?text={quote('弟弟喝茶')}")
    edit(page)
    while page.locator(".seam.join").count():
        with rerun(page):
            page.locator(".seam.join").first.click()
    assert shown(page) == ["弟弟喝茶"]
    assert link(page)["cut"] == "0"
    page.reload()
    page.wait_for_selector(".chip")
    wait_ready(page)
    assert shown(page) == ["弟弟喝茶"]


def test_a_cut_beyond_the_limit_is_refused_and_nothing_is_lost(page):
    text, cut = "我爱你们" * 16 + "好", ".".join(map(str, range(1, 64)))
    open_at(page, f"/?text={quote(text)}&cut={cut}")
    assert page.locator(".chip").count() == 64
    edit(page)
    before = shown(page)
    for _ in range(2):  # the second refusal is as good as the first
        with rerun(page):
            seam(page, 64).click()
        alert = page.locator("[data-testid=stAlert]").inner_text()
        assert "64" in alert
        assert "65" in alert
        assert shown(page) == before
        assert link(page)["cut"] == cut


@pytest.mark.parametrize("page_options", [COARSE])
def test_cut_by_touch(page):
    open_at(page, f"/?text={quote(PIANO)}")
    assert page.locator(".seam").count() == 0
    button(page, "改分词").tap()
    boxes = page.locator(".seam, .tool").evaluate_all("all => all.map(e => e.getBoundingClientRect())")
    assert boxes
    assert all(box["width"] >= 28 and box["height"] >= 28 for box in boxes)
    with rerun(page):
        button(page, "切开：学｜习").tap()
    assert shown(page) == ["他", "从小", "学", "习", "钢琴", "。"]
    assert page.evaluate("document.querySelector('[data-testid=stMain]').scrollWidth") <= 390


@pytest.mark.parametrize("page_options", [{"viewport": {"width": 390, "height": 844}}])
@pytest.mark.parametrize("text", ["supercalifragilisticexpialidocious很长", "好" * 64, "我 爱 你 " * 21 + "们"])
def test_nothing_sticks_out_of_a_phone_while_editing(page, text):
    open_at(page, f"/?text={quote(text)}")
    edit(page)
    card = page.locator(".st-key-card-sentence").bounding_box()
    right = page.locator(".part, .seam, .chip, .tool").evaluate_all(
        "all => Math.max(...all.map(e => e.getBoundingClientRect().right))"
    )
    assert right <= card["x"] + card["width"]


def test_the_locked_word_follows_its_first_character(page):
    open_at(page, f"/?text={quote(PIANO)}&word=3")
    assert chosen(page) == ["学习"]
    edit(page)
    with rerun(page):
        seam(page, 4).click()
    assert chosen(page) == ["学"]
    with rerun(page):
        seam(page, 3).click()
    assert chosen(page) == ["从小学"]
    with rerun(page):
        button(page, "撤销").click()
    assert chosen(page) == ["从小"]  # where 从小学 began


def test_undo_brings_back_the_sentence_before_with_its_cut(page):
    open_at(page, f"/?text={quote(PIANO)}")
    edit(page)
    with rerun(page):
        seam(page, 4).click()
    type_sentence(page, "弟弟把杯子打破了。")
    assert "cut" not in link(page)
    with rerun(page):
        button(page, "撤销").click()
    assert sentence(page).input_value() == PIANO
    assert shown(page) == ["他", "从小", "学", "习", "钢琴", "。"]
    with rerun(page):
        button(page, "重做").click()
    assert sentence(page).input_value() == "弟弟把杯子打破了。"
    assert button(page, "重做").is_disabled()


def test_undo_takes_back_a_sentence_that_does_not_fit(page):
    open_at(page, f"/?text={quote(PIANO)}")
    assert button(page, "撤销").is_disabled()
    type_sentence(page, "的" * 201)
    assert button(page, "改分词").is_disabled()  # the box holds another sentence than the chips
    with rerun(page):
        button(page, "撤销").click()
    assert sentence(page).input_value() == PIANO
    assert page.locator("[data-testid=stAlert]").count() == 0


def test_a_cut_survives_in_the_link(page, open_page):
    open_at(page, f"/?text={quote('我爱 New York 的小学习惯')}")
    edit(page)
    for position in (3, 6, 11):
        with rerun(page):
            seam(page, position).click()
    again = open_page()
    open_at(again, "/?" + urlsplit(page.url).query)
    assert shown(again) == shown(page)
    assert link(again) == link(page)
    assert (
        again.locator(".st-key-heatmap .ytick").all_text_contents()
        == page.locator(".st-key-heatmap .ytick").all_text_contents()
    )


def test_pointing_at_a_word_and_at_other_views(page):
    open_at(page, f"/?text={quote('猫喜欢猫')}&word=2")
    last = hovered(page)
    with no_rerun(page):
        page.locator(".chip").nth(2).hover()
        assert last() == {"from": "words", "row": 2, "column": None}
        page.mouse.move(5, 5)
        assert last() == {"from": "words", "row": None, "column": None}
        announce(page, 0, 2)
        assert page.locator(".chip.query").all_text_contents() == ["猫₁"]
        assert page.locator(".chip.key").all_text_contents() == ["猫₂"]
        announce(page, -1, None)
        assert page.locator(".chip.query, .chip.key").count() == 0
    assert page.get_by_role("radio", name="猫，第 2 次出现").count() == 1


def test_words_of_several_pieces_announce_their_first_row(page):
    open_at(page, f"/?text={quote('我用Transformer写诗')}&pieces=on&word=1")
    rows = page.locator(".st-key-heatmap .ytick").count()
    last = hovered(page)
    page.locator(".chip").last.hover()
    last_row = last()["row"]
    assert len(shown(page)) - 1 < last_row < rows
    announce(page, last_row - 1, 3)
    assert page.locator(".chip.query").all_text_contents() == [shown(page)[-2]]


def test_examples_by_keyboard(page):
    open_at(page, "/?text=" + quote("我爱你"))
    opener = page.get_by_test_id("stPopoverButton").filter(has_text="换一个例子")
    opener.focus()
    with rerun(page):
        page.keyboard.press("Enter")
    with rerun(page):
        page.get_by_role("radio", name="歧义").press("Enter")
    piano = button(page, PIANO)
    piano.focus()
    with rerun(page):
        page.keyboard.press("Enter")
    piano.wait_for(state="detached")
    assert sentence(page).input_value() == PIANO
    assert page.get_by_text("如果切成“小学”").is_visible()
    assert page.get_by_text("He has studied the piano").count() == 0  # a Chinese reader needs no translation
    with rerun(page):
        button(page, "撤销").click()
    assert sentence(page).input_value() == "我爱你"


@pytest.mark.parametrize("page_options", [COARSE])
def test_examples_by_touch(page):
    open_at(page)
    with rerun(page):
        page.get_by_test_id("stPopoverButton").filter(has_text="换一个例子").tap()
    with rerun(page):
        page.get_by_role("radio", name="把、被、比").tap()
    with rerun(page):
        button(page, "弟弟把杯子打破了。").tap()
    assert sentence(page).input_value() == "弟弟把杯子打破了。"
    assert page.get_by_test_id("stPopoverBody").count() == 0


def compose(page, letters, text, *, enter):
    """Type `letters` with an input method, confirm them as `text` with Enter as `enter` says it arrives."""
    cdp = page.context.new_cdp_session(page)
    key = {"code": "Enter", "key": "Enter"}
    cdp.send("Input.imeSetComposition", {"text": letters, "selectionStart": len(letters), "selectionEnd": len(letters)})
    assert sentence(page).input_value().endswith(letters)
    if enter == "composing":  # Chromium, Firefox: inside the composition
        cdp.send("Input.dispatchKeyEvent", {"type": "rawKeyDown", "windowsVirtualKeyCode": 13, **key})
    if enter == "process":  # Windows: the key belongs to the input method
        cdp.send(
            "Input.dispatchKeyEvent", {"type": "rawKeyDown", "windowsVirtualKeyCode": 229, **key, "key": "Process"}
        )
    cdp.send("Input.insertText", {"text": text})
    if enter == "after":  # Safari: the composition has ended, only the code tells
        cdp.send("Input.dispatchKeyEvent", {"type": "rawKeyDown", "windowsVirtualKeyCode": 229, **key})
    cdp.send("Input.dispatchKeyEvent", {"type": "keyUp", "windowsVirtualKeyCode": 13, **key})


@pytest.mark.parametrize("enter", ["composing", "process", "after"])
def test_enter_of_an_input_method_submits_nothing_and_loses_nothing(page, enter):
    open_at(page)
    before = page.url
    sentence(page).fill("我爱")
    with no_rerun(page):
        compose(page, "pingguo", "苹果", enter=enter)
        assert sentence(page).input_value() == "我爱苹果"
    assert page.url == before
    assert shown(page)[-2:] == ["苹果", "。"]
    with rerun(page):
        sentence(page).press("Enter")
    assert link(page)["text"] == "我爱苹果"
    assert shown(page) == ["我", "爱", "苹果"]


def test_text_that_the_box_cannot_hold_is_refused_aloud(open_page):
    page = open_page(permissions=["clipboard-read", "clipboard-write"])
    open_at(page, f"/?text={quote(PIANO)}")
    warning = page.locator(".st-key-card-sentence .warning")

    def paste(length):
        page.evaluate("length => navigator.clipboard.writeText('长'.repeat(length))", length)
        sentence(page).press("End")
        sentence(page).press("Control+V")

    with no_rerun(page):
        paste(4993)
        expect(warning).to_contain_text("5000")
        assert warning.get_attribute("role") == "alert"
        assert sentence(page).input_value() == PIANO
        paste(4992)  # one less fits, and is explained when it is entered
        assert len(sentence(page).input_value()) == 5000
        assert warning.count() == 0
    with rerun(page):
        sentence(page).press("Enter")
    assert "5000" in page.locator("[data-testid=stAlert]").inner_text()


@pytest.mark.parametrize("page_options", [{"viewport": {"width": 1920, "height": 1080}}])
def test_while_presenting_the_cut_can_be_changed_in_large_type(page):
    open_at(page, f"/?text={quote(PIANO)}&word=3")
    edit(page)
    small = seam(page, 1).bounding_box()
    with rerun(page):
        button(page, "投影").click()
    assert page.locator(".seam").count() == 0  # a class sees the words first
    edit(page)
    large = seam(page, 1).bounding_box()
    assert large["width"] == pytest.approx(1.5 * small["width"])
    assert large["height"] == pytest.approx(1.5 * small["height"])
    with rerun(page):
        page.locator(".part", has_text="钢").click()
    with rerun(page):
        page.keyboard.press("ArrowLeft")  # the keys are the lesson's
    assert chosen(page) == ["学习"]
    with rerun(page):
        button(page, "切开：学｜习").click()
    assert shown(page) == ["他", "从小", "学", "习", "钢琴", "。"]
    with no_rerun(page):
        page.keyboard.press("Escape")  # first out of the editor
    assert page.locator(".seam").count() == 0
    with rerun(page):
        page.keyboard.press("Escape")  # and then back to the page
    assert "present" not in link(page)
    assert page.locator(".seam").count() == 0

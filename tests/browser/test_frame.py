"""The introduction and presenter mode, as a class and its teacher meet them."""

from __future__ import annotations

from tests.browser.helpers import rerun
from tests.browser.test_explore import link, open_at, said


def test_a_first_visit_is_introduced_once(open_page):
    page = open_page(first_visit=True)
    open_at(page)
    dialog = page.locator("dialog")
    assert dialog.is_visible()
    assert "第 1 步，共 3 步" in dialog.inner_text()
    page.keyboard.press("Enter")  # the focus is on "next"
    assert "第 2 步，共 3 步" in dialog.inner_text()
    dialog.get_by_text("上一步").click()
    dialog.get_by_text("下一步").click()
    dialog.get_by_text("下一步").click()
    dialog.get_by_text("开始").click()
    assert not dialog.is_visible()
    open_at(page)
    assert page.locator("dialog").count() == 0


def test_the_introduction_can_be_skipped_and_comes_back_on_demand(open_page):
    for leave in ("click", "escape"):
        page = open_page(first_visit=True)
        open_at(page, "/?lang=en")
        if leave == "click":
            page.locator("dialog").get_by_text("Skip").click()
        else:
            page.keyboard.press("Escape")
        assert not page.locator("dialog").is_visible()
        with rerun(page):
            page.get_by_role("button", name="Introduction").click()
        assert page.locator("dialog").is_visible()
        assert "Step 1 of 3" in page.locator("dialog").inner_text()


def test_the_introduction_survives_a_rerun_below_it(open_page):
    page = open_page(first_visit=True)
    open_at(page)
    page.locator("dialog").get_by_text("下一步").click()
    page.emulate_media(color_scheme="dark")  # starts a run
    page.wait_for_timeout(800)
    assert "第 2 步，共 3 步" in page.locator("dialog").inner_text()


def test_presenting_by_keys_alone(page):
    open_at(page)
    with rerun(page):
        page.get_by_role("button", name="投影").click()
    assert page.locator(".st-key-text").count() == 0
    assert page.evaluate("parseFloat(getComputedStyle(document.documentElement).fontSize)") >= 24
    with rerun(page):
        page.keyboard.press("ArrowRight")
    with rerun(page):
        page.keyboard.press("ArrowDown")
    assert link(page)["word"] == "6"
    assert (link(page)["layer"], link(page)["head"]) == ("7", "4")
    for _ in range(2):
        with rerun(page):
            page.keyboard.press("ArrowUp")
    with rerun(page):
        page.keyboard.press("ArrowLeft")
    assert (link(page)["layer"], link(page)["head"], link(page)["word"]) == ("7", "2", "5")
    assert link(page)["numbers"] == "off"
    with rerun(page):
        page.keyboard.press("Space")
    assert "numbers" not in link(page)
    assert said(page).startswith("第7层第2头里，买 ")
    with rerun(page):
        page.keyboard.press("Escape")
    assert "present" not in link(page)
    assert page.locator(".st-key-text input").input_value() == "我昨天去超市买了苹果。"


def test_heads_go_round_through_all_layers(page):
    open_at(page, "/?layer=12&head=12&present=on")
    with rerun(page):
        page.keyboard.press("ArrowDown")
    assert (link(page)["layer"], link(page)["head"]) == ("1", "1")
    with rerun(page):
        page.keyboard.press("ArrowUp")
    assert (link(page)["layer"], link(page)["head"]) == ("12", "12")

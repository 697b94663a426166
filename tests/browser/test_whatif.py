"""动手改 in a real browser: the grid, a dragged row by mouse and keyboard, chips, a phone."""

from __future__ import annotations

import pytest

from attention_app.ui.packed import unpack
from tests.browser.helpers import link, rerun, wait_ready

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}


def open_at(page, query=""):
    page.goto(f"/whatif?{query}")
    page.wait_for_selector(".line.below .word")
    wait_ready(page)


def plan(page):
    return unpack(link(page).get("changes", ""))


def test_heads_and_rows_are_changed_by_mouse_and_keyboard(page):
    open_at(page)
    with rerun(page):
        page.get_by_role("gridcell", name="第7层第3头：开着").click()
    assert plan(page) == "h6.2"
    off = page.get_by_role("gridcell", name="第7层第3头：关着")
    off.focus()
    page.keyboard.press("ArrowDown")
    with rerun(page):
        page.keyboard.press("Enter")
    assert plan(page) == "h6.2;h7.2"
    page.wait_for_selector(".st-key-whatif-ripple .main-svg")
    with rerun(page):
        page.get_by_role("button", name="关掉 7·3").click()
    with rerun(page):
        page.locator(".st-key-plan-undo button").click()
    assert plan(page) == "h6.2;h7.2"
    with rerun(page):
        page.get_by_role("button", name="全部恢复").click()
    assert plan(page) == ""

    with rerun(page):
        page.get_by_role("radio", name="调一行权重").click()
    bar = page.get_by_role("slider", name="看 超市 的权重")
    box = bar.bounding_box()
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] - 5)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2, steps=4)
    with rerun(page):
        page.mouse.up()
    assert float(bar.get_attribute("aria-valuenow")) == pytest.approx(0.5, abs=0.03)
    values = [float(one.get_attribute("aria-valuenow")) for one in page.get_by_role("slider").all()]
    assert sum(values) == pytest.approx(1, abs=0.01)
    bar.focus()
    with rerun(page):
        page.keyboard.press("End")
    assert plan(page) == "r6.2.4=hand0.0.0.0.1000.0.0.0.0.0"
    assert (
        page.evaluate(
            "() => { let at = document.activeElement; while (at?.shadowRoot) at = at.shadowRoot.activeElement;"
            " return at?.getAttribute('aria-label'); }"
        )
        == "看 超市 的权重"
    )


def test_a_phone_holds_every_tool(open_page):
    page = open_page(**PHONE)
    for tool in ("heads", "words", "row"):
        open_at(page, f"tool={tool}")
        main = page.locator("[data-testid=stMain]")
        assert main.evaluate("it => it.scrollWidth <= it.clientWidth"), tool

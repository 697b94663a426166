"""比一比 in a real browser: bars, pairs by mouse and keyboard, the grid of heads, a phone, a link."""

from __future__ import annotations

from urllib.parse import quote

import pytest

from tests.browser.helpers import eventually, link, rerun, wait_chart, wait_ready

FULL, COLD = "小猫没有喝牛奶，因为它已经饱了。", "小猫没有喝牛奶，因为它已经凉了。"
PAIR = f"versus=sentences&text={quote(FULL)}&other={quote(COLD)}&word=7&layer=9&head=9"
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}


def open_at(page, query=PAIR):
    page.goto(f"/compare?{query}")
    page.wait_for_selector(".line.below .word")
    wait_ready(page)
    wait_chart(page, "compare-difference")


def heights(page, selector):
    """The bars' heights as shares of their tracks."""
    return page.locator(selector).evaluate_all("bars => bars.map((it) => parseFloat(it.style.height) / 100)")


def focused(page):
    return page.evaluate(
        "() => { let at = document.activeElement; while (at?.shadowRoot) at = at.shadowRoot.activeElement;"
        " return at?.getAttribute('aria-label') ?? null; }"
    )


def test_rows_pairs_and_the_grid_by_mouse_and_keyboard(page):
    open_at(page)
    above, below = page.locator(".line:not(.below) button.word"), page.locator(".line.below button.word")
    assert above.count() == below.count() == 11
    assert max(heights(page, ".line:not(.below) .fill")) == pytest.approx(0.88, abs=0.005)
    assert max(heights(page, ".line.below .fill")) == pytest.approx(0.64, abs=0.005)

    below.nth(6).hover()
    assert page.locator(".middle path.lit").count() == 1
    assert above.nth(6).evaluate("it => it.classList.contains('lit')")

    with rerun(page):  # 它 belongs to 牛奶 now
        below.nth(3).click()
    assert "7-4" in link(page)["pairs"].split(".")
    assert below.nth(3).evaluate("it => it.classList.contains('chosen')")

    above.nth(6).focus()
    page.keyboard.press("ArrowRight")
    assert focused(page).startswith("选 已经 ")
    with rerun(page):
        page.keyboard.press("Enter")
    assert link(page)["word"] == "8"
    eventually(page, lambda: (focused(page) or "").startswith("选 已经 "))

    with rerun(page):
        page.get_by_role("button", name="恢复自动配对").click()
    assert "pairs" not in link(page)

    page.get_by_role("gridcell", name="第9层第9头", exact=False).focus()
    page.keyboard.press("ArrowUp")
    assert focused(page).startswith("第8层第9头：")
    with rerun(page):
        page.keyboard.press("Enter")
    assert (link(page)["layer"], link(page)["head"]) == ("8", "9")


def test_a_link_restores_the_comparison_and_a_phone_shows_it(open_page):
    page = open_page(**PHONE)
    open_at(page, f"{PAIR}&pairs=7-4.1-1")
    main = page.locator("[data-testid=stMain]")
    assert main.evaluate("it => it.scrollWidth <= it.clientWidth")
    chosen = page.locator(".line:not(.below) .word.chosen")
    assert chosen.evaluate(
        "it => { const box = it.closest('.scroll').getBoundingClientRect(), own = it.getBoundingClientRect();"
        " return own.left >= box.left && own.right <= box.right; }"
    ), "the word that looks is in sight"
    assert page.locator(".middle path").count() == 2
    small = page.locator(".line button.word").evaluate_all("all => all.filter((it) => it.offsetHeight < 32).length")
    assert not small

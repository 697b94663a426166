"""带走 on 一步一步 and 多头与拼接: the page that was taken along, opened without a server."""

from __future__ import annotations

import pytest

from tests.browser.helpers import wait_ready

PHONE = {"viewport": {"width": 390, "height": 844}}


@pytest.fixture
def open_taken(open_page, browser, tmp_path):
    """open_taken("steps?step=3", **options): the page's file, in a browser that has no network; no error is allowed."""
    errors, opened = [], []

    def open_(path, **options):
        page = open_page()
        page.goto(f"/{path}")
        button = page.locator(".st-key-take-page button")
        button.wait_for()
        wait_ready(page)
        with page.expect_download() as waiting:
            button.click()
        file = tmp_path / "page.html"
        waiting.value.save_as(file)
        alone = browser.new_context(offline=True, **options).new_page()
        opened.append(alone)
        alone.on("pageerror", lambda error: errors.append(str(error)))
        alone.on("console", lambda message: errors.append(message.text) if message.type == "error" else None)
        alone.goto(file.as_uri())
        alone.wait_for_selector("[data-paint]")
        return alone

    yield open_
    for page in opened:
        page.context.close()
    assert not errors


def panel(page, name):
    return page.locator(f'.matrix[data-name="{name}"]').first


def test_cells_of_the_page_are_linked_without_a_server(open_taken):
    page = open_taken("steps?step=0", color_scheme="dark")
    cell = panel(page, "scores").locator('td[data-at="3,4"]')
    cell.hover()
    assert page.locator(".place").filter(has_text="scores[去, 超市]").first.inner_text().endswith("= 57.35")
    assert panel(page, "Q").locator(".row-label.lit").first.inner_text() == "去"
    assert panel(page, "attn_weights").locator("td.here").get_attribute("data-at") == "3,4"  # in another card
    cell.click()
    page.keyboard.press("ArrowRight")
    assert page.locator(".place").filter(has_text="scores[去, 买]").count()
    colors = page.evaluate(
        "() => [document.body, document.querySelector('.card')].map(e => getComputedStyle(e).backgroundColor)"
    )
    assert colors == ["rgb(20, 22, 27)", "rgb(28, 31, 38)"]


def test_the_heads_of_the_page_follow_each_other_and_fit_a_phone(open_taken):
    page = open_taken("multihead?lang=en&text=<b>我爱你</b>", **PHONE)
    assert page.locator("h1").inner_text() == "<b>我爱你</b>"
    assert page.locator(".tile").count() == 12
    assert page.locator(".switch").count() == 0
    assert page.evaluate("document.documentElement.scrollWidth") == 390
    page.locator(".bar.word, .block .face").first.hover()
    assert page.locator(".concat .names .here").count() == 1

"""The server ends and starts again below an open page: a teacher's laptop that went to sleep, a new version."""

from __future__ import annotations

from contextlib import ExitStack

from playwright.sync_api import expect

from tests.browser.helpers import SKIP_INTRODUCTION, Witness, link, open_at, rerun, said, type_sentence
from tests.browser.server import free_port, serve

BAR = ".st-key-reconnect .bar"
WATCH = """() => new MutationObserver(changes => {
    const added = changes.flatMap(({ addedNodes }) => [...addedNodes]);
    if (added.some(({ textContent }) => textContent.includes("Connection error"))) window.dialogCame = true;
}).observe(document.body, { childList: true, subtree: true })"""


def test_the_page_goes_on_without_its_server_and_comes_back_with_what_was_on_it(browser):
    # A page of its own, not `open_page`: the errors of a browser whose server is gone are expected here.
    port = free_port()
    context = browser.new_context(locale="zh-CN", reduced_motion="reduce", viewport={"width": 1280, "height": 800})
    context.add_init_script(SKIP_INTRODUCTION)
    page = context.new_page()
    witness = Witness()
    witness.watch(page)
    with serve(port=port) as server:
        open_at(page, server.url)
        type_sentence(page, "我从小学习钢琴。")
        with rerun(page):
            page.locator(".chip", has_text="钢琴").click()
        before, sentence, words = link(page), said(page), page.locator(".chip").all_inner_texts()
        page.evaluate(WATCH)
    expect(page.locator("[data-testid=stApp]")).not_to_have_attribute("data-test-connection-state", "CONNECTED")
    expect(page.locator(BAR)).to_be_visible()
    assert "连接断了" in page.locator(BAR).inner_text()

    # What needs no server goes on: a word under the pointer shows its own row, marked in every view.
    page.locator(".st-key-card-lines .word").nth(2).hover()
    assert page.locator(".st-key-card-lines .word.query").all_text_contents() == [words[2]]
    assert page.locator(".attention-marks .band-query").count() == 1
    page.locator(".map").nth(3 * 12 + 4).hover()
    assert page.locator(".preview .name").inner_text().startswith("第4层第5头")
    page.wait_for_function("window.dialogCame")  # Streamlit's own, in English, which would lock the page
    expect(page.get_by_role("dialog")).to_have_count(0, timeout=5_000)
    page.mouse.move(5, 5)

    with ExitStack() as stack:
        with rerun(page, timeout=90_000):
            stack.enter_context(serve(port=port))
        expect(page.locator("p.said[aria-live]")).to_have_text(sentence)
        expect(page.locator(".st-key-text input")).to_have_value("我从小学习钢琴。")
        assert page.locator(".chip").all_inner_texts() == words
        assert link(page) == before
        expect(page.locator(BAR)).to_be_hidden()
        with rerun(page):  # and it goes on
            page.locator(".chip", has_text="学习").click()
        assert "，学习 " in said(page)
    context.close()
    assert not witness.external()


def test_what_was_clicked_without_a_server_is_done_when_it_is_back(browser):
    port = free_port()
    context = browser.new_context(locale="en-US", reduced_motion="reduce", viewport={"width": 1280, "height": 800})
    context.add_init_script(SKIP_INTRODUCTION)
    page = context.new_page()
    Witness().watch(page)
    with serve(port=port) as server:
        open_at(page, f"{server.url}/?lang=en")
    expect(page.locator(BAR)).to_be_visible()
    assert "connection to the server is lost" in page.locator(BAR).inner_text()
    page.locator(".map").nth(7 * 12 + 4).click()
    page.locator(".chip", has_text="苹果").click()
    page.locator(".chip", has_text="超市").click()
    with serve(port=port):
        expect(page.locator("p.said[aria-live]")).to_contain_text("In layer 8, head 5, 超市 ", timeout=90_000)
        assert (link(page)["layer"], link(page)["head"], link(page)["word"]) == ("8", "5", "4")
    context.close()

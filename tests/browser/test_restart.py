"""The server ends and starts again below an open page: a teacher's laptop that went to sleep, a new version."""

from __future__ import annotations

from contextlib import ExitStack

from playwright.sync_api import expect

from tests.browser.helpers import SKIP_INTRODUCTION, Witness, link, open_at, rerun, said, type_sentence
from tests.browser.server import free_port, serve


def test_the_page_comes_back_with_what_was_on_it(browser):
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
    expect(page.locator("[data-testid=stApp]")).not_to_have_attribute("data-test-connection-state", "CONNECTED")
    with ExitStack() as stack:
        with rerun(page, timeout=90_000):
            stack.enter_context(serve(port=port))
        expect(page.locator("p.said[aria-live]")).to_have_text(sentence)
        expect(page.locator(".st-key-text input")).to_have_value("我从小学习钢琴。")
        assert page.locator(".chip").all_inner_texts() == words
        assert link(page) == before
        with rerun(page):  # and it goes on
            page.locator(".chip", has_text="学习").click()
        assert "，学习 " in said(page)
    context.close()
    assert not witness.external()

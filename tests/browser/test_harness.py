"""The harness itself: a witness that could not complain would make every browser test worth less."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.browser import chromium
from tests.browser.conftest import OpenPage
from tests.browser.contexts import KEPT, QUIET, Contexts
from tests.browser.helpers import Witness, eventually, is_local, rerun, wait_ready
from tests.browser.server import Server, serve

STRANGER = "http://stranger.example/x.png"


def see(browser: Browser, html: str, *, quiet: bool = False) -> Witness:
    """What the witness of a page holds when it first complains; of a quiet page, when it does so on demand."""
    context = browser.new_context()
    page = context.new_page()
    witness = Witness()
    witness.watch(page)
    page.set_content(html, wait_until="networkidle" if quiet else "commit")
    if quiet:
        page.evaluate("console.error('on demand')")
    eventually(page, witness.complaints)
    context.close()
    return witness


def test_a_quiet_page_gives_no_complaint(browser: Browser) -> None:
    html = "<p>你好</p><img src='data:image/gif;base64,R0lGODlhAQABAAAAACw='>"
    assert see(browser, html, quiet=True).complaints() == ["console: on demand ()"]


@pytest.mark.parametrize(
    "html",
    [
        f"<img src='{STRANGER}'>",
        f"<script>fetch('{STRANGER}').catch(() => null)</script>",
        f"<link rel=stylesheet href='{STRANGER}'>",
        f"<style>@font-face {{font-family: f; src: url('{STRANGER}')}} p {{font-family: f}}</style><p>你好</p>",
        "<script>new WebSocket('ws://stranger.example/x.png')</script>",
    ],
)
def test_a_request_for_another_host_is_seen(browser: Browser, html: str) -> None:
    assert [url.partition(":")[2] for url in see(browser, html).external()] == ["//stranger.example/x.png"]


@pytest.mark.parametrize("script", ["console.error('broken')", "throw new Error('broken')"])
def test_an_error_in_the_page_is_seen(browser: Browser, script: str) -> None:
    complaints = see(browser, f"<script>{script}</script>").complaints()
    assert len(complaints) == 1
    assert "broken" in complaints[0]


@pytest.mark.parametrize(
    ("url", "local"),
    [
        ("http://127.0.0.1:8501/_stcore/stream", True),
        ("blob:http://127.0.0.1:8501/1", True),
        ("http://127.0.0.1.stranger.example/", False),
        ("https://127.0.0.1@stranger.example/", False),
        ("//stranger.example/", False),
    ],
)
def test_only_this_machine_is_local(url: str, local: bool) -> None:
    assert is_local(url) is local


def test_a_traceback_of_the_server_is_seen_and_the_server_ends(tmp_path: Path) -> None:
    script = tmp_path / "app.py"
    script.write_text("import streamlit as st\nst.write('你好')\n", encoding="utf-8")
    with serve(script) as server:
        assert server.errors() == ""
        with server.log_file.open("a") as log:
            log.write("Traceback (most recent call last):\n  broken")
        assert "broken" in server.errors()
        pid = server.pid
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


def test_a_server_that_cannot_start_says_why(tmp_path: Path) -> None:
    with pytest.raises(RuntimeError, match="does not exist"), serve(tmp_path / "missing.py"):
        pass


def test_without_a_browser_the_tests_fail_and_say_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CHROMIUM", raising=False)
    monkeypatch.setattr(chromium, "_candidates", lambda: iter(()))
    with pytest.raises(chromium.NoChromiumError, match="sudo apt-get install chromium"):
        chromium.require()


def test_a_wrongly_named_browser_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CHROMIUM", "/no/such/browser")
    with pytest.raises(chromium.NoChromiumError, match="/no/such/browser"):
        chromium.require()


def test_a_rerun_is_waited_for_however_short_it_is(tmp_path: Path, open_page: OpenPage) -> None:
    script = tmp_path / "app.py"
    script.write_text(
        "import streamlit as st\nst.text(f'{len(st.text_input(\"句子\"))} characters')\n", encoding="utf-8"
    )
    with serve(script, STREAMLIT_BROWSER_GATHER_USAGE_STATS="false") as server:
        page = open_page(server)
        page.goto("/")
        wait_ready(page)
        box = page.locator("[data-testid=stTextInput] input")
        for n in range(1, 16):
            with rerun(page):
                box.fill("字" * n)
                box.press("Enter")
            assert page.locator("[data-testid=stText]").inner_text() == f"{n} characters"
        with pytest.raises(TimeoutError, match="no rerun"), rerun(page, timeout=300):
            pass


LEFT = """async () => [/test=1/.test(document.cookie), localStorage.length, sessionStorage.length,
                        (await indexedDB.databases()).length,
                        (await navigator.permissions.query({ name: "clipboard-read" })).state]"""


def test_a_kept_context_holds_nothing_of_the_test_before(browser: Browser, server: Server) -> None:
    contexts = Contexts(browser)
    before = contexts.page(server.url, first_visit=True)
    before.goto(QUIET)
    before.context.grant_permissions(["clipboard-read"])
    before.evaluate(
        """() => { document.cookie = "test=1; max-age=999"; localStorage.a = sessionStorage.a = 1;
                   return new Promise(done => { indexedDB.open("a").onsuccess = done; }).then(() => null); }"""
    )
    assert before.evaluate(LEFT) == [True, 1, 1, 1, "granted"]
    kept = before.context
    contexts.give_back(before)
    after = contexts.page(server.url, first_visit=True)
    assert after.context is kept
    after.goto(QUIET)
    assert after.evaluate(LEFT) == [False, 0, 0, 0, "prompt"]
    contexts.give_back(after, keep=False)


def test_a_context_is_lent_to_one_page_of_its_own_options(browser: Browser, server: Server) -> None:
    contexts, existing = Contexts(browser), len(browser.contexts)
    dark = {"first_visit": False, "color_scheme": "dark"}
    first = contexts.page(server.url, **dark)
    second = contexts.page(server.url, **dark)
    assert first.context is not second.context
    contexts.give_back(first)
    light = contexts.page(server.url, first_visit=False, color_scheme="light")
    new = contexts.page(server.url, first_visit=True, color_scheme="dark")
    assert len({page.context for page in (first, second, light, new)}) == 4
    for page in (second, light, new):
        contexts.give_back(page)
    last = contexts.page(server.url, first_visit=False, locale="en-US")
    contexts.give_back(last)
    assert len(browser.contexts) == existing + KEPT  # the one that was used least recently is closed
    assert first.context not in browser.contexts
    for context in browser.contexts[existing:]:
        context.close()

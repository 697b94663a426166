"""Fixtures of the browser tests: a real server, a real Chromium, and a witness for every page.

    def test_x(page):              page of the shared server: page.goto("/?text=...")
    def test_x(open_page):         open_page(viewport=..., color_scheme="dark", locale="en-US"), any number
    def test_x(fresh_server, open_page):   open_page(fresh_server): a server nobody has opened before

Contexts are kept and emptied between tests (contexts.py). A test that uses the pages fails at its end if a request
asked for another host than 127.0.0.1, if the page wrote an error to the console or threw one, or if the server
printed a traceback. Without a Chromium they all fail; they never skip.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from tests.browser import chromium
from tests.browser.contexts import Contexts
from tests.browser.helpers import TIMEOUT, Witness
from tests.browser.server import Server, serve

VIEWPORT = {"width": 1280, "height": 800}
OpenPage = Callable[..., Page]
expect.set_options(timeout=TIMEOUT)


# "package" is this folder: Playwright's event loop and the server end before other tests run in this process.
@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    path = chromium.require()
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=path, args=[*chromium.FLAGS])
        yield started
        started.close()


@pytest.fixture(scope="package")
def server() -> Iterator[Server]:
    """The app as `make run` serves it, shared by all browser tests."""
    with serve() as started:
        yield started


@pytest.fixture
def fresh_server() -> Iterator[Server]:
    """A server of its own for a test that must be the first to open it."""
    with serve() as started:
        yield started


@pytest.fixture
def page_options() -> dict[str, Any]:
    """Options of `page`: override with @pytest.mark.parametrize("page_options", [{"color_scheme": "dark"}])."""
    return {}


@pytest.fixture(scope="package")
def contexts(browser: Browser) -> Contexts:
    return Contexts(browser)


@pytest.fixture
def open_page(contexts: Contexts, request: pytest.FixtureRequest) -> Iterator[OpenPage]:
    """Open pages, each in a context of its own: pages of one test share no cookies, storage or permissions."""
    opened: list[tuple[Page, Witness, Server, int, bool]] = []

    def open_(server: Server | None = None, *, first_visit: bool = False, **options: Any) -> Page:
        shared = server is None  # only such a page can be of use to another test
        server = server or request.getfixturevalue("server")
        options = {"viewport": VIEWPORT, "locale": "zh-CN", "reduced_motion": "reduce", **options}
        page = contexts.page(server.url, first_visit=first_visit, **options)
        witness = Witness()
        witness.watch(page)
        opened.append((page, witness, server, server.log_size(), shared))
        return page

    yield open_

    complaints: list[str] = []
    for page, witness, server, log_start, shared in opened:
        complaints += witness.complaints()
        contexts.give_back(page, keep=shared)
        complaints += filter(None, [server.errors(log_start)])
    if complaints:
        pytest.fail("\n".join(dict.fromkeys(complaints)), pytrace=False)


@pytest.fixture
def page(open_page: OpenPage, page_options: dict[str, Any]) -> Page:
    """A page of the shared server, not yet opened: page.goto("/")."""
    return open_page(**page_options)

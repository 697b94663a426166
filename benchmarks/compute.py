"""一步一步 and 多头与拼接: bytes and server time of what people do there, and how long matrices take to paint.

python -m benchmarks.compute
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

from benchmarks.app import HEADER, ROUNDS, Frames, Row, row, show
from tests.browser import chromium
from tests.browser.helpers import SKIP_INTRODUCTION, Witness, eventually, rerun, wait_ready
from tests.browser.server import serve

ROOT = Path(__file__).parents[1]
MATRICES = ROOT / "tests" / "browser" / "apps" / "matrix.py"
SEVEN = "我昨天买了苹果"  # 5 words, 7 positions of the real model
MAX_PAINT_MS = 100
Act = Callable[[], object]


@contextmanager
def opened(browser: Browser, url: str) -> Iterator[tuple[Page, Frames]]:
    """A page on which a linked matrix is drawn, and the record of its websocket."""
    context = browser.new_context(viewport={"width": 1280, "height": 900}, locale="zh-CN")
    context.add_init_script(SKIP_INTRODUCTION)
    page = context.new_page()
    Witness().watch(page)
    frames = Frames()
    session = context.new_cdp_session(page)
    session.send("Network.enable")
    session.on("Network.webSocketFrameSent", frames.sent)
    session.on("Network.webSocketFrameReceived", frames.received)
    page.goto(url)
    page.wait_for_selector("[data-paint]")
    wait_ready(page)
    yield page, frames
    context.close()


def measure(page: Page, frames: Frames, name: str, acts: list[Act]) -> Iterator[Row]:
    received, server = [], []
    for act in acts:
        frames.clear()
        with rerun(page):
            act()
        received.append(frames.n_bytes / 1000)
        server.append(1000 * frames.run_s)
    yield row(f"{name}: bytes received", received, "kB")
    yield row(f"{name}: request to script finished", server, "ms", "< 200")


def steps(browser: Browser, url: str) -> Iterator[Row]:
    """Each step opened for the first time and again; then cells of the scores and of Q."""
    with opened(browser, f"{url}/steps") as (page, frames):

        def turn(by: str) -> list[Act]:
            return [lambda: page.keyboard.press(f"Arrow{by}")] * 6

        yield from measure(page, frames, "steps, the next one", turn("Right"))
        yield from measure(page, frames, "steps, back", turn("Left"))
    for step, what in ((2, "a cell of Q"), (3, "a cell of the scores")):
        with opened(browser, f"{url}/steps?step={step}") as (page, frames):
            cells = page.locator("table.numbers").last.locator("td")
            yield from measure(page, frames, f"steps, {what}", [cells.nth(11 * i % 50).click for i in range(ROUNDS)])


def multihead(browser: Browser, url: str) -> Iterator[Row]:
    with opened(browser, f"{url}/multihead") as (page, frames):
        tiles, switches, chips = page.locator(".tile"), page.locator(".switch"), page.locator(".chip")
        yield from measure(page, frames, "heads, another head", [tiles.nth(i % 12).click for i in range(ROUNDS)])
        yield from measure(page, frames, "heads, one off or on", [switches.nth(i % 4).click for i in range(ROUNDS)])
        yield from measure(page, frames, "heads, another word", [chips.nth(i % 8).click for i in range(ROUNDS)])


def paint(browser: Browser) -> Iterator[Row]:
    """Eight matrices of 7 x 32 in the browser, by their own clocks."""
    times = []
    with (
        serve(MATRICES, PYTHONPATH=str(ROOT)) as server,
        opened(browser, f"{server.url}/?scene=eight&text={SEVEN}") as (page, _),
    ):
        for _ in range(ROUNDS):
            page.reload()
            drawn = page.locator("[data-paint]")
            eventually(page, lambda drawn=drawn: drawn.count() == 8)
            times.append(sum(drawn.evaluate_all("all => all.map(e => Number(e.dataset.paint))")))
    yield row("eight matrices of 7 x 32: painting", times, "ms", f"< {MAX_PAINT_MS}")


def rows() -> Iterator[Row]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium.require(), args=[*chromium.FLAGS])
        with serve() as server:
            yield from steps(browser, server.url)
            yield from multihead(browser, server.url)
        yield from paint(browser)
        browser.close()


def main() -> None:
    show([HEADER, *rows()])


if __name__ == "__main__":
    main()

"""The running app: first picture, time and bytes of an interaction, memory. A real server and a real Chromium.

    python -m benchmarks.app

Bytes and times of the websocket are Chromium's own records (DevTools protocol), not ours, so a busy test process does
not disturb them. Every sentence is new to the server unless the row says otherwise.
"""

from __future__ import annotations

import base64
import itertools
import os
import statistics
import subprocess
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, CDPSession, Page, sync_playwright
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from attention_core.words import load_examples, segment
from attention_core.words.word import join_words
from tests.browser import chromium
from tests.browser.helpers import SKIP_INTRODUCTION, Witness, rerun, wait_chart
from tests.browser.server import serve

ROUNDS = 12
SIZES = (9, 64)
MAX_BYTES = {9: 60_000, 64: 150_000}
MAX_FIRST_PICTURE_S = 3.0
MAX_MEMORY_MB = 500
HEADER = ("what", "median", "most", "unit", "aim")
Row = tuple[str, str, str, str, str]

_TIME_THE_PICTURE = """
const now = () => performance.timeOrigin + performance.now();
window.__asked = 0; window.__drawn = 0;
for (const event of ['keydown', 'pointerdown'])
  addEventListener(event, e => { if (event !== 'keydown' || e.key === 'Enter') window.__asked = now(); }, true);
new MutationObserver(records => {
  const inside = records.some(r => r.target.closest && r.target.closest('.st-key-heatmap'));
  if (inside) window.__drawn = now();
}).observe(document.body, {subtree: true, childList: true, attributes: true});
"""


@dataclass
class Frames:
    """What passed over the websocket since `clear`."""

    n_bytes: int = 0
    asked: float | None = None
    finished: float | None = None
    parts: Counter[str] = field(default_factory=Counter)  # bytes by what they are for

    def clear(self) -> None:
        self.n_bytes, self.asked, self.finished, self.parts = 0, None, None, Counter()

    @property
    def run_s(self) -> float:
        """Seconds from the first request to the last "script finished"."""
        assert self.asked is not None
        assert self.finished is not None
        return self.finished - self.asked

    def sent(self, event: dict[str, Any]) -> None:
        self.asked = self.asked or event["timestamp"]

    def received(self, event: dict[str, Any]) -> None:
        response = event["response"]
        if response["opcode"] != 2:
            return
        payload = base64.b64decode(response["payloadData"])
        self.n_bytes += len(payload)
        message = ForwardMsg.FromString(payload)
        self.parts[part_of(message)] += len(payload)
        if message.WhichOneof("type") == "script_finished":
            self.finished = event["timestamp"]


def part_of(message: ForwardMsg) -> str:
    """What a message brings: the kind of element, with the name of a component of ours."""
    if message.WhichOneof("type") != "delta":
        return str(message.WhichOneof("type"))
    element = message.delta.new_element
    return element.bidi_component.component_name or str(element.WhichOneof("type") or "container")


def sentences(n_words: int) -> Iterator[str]:
    """Different sentences of n words: windows over the words of all examples."""
    words = [word for example in load_examples() if example.language == "zh" for word in segment(example.sentence)]
    for start in range(len(words) - n_words):
        text = join_words(words[start : start + n_words])
        if len(segment(text)) == n_words:
            yield text


@contextmanager
def opened(browser: Browser, url: str) -> Iterator[tuple[Page, Frames]]:
    """A page of the app in which a picture is drawn, and the record of its websocket."""
    context = browser.new_context(viewport={"width": 1280, "height": 900}, locale="zh-CN")
    context.add_init_script(SKIP_INTRODUCTION)
    page = context.new_page()
    Witness().watch(page)
    frames = Frames()
    session: CDPSession = context.new_cdp_session(page)
    session.send("Network.enable")
    session.on("Network.webSocketFrameSent", frames.sent)
    session.on("Network.webSocketFrameReceived", frames.received)
    page.goto(url)
    wait_chart(page, "heatmap")
    yield page, frames
    context.close()


def interaction(page: Page, frames: Frames, act: Callable[[], None]) -> tuple[float, float, float]:
    """Do one thing; kilobytes received, ms from the request to "script finished", ms from the key to the picture."""
    page.wait_for_timeout(150)
    frames.clear()
    with rerun(page):
        act()
    page.wait_for_timeout(600)  # until the picture has settled
    drawn = page.evaluate("window.__drawn - window.__asked")
    return frames.n_bytes / 1000, 1000 * frames.run_s, drawn


def measure(page: Page, frames: Frames, name: str, acts: list[Callable[[], None]], max_bytes: int) -> list[Row]:
    results = [interaction(page, frames, act) for act in acts]
    received, server, drawn = (list(column) for column in zip(*results, strict=True))
    return [
        row(f"{name}: bytes received", received, "kB", f"<= {max_bytes // 1000}"),
        row(f"{name}: request to script finished", server, "ms"),
        row(f"{name}: key or click to last change of the picture", drawn, "ms"),
    ]


def row(what: str, values: list[float], unit: str, aim: str = "", digits: int = 0) -> Row:
    return (what, f"{statistics.median(values):.{digits}f}", f"{max(values):.{digits}f}", unit, aim)


def type_in(page: Page, text: str) -> Callable[[], None]:
    box = page.locator(".st-key-text input")

    def act() -> None:
        box.fill(text)
        box.press("Enter")

    return act


def interactions(browser: Browser, url: str, notes: list[str]) -> Iterator[Row]:
    with opened(browser, url) as (page, frames):
        page.evaluate(f"() => {{{_TIME_THE_PICTURE}}}")
        for n in SIZES:
            new = list(itertools.islice(sentences(n), 0, 4 * ROUNDS, 4))
            yield from measure(page, frames, f"{n} words, new", [type_in(page, text) for text in new], MAX_BYTES[n])
            largest = ", ".join(f"{part} {size / 1000:.1f}" for part, size in frames.parts.most_common(6))
            notes.append(f"{n} words, new, kB by element: {largest}")
            known = [type_in(page, text) for text in new[:-1]]
            yield from measure(page, frames, f"{n} words, seen before", known, MAX_BYTES[n])
            picks: list[Callable[[], None]] = [page.locator(".chip").nth(i % n).click for i in range(ROUNDS)]
            yield from measure(page, frames, f"{n} words, other word picked", picks, MAX_BYTES[n])


def first_picture(browser: Browser) -> Iterator[Row]:
    """From the start of the server process to the drawn heatmap, on servers that nobody has opened before."""
    ready, finished, drawn, again = [], [], [], []
    for _ in range(3):
        with serve() as server:
            ready.append(time.perf_counter() - server.spawned)
            with opened(browser, server.url) as (_, frames):
                drawn.append(time.perf_counter() - server.spawned)
                finished.append(frames.run_s)
            visit = time.perf_counter()
            with opened(browser, server.url):
                again.append(time.perf_counter() - visit)
    yield row("start to the server answering", ready, "s", digits=2)
    yield row("first visit: connected to script finished", finished, "s", digits=2)
    yield row("start to the first picture", drawn, "s", f"< {MAX_FIRST_PICTURE_S:.0f}", digits=2)
    yield row("second visit, nothing cached: opened to picture", again, "s", digits=2)


def memory_mb(pid: int) -> float:
    """Resident memory of a process."""
    status = Path(f"/proc/{pid}/status")
    if status.exists():
        kilobytes = next(line.split()[1] for line in status.read_text().splitlines() if line.startswith("VmRSS"))
    else:
        kilobytes = subprocess.run(
            ["ps", "-o", "rss=", "-p", str(pid)], capture_output=True, text=True, check=True
        ).stdout
    return int(kilobytes) / 1024


def rows(notes: list[str]) -> Iterator[Row]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium.require(), args=[*chromium.FLAGS])
        yield from first_picture(browser)
        with serve() as server:
            yield from interactions(browser, server.url, notes)
            yield row("memory of the server after all this", [memory_mb(server.pid)], "MB", f"< {MAX_MEMORY_MB}")
        browser.close()


def show(table: Sequence[tuple[str, ...]]) -> None:
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    for what, *cells in table:
        print("  ".join([what.ljust(widths[0]), *map(str.rjust, cells, widths[1:])]).rstrip())


def main() -> None:
    print(f"{os.cpu_count()} cores, medians of {ROUNDS}", flush=True)
    notes: list[str] = []
    show([HEADER, *rows(notes)])
    print(*notes, sep="\n")


if __name__ == "__main__":
    main()

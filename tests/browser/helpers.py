"""What a browser test waits for and looks at."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import parse_qs, urlsplit
from weakref import WeakKeyDictionary

from playwright.sync_api import ConsoleMessage, Error, Locator, Page, Request, WebSocket
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

TIMEOUT = 60_000  # ms; generous, because a busy machine is slow and only a failing test waits this long
OUTPUT = Path(__file__).parent / "output"
IDLE = "[data-testid=stApp][data-test-script-state=notRunning][data-test-connection-state=CONNECTED]"
SKIP_INTRODUCTION = "localStorage.setItem('attention.intro.seen', '1')"  # else it stands in front of everything
DEFAULT = "我昨天去超市买了苹果。"
HOSTILE = "<img src=x onerror=alert(1)>我爱你"
LOCAL_HOSTS = {"127.0.0.1"}
LOCAL_SCHEMES = {"data", "blob", "about"}  # they never leave the page

# Console errors that are not the app's, matched against "text (url)"; each with its reason. Keep it short.
CONSOLE_ALLOWED = (
    # Opened at /steps, Streamlit's client asks whether the server lives under /steps/ before it asks at /.
    re.compile(r"404 \(Not Found\) \(http://127\.0\.0\.1:\d+/\w+/_stcore/(health|host-config)\)$"),
    # An unknown address is told to the visitor in a dialog, and to the console as well.
    re.compile(r"^The page that you have requested does not seem to exist\."),
)
_witnesses: WeakKeyDictionary[Page, Witness] = WeakKeyDictionary()


@dataclass
class Witness:
    """Everything a page asked for and complained about; `complaints` must be empty at the end of a test."""

    requests: list[str] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    asked: int = 0  # the moments, counted in messages, of the last request for a rerun ...
    finished: int = 0  # ... and of the last script that ran to its end
    messages: int = 0

    def watch(self, page: Page) -> None:
        _witnesses[page] = self
        page.on("request", self._request)
        page.on("websocket", self._websocket)
        page.on("console", self._console)
        page.on("pageerror", self._pageerror)

    def _request(self, request: Request) -> None:
        self.requests.append(request.url)

    def _websocket(self, websocket: WebSocket) -> None:
        self.requests.append(websocket.url)
        websocket.on("framesent", self._sent)
        websocket.on("framereceived", self._received)

    def _sent(self, payload: str | bytes) -> None:
        self.messages += 1
        if isinstance(payload, bytes) and BackMsg.FromString(payload).WhichOneof("type") == "rerun_script":
            self.asked = self.messages

    def _received(self, payload: str | bytes) -> None:
        self.messages += 1
        if isinstance(payload, bytes):
            message = ForwardMsg.FromString(payload)
            early = message.script_finished == ForwardMsg.FINISHED_EARLY_FOR_RERUN
            if message.WhichOneof("type") == "script_finished" and not early:
                self.finished = self.messages

    def _console(self, message: ConsoleMessage) -> None:
        said = f"{message.text} ({message.location.get('url', '')})"
        if message.type == "error" and not any(allowed.search(said) for allowed in CONSOLE_ALLOWED):
            self.errors.append(f"console: {said}")

    def _pageerror(self, error: Error) -> None:
        self.errors.append(f"uncaught: {error}")

    def external(self) -> list[str]:
        """The requests that asked for another host."""
        return [url for url in self.requests if not is_local(url)]

    def complaints(self) -> list[str]:
        return [f"request left this machine: {url}" for url in self.external()] + self.errors


def witness_of(page: Page) -> Witness:
    """What is known of a page that `open_page` opened, such as the last request for a rerun (`asked`)."""
    return _witnesses[page]


def is_local(url: str) -> bool:
    parts = urlsplit(url)
    return parts.scheme in LOCAL_SCHEMES or parts.hostname in LOCAL_HOSTS


def wait_ready(page: Page, timeout: float = TIMEOUT) -> None:
    """Wait until the script has finished, the browser is connected and what came is on the screen."""
    page.wait_for_selector(IDLE, timeout=timeout)
    page.evaluate("() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")


@contextmanager
def rerun(page: Page, timeout: float = TIMEOUT) -> Iterator[None]:
    """Wait for the rerun that the block causes: `with rerun(page): box.press("Enter")`.

    Right after an action the page has not yet noticed it, so `wait_ready` alone could return at once; and a
    short run may begin and end between two paintings. So this reads the messages: a run that was going on is
    waited for first, then the block must ask for one, and that one must finish.
    """
    witness = witness_of(page)
    until = time.monotonic() + timeout / 1000

    def wait_for_run(after: int) -> None:
        while not after < witness.asked < witness.finished:
            if time.monotonic() > until:
                raise TimeoutError(f"no rerun finished within {timeout:.0f} ms")
            page.wait_for_timeout(5)

    wait_for_run(after=0)
    before = witness.messages
    yield
    wait_for_run(after=before)
    wait_ready(page, timeout)


def settle(page: Page) -> None:
    """Wait until the page has done everything that was begun in it; what it has not asked by then it never asks."""
    page.evaluate("() => new Promise(done => requestIdleCallback(() => requestAnimationFrame(() => setTimeout(done))))")


def wait_chart(page: Page, key: str | None = None, timeout: float = TIMEOUT) -> None:
    """Wait until a Plotly chart is drawn: any, or the one in the container with this key."""
    inside = f".st-key-{key} " if key else ""
    page.wait_for_selector(f"{inside}.js-plotly-plot .nsewdrag", timeout=timeout)


def eventually(page: Page, ask: Callable[[], object], timeout: float = TIMEOUT) -> None:
    """Wait until `ask` gives something true, for what no selector can wait for."""
    until = time.monotonic() + timeout / 1000
    while not ask():
        if time.monotonic() > until:
            raise TimeoutError(f"not so within {timeout:.0f} ms")
        page.wait_for_timeout(20)


def open_at(page: Page, path: str = "/", until: str = "p.said[aria-live]") -> None:
    """Open the page 看一句话 and wait for `until`, the end of the script, and the heatmap."""
    page.goto(path)
    page.wait_for_selector(until)
    wait_ready(page)
    wait_chart(page, "heatmap")


def link(page: Page) -> dict[str, str]:
    """The parameters in the address."""
    return {name: values[0] for name, values in parse_qs(urlsplit(page.url).query).items()}


def said(page: Page) -> str:
    return page.locator("p.said[aria-live]").inner_text()


def sentence(page: Page) -> Locator:
    return page.locator(".st-key-text input")


def type_sentence(page: Page, text: str) -> None:
    sentence(page).fill(text)
    with rerun(page):
        sentence(page).press("Enter")


def screenshot(page: Page, name: str, *, full_page: bool = False) -> Path:
    """Keep a picture of the page in tests/browser/output/."""
    path = OUTPUT / f"{name}.png"
    path.parent.mkdir(exist_ok=True)
    page.screenshot(path=path, full_page=full_page)
    return path

"""A real Chromium for the browser tests: find one, or get one, or say plainly that there is none.

`python tests/browser/chromium.py` prints the path of the browser that the tests will use, and installs one
first where the machine has none: Debian's package where that is permitted (root or sudo without a
password), else Playwright's own download. Only the standard library is imported here until Playwright is
asked, so the search also works before anything is installed.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
APPLICATIONS = (  # macOS and Windows keep them outside of PATH
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "~/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "C:/Program Files/Google/Chrome/Application/chrome.exe",
    "C:/Program Files (x86)/Google/Chrome/Application/chrome.exe",
)
FLAGS = (
    "--headless",
    "--no-sandbox",  # needed for root and in containers; the pages opened are our own
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--process-per-site",  # a new page runs in its context's process, which has the app's scripts compiled already
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",  # the browser itself can reach no other host
)
ADVICE = """\
No Chromium was found and none could be installed, so the browser tests cannot run.
Tried: the environment variable CHROMIUM; {names} on PATH; the usual application folders;
Debian's package (apt-get, as root or with a sudo that asks no password); Playwright's own download.
Install one and try again:
    Debian, Ubuntu    sudo apt-get install chromium
    Fedora            sudo dnf install chromium
    macOS             brew install --cask chromium
or name one: CHROMIUM=/path/to/chromium make test"""


class NoChromiumError(Exception):
    """There is no browser; the message says what was tried and what to do."""

    def __init__(self, reason: str = "") -> None:
        super().__init__(reason or ADVICE.format(names=", ".join(NAMES)))


def works(path: str) -> bool:
    """True if this really is a browser: a name on PATH may be a stub that only asks to install one."""
    if sys.platform == "win32":  # there --version opens a window
        return Path(path).is_file()
    try:
        answer = subprocess.run([path, "--version"], capture_output=True, text=True, timeout=60, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return False
    return answer.returncode == 0 and "Chrom" in answer.stdout


def _playwrights_own() -> str | None:
    """The browser that Playwright downloads for itself, if it is there."""
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        return None
    with sync_playwright() as p:
        return p.chromium.executable_path


def _candidates() -> Iterator[str]:
    yield from filter(None, map(shutil.which, NAMES))
    yield from (str(p) for p in map(Path, map(os.path.expanduser, APPLICATIONS)) if p.is_file())
    if own := _playwrights_own():
        yield own


def find() -> str | None:
    """The path of a working Chromium, or None. CHROMIUM= in the environment wins and must be right."""
    if named := os.environ.get("CHROMIUM"):
        path = shutil.which(named)
        if path is None or not works(path):
            raise NoChromiumError(f"CHROMIUM={named} is not a Chromium that runs; leave it out to have one found.")
        return path
    return next(filter(works, _candidates()), None)


def require() -> str:
    """The path of a working Chromium, or NoChromiumError."""
    if path := find():
        return path
    raise NoChromiumError


def _say(message: str) -> None:
    print(f"chromium.py: {message}", file=sys.stderr, flush=True)


def _run(*command: str) -> bool:
    _say(" ".join(command))
    try:
        return subprocess.run(command, stdout=sys.stderr, check=False).returncode == 0
    except OSError as error:
        _say(str(error))
        return False


def _as_root() -> list[str] | None:
    """The words before a command that needs root, or None where that is not permitted."""
    if not hasattr(os, "geteuid"):
        return None
    if os.geteuid() == 0:
        return []
    if not shutil.which("sudo"):
        return None
    asked = subprocess.run(["sudo", "-n", "true"], capture_output=True, check=False)
    return ["sudo", "-n"] if asked.returncode == 0 else None


def _from_debian() -> None:
    root = _as_root()
    if root is None or not shutil.which("apt-get"):
        return
    # The font is what Chinese text is drawn with.
    _run(*root, "apt-get", "update", "-qq")
    quiet = "env", "DEBIAN_FRONTEND=noninteractive"
    _run(*root, *quiet, "apt-get", "install", "-y", "-qq", "--no-install-recommends", "chromium", "fonts-noto-cjk")


def _from_playwright() -> None:
    _run(sys.executable, "-m", "playwright", "install", "chromium")


def install() -> str:
    """The path of a working Chromium, installing one where there is none; NoChromiumError if that fails."""
    for get in (_from_debian, _from_playwright):
        if path := find():
            return path
        get()
    return require()


if __name__ == "__main__":
    try:
        print(install())
    except NoChromiumError as error:
        sys.exit(f"\n{error}\n")

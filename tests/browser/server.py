"""Start the real app server on a free port of this machine, and end it with everything it started."""

from __future__ import annotations

import http.client
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SCRIPT = ROOT / "asgi.py"  # what `make run` serves
TRACEBACK = "Traceback (most recent call last)"


@dataclass(eq=False)
class Server:
    """A running app: where it answers, its process and what it printed."""

    url: str
    process: subprocess.Popen[bytes]
    log_file: Path
    spawned: float  # time.perf_counter() when the process was started
    last_words: bytes | None = None  # the whole log, once the server has ended

    @property
    def pid(self) -> int:
        return self.process.pid

    def log(self, since: int = 0) -> str:
        """What the server printed, from a byte position that `log_size` gave."""
        return self._printed()[since:].decode(errors="replace")

    def log_size(self) -> int:
        return len(self._printed())

    def _printed(self) -> bytes:
        return self.log_file.read_bytes() if self.last_words is None else self.last_words

    def errors(self, since: int = 0) -> str:
        """The tracebacks in the log: the app shows a learner none, so the test looks here."""
        _, found, text = self.log(since).partition(TRACEBACK)
        return found + text


def free_port() -> int:
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        port: int = s.getsockname()[1]
        return port


def _healthy(port: int) -> bool:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=2)  # no proxy is ever asked
    try:
        connection.request("GET", "/_stcore/health")
        return connection.getresponse().status == 200
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()


def _end(process: subprocess.Popen[bytes]) -> None:
    """End the server and its children: on POSIX it leads a process group of its own."""
    for ask, seconds in ((signal.SIGTERM, 5), (getattr(signal, "SIGKILL", signal.SIGTERM), 10)):
        try:
            if sys.platform == "win32":
                process.terminate()
            else:
                os.killpg(process.pid, ask)
        except ProcessLookupError:
            pass
        try:
            process.wait(seconds)
        except subprocess.TimeoutExpired:
            continue


@contextmanager
def serve(script: Path = SCRIPT, *, wait: float = 60, port: int = 0, **settings: str) -> Iterator[Server]:
    """A freshly started server: no session has ever opened it. `settings` become environment variables.

    port: 0 = any free one.
    """
    script = Path(script)
    port = port or free_port()
    command = [sys.executable, "-m", "streamlit", "run", script.name]
    command += ["--server.address", "127.0.0.1", "--server.port", str(port), "--server.fileWatcherType", "none"]
    with tempfile.TemporaryDirectory(prefix="server-") as folder:
        log_file = Path(folder) / "server.log"
        with log_file.open("wb") as log:
            spawned = time.perf_counter()
            process = subprocess.Popen(
                command,
                cwd=script.parent,
                env={**os.environ, **settings, "PYTHONUNBUFFERED": "1"},
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        server = Server(f"http://127.0.0.1:{port}", process, log_file, spawned)
        try:
            while not _healthy(port):
                if process.poll() is not None:
                    raise RuntimeError(f"the server ended while starting:\n{server.log()}")
                if time.perf_counter() - spawned > wait:
                    raise TimeoutError(f"the server did not answer within {wait} s:\n{server.log()}")
                time.sleep(0.03)
            yield server
        finally:
            _end(process)
            server.last_words = log_file.read_bytes()

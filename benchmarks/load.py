"""Forty visitors at once: server time from a new sentence to the end of its run, over real websockets."""

from __future__ import annotations

import asyncio
import statistics
import time
from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import urlsplit

import websockets
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from attention_core.words import load_examples
from benchmarks.app import memory_mb, show
from tests.browser.server import Server, serve

VISITORS = 40
PERIOD = 5.0  # seconds between two sentences of one visitor
ROUNDS = 3


@dataclass
class Visitor:
    """One websocket, with what a browser keeps: the id of the sentence box and which messages it has."""

    socket: websockets.ClientConnection
    box: str = ""
    page: str = ""

    async def run(self, text: str | None = None) -> float:
        """Send a sentence (or none: the first visit) and wait for the end of the run; returns seconds."""
        message = BackMsg()
        message.rerun_script.page_script_hash = self.page
        if text is not None:
            message.rerun_script.widget_states.widgets.add(id=self.box, string_value=text)
        start = time.perf_counter()
        await self.socket.send(message.SerializeToString())
        async for frame in self.socket:
            answer = ForwardMsg.FromString(frame)
            kind = answer.WhichOneof("type")
            if kind == "new_session":
                self.page = answer.new_session.page_script_hash
            elif kind == "delta" and answer.delta.new_element.WhichOneof("type") == "text_input":
                self.box = answer.delta.new_element.text_input.id
            elif kind == "script_finished" and answer.script_finished == ForwardMsg.FINISHED_SUCCESSFULLY:
                return time.perf_counter() - start
        raise ConnectionError("the server closed the connection")


async def _visit(server: Server) -> tuple[list[float], list[float], float]:
    address = f"ws://{urlsplit(server.url).netloc}/_stcore/stream"
    sentences = [example.sentence for example in load_examples()]
    sockets = [await websockets.connect(address, subprotocols=["streamlit"], max_size=None) for _ in range(VISITORS)]  # type: ignore[list-item]
    try:
        visitors = [Visitor(socket) for socket in sockets]
        await visitors[0].run()
        before = memory_mb(server.pid)
        for visitor in visitors[1:]:
            await visitor.run()
        per_session = (memory_mb(server.pid) - before) / (VISITORS - 1)

        async def spread(number: int, visitor: Visitor) -> list[float]:
            times: list[float] = []
            for turn in range(ROUNDS):
                await asyncio.sleep(PERIOD * number / VISITORS if turn == 0 else PERIOD - times[-1])
                times.append(await visitor.run(sentences[(number + 7 * turn + 1) % len(sentences)]))
            return times

        one_by_one = await asyncio.gather(*(spread(i, visitor) for i, visitor in enumerate(visitors)))
        together = await asyncio.gather(
            *(visitor.run(sentences[(i + 31) % len(sentences)]) for i, visitor in enumerate(visitors))
        )
    finally:
        for socket in sockets:
            await socket.close()
    return [t for times in one_by_one for t in times], list(together), per_session


def _p95(times: Sequence[float]) -> float:
    return statistics.quantiles(times, n=20)[-1]


def rows() -> list[tuple[str, str, str]]:
    """(what, measured, aim): spread over five seconds, all in the same instant, and memory of a session."""
    with serve() as server:
        spread, together, per_session = asyncio.run(_visit(server))
    return [
        (
            f"{VISITORS} visitors, a sentence each {PERIOD:.0f} s, median",
            f"{1000 * statistics.median(spread):.0f} ms",
            "",
        ),
        ("  the same, p95", f"{1000 * _p95(spread):.0f} ms", "< 200 ms"),
        (f"{VISITORS} visitors in the same instant, p95", f"{1000 * _p95(together):.0f} ms", "< 1000 ms"),
        ("memory of one more session", f"{per_session:.2f} MB", "< 1 MB"),
    ]


def main() -> None:
    show([("what", "measured", "aim"), *rows()])

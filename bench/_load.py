"""A lean HTTP/1.1 client: what is measured must be the server, also where both share two cores."""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import Callable
from dataclasses import dataclass
from urllib.request import urlopen

PATIENCE = 30.0  # seconds for one answer


def get(path: str, header: str = "") -> bytes:
    return f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\n{header}Accept: */*\r\n\r\n".encode()


class Line(asyncio.Protocol):
    """One kept-alive HTTP/1.1 connection: just enough of a client, so that what is measured is the server."""

    length = re.compile(rb"\r\ncontent-length: *(\d+)", re.IGNORECASE)

    def __init__(self) -> None:
        self.got = b""
        self.whole = 0
        self.answer: asyncio.Future[bytes] | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport

    def connection_lost(self, error: Exception | None) -> None:
        if self.answer and not self.answer.done():
            self.answer.set_exception(error or ConnectionError("the server hung up"))

    def data_received(self, data: bytes) -> None:
        self.got += data
        if not self.whole:
            head = self.got.find(b"\r\n\r\n")
            if head < 0:
                return
            found = self.length.search(self.got, 0, head + 2)
            self.whole = head + 4 + int(found[1]) if found else -1  # -1: in chunks, the last of them empty
        done = len(self.got) >= self.whole if self.whole > 0 else self.got.endswith(b"\r\n0\r\n\r\n")
        if done and self.answer and not self.answer.done():
            self.answer.set_result(self.got)

    async def ask(self, request: bytes) -> bytes:
        """The whole answer to a request."""
        self.got, self.whole = b"", 0
        self.answer = asyncio.get_running_loop().create_future()
        self.transport.write(request)
        return await asyncio.wait_for(self.answer, PATIENCE)


async def dial(port: int) -> Line:
    _, line = await asyncio.get_running_loop().create_connection(Line, "127.0.0.1", port)
    return line


@dataclass
class Block:
    """What one turn at a server gave: answers a second, and seconds for each."""

    rate: float
    took: list[float]

    def quantile(self, part: float) -> float:
        ranked = sorted(self.took)
        return ranked[min(int(len(ranked) * part), len(ranked) - 1)]


async def block(port: int, asking: list[Callable[[], bytes]], seconds: float, status: int) -> Block:
    """As many connections as there are askers, each with one request under way, for so many seconds."""
    lines = [await dial(port) for _ in asking]
    began = time.perf_counter()
    end = began + seconds
    took: list[float] = []
    wanted = f"HTTP/1.1 {status} ".encode()

    async def keep_asking(line: Line, ask: Callable[[], bytes]) -> None:
        now = time.perf_counter()
        while now < end:
            answer = await line.ask(ask())
            sent, now = now, time.perf_counter()
            if not answer.startswith(wanted):
                raise RuntimeError(f"not a {status}: {answer[:1000].decode(errors='replace')}")
            took.append(now - sent)

    try:
        await asyncio.gather(*(keep_asking(*pair) for pair in zip(lines, asking, strict=True)))
    finally:
        for line in lines:
            line.transport.abort()
    return Block(len(took) / (time.perf_counter() - began), took)


def check(port: int, path: str) -> None:
    """One request, so that a server that cannot answer is found before anything is measured."""
    with urlopen(f"http://127.0.0.1:{port}{path}", timeout=PATIENCE) as answer:
        answer.read()

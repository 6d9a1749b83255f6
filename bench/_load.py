"""A lean HTTP/1.1 client, so that the server dominates the measurement even on two shared cores."""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import Callable
from dataclasses import dataclass
from urllib.request import urlopen

RESPONSE_TIMEOUT_SECONDS = 30.0  # for one response


def build_get_request(path: str, header: str = "") -> bytes:
    """Build a GET request."""
    return f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\n{header}Accept: */*\r\n\r\n".encode()


class HttpConnection(asyncio.Protocol):
    """One kept-alive HTTP/1.1 connection with one request at a time."""

    content_length_pattern = re.compile(rb"\r\ncontent-length: *(\d+)", re.IGNORECASE)

    def __init__(self) -> None:
        """Start without a response."""
        self.received = b""
        self.response_length = 0
        self.response: asyncio.Future[bytes] | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Keep the transport."""
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport

    def connection_lost(self, error: Exception | None) -> None:
        """Fail the open request."""
        if self.response and not self.response.done():
            self.response.set_exception(error or ConnectionError("the server hung up"))

    def data_received(self, data: bytes) -> None:
        """Collect the response, and complete it by Content-Length or by its last chunk."""
        self.received += data
        if not self.response_length:
            head_end = self.received.find(b"\r\n\r\n")
            if head_end < 0:
                return
            length_match = self.content_length_pattern.search(self.received, 0, head_end + 2)
            self.response_length = (
                head_end + 4 + int(length_match[1]) if length_match else -1
            )  # -1: chunked, until the empty last chunk
        is_complete = (
            len(self.received) >= self.response_length
            if self.response_length > 0
            else self.received.endswith(b"\r\n0\r\n\r\n")
        )
        if is_complete and self.response and not self.response.done():
            self.response.set_result(self.received)

    async def send_request(self, request: bytes) -> bytes:
        """Send a request and return the whole response. Raises TimeoutError or ConnectionError."""
        self.received, self.response_length = b"", 0
        self.response = asyncio.get_running_loop().create_future()
        self.transport.write(request)
        return await asyncio.wait_for(self.response, RESPONSE_TIMEOUT_SECONDS)


async def open_connection(port: int) -> HttpConnection:
    """Open a connection to a port on loopback."""
    _, connection = await asyncio.get_running_loop().create_connection(HttpConnection, "127.0.0.1", port)
    return connection


@dataclass
class LoadResult:
    """The result of one load run: responses per second, and the duration of each."""

    rate: float
    durations: list[float]

    def compute_quantile(self, share: float) -> float:
        """Return a quantile of the durations."""
        ranked = sorted(self.durations)
        return ranked[min(int(len(ranked) * share), len(ranked) - 1)]


async def run_load(
    port: int, request_factories: list[Callable[[], bytes]], seconds: float, status: int
) -> LoadResult:
    """Send requests for some seconds on as many connections as there are factories, one at a time each.

    Raises RuntimeError on another status.
    """
    connections = [await open_connection(port) for _ in request_factories]
    started_at = time.perf_counter()
    ends_at = started_at + seconds
    durations: list[float] = []
    status_line = f"HTTP/1.1 {status} ".encode()

    async def send_repeatedly(connection: HttpConnection, make_request: Callable[[], bytes]) -> None:
        """Send requests on one connection until the time is up."""
        now = time.perf_counter()
        while now < ends_at:
            response = await connection.send_request(make_request())
            sent_at, now = now, time.perf_counter()
            if not response.startswith(status_line):
                raise RuntimeError(f"not a {status}: {response[:1000].decode(errors='replace')}")
            durations.append(now - sent_at)

    try:
        await asyncio.gather(
            *(send_repeatedly(*pair) for pair in zip(connections, request_factories, strict=True))
        )
    finally:
        for connection in connections:
            connection.transport.abort()
    return LoadResult(len(durations) / (time.perf_counter() - started_at), durations)


def check_responds(port: int, path: str) -> None:
    """Send one request, so that a server that cannot respond is found before the measurement."""
    with urlopen(f"http://127.0.0.1:{port}{path}", timeout=RESPONSE_TIMEOUT_SECONDS) as response:
        response.read()

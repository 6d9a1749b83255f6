"""The proxy in front of the site: it is killed, and a web server behind it."""

from __future__ import annotations

import socket
import subprocess
import sys
import threading
import uuid
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

import httpx
import pytest

from tests.cluster.world import World
from tests.example_counts import SOAK, pick_example_count
from tests.helpers.polling import wait_for
from tests.proxy import start_proxy
from tests.services import free_port


def test_the_proxy_is_killed_and_a_server_behind_it(proxied_world: World) -> None:
    world = proxied_world
    assert httpx.get(f"{world.cluster.address}/readyz", verify=world.verify).status_code == 404
    world.seat(2, 1)
    with world.run_players():
        for _ in range(pick_example_count(1)):
            for name in ("proxy", "web1", "web2") if SOAK else ("proxy", "web1"):
                world.wait_for_moves(2)
                world.kill(name)
                world.wait_for_moves(2)
    world.check()


# --------------------------------------------------------------------------------------- request bodies


def start_echo(port: int) -> subprocess.Popen[bytes]:
    """Start a web server that says whether a body belongs to its request."""
    server = subprocess.Popen(
        [sys.executable, str(Path(__file__).parent / "echo.py"), str(port)], stderr=subprocess.DEVNULL
    )
    wait_for(lambda: ask_echo(port) == "well", "no echo")
    return server


def ask_echo(port: int, body: str = "") -> str:
    """Return the answer to a request, or the name of the error."""
    headers = {"Host": f"localhost:{port}", "X-Own": body}
    try:
        method, url = "POST" if body else "GET", f"http://127.0.0.1:{port}/"
        answer = httpx.request(method, url, headers=headers, content=body, verify=False)
    except httpx.TransportError as error:
        return type(error).__name__
    return answer.text if answer.status_code == 200 else str(answer.status_code)


def test_what_somebody_sends_never_comes_under_somebody_elses_name(tmp_path: Path) -> None:
    """Many requests while one of two servers is killed: a retried request once got the body of another."""
    first_port, other = free_port(), free_port()
    counts: Counter[str] = Counter()
    enough = threading.Event()

    def send() -> None:
        while not enough.is_set():
            counts[ask_echo(port, uuid.uuid4().hex)] += 1

    with ExitStack() as stack:
        servers = [stack.enter_context(end_process(start_echo(number))) for number in (first_port, other)]
        port = stack.enter_context(start_proxy(first_port, other, folder=tmp_path))
        wait_for(lambda: ask_echo(port) == "well", "no proxy")
        threads = [threading.Thread(target=send, daemon=True) for _ in range(12)]
        try:
            for thread in threads:
                thread.start()
            for _ in range(pick_example_count(2)):
                before = counts["own"]
                wait_for(lambda before=before: counts["own"] > before + 50, "nobody is served")  # type: ignore[misc]
                servers[0].kill()
                servers[0].wait()
                before = counts["own"]
                wait_for(lambda before=before: counts["own"] > before + 200, "nobody is served")  # type: ignore[misc]
                servers[0] = stack.enter_context(end_process(start_echo(first_port)))
        finally:
            enough.set()
            for thread in threads:
                thread.join(30)
    assert "somebody else's" not in counts, counts


@contextmanager
def end_process(process: subprocess.Popen[bytes]) -> Iterator[subprocess.Popen[bytes]]:
    try:
        yield process
    finally:
        process.kill()
        process.wait()


# ---------------------------------------------------------------------------------------- broken responses


@contextmanager
def serve_broken_answer(body: bytes) -> Iterator[int]:
    """Serve responses that announce 2000 bytes but close after this body; yield the port."""
    head = b"HTTP/1.1 201 Created\r\nContent-Type: application/json\r\nContent-Length: 2000\r\n\r\n"

    def serve_calls() -> None:
        with suppress(OSError):  # the listener is closed at the end
            while True:
                with listener.accept()[0] as line:
                    line.recv(65536)
                    line.sendall(head + body)

    with socket.create_server(("127.0.0.1", 0)) as listener:
        thread = threading.Thread(target=serve_calls, daemon=True)
        thread.start()
        yield listener.getsockname()[1]
        listener.shutdown(socket.SHUT_RDWR)
        thread.join(30)


@pytest.mark.parametrize("method", ["GET", "POST"])
@pytest.mark.parametrize("body", [b"", b'{"status": '], ids=["before a word", "in the middle"])
def test_half_an_answer_is_never_passed_on_as_a_whole_one(body: bytes, method: str, tmp_path: Path) -> None:
    """Compressed again by the proxy, it had a valid length: an action that was played got an empty 201."""
    with serve_broken_answer(body) as web, start_proxy(web, folder=tmp_path) as port:
        headers = {"Host": f"localhost:{port}", "Accept-Encoding": "gzip"}
        with pytest.raises(httpx.RemoteProtocolError):
            httpx.request(method, f"http://127.0.0.1:{port}/", headers=headers, content=b"{}", timeout=30)

"""Ambiguous requests and foreign hosts do not pass the real proxy."""

from __future__ import annotations

import re
import socket
import threading
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from urllib.parse import urlsplit

import httpx
import pytest

from tests.cluster.world import HEADERS, Table, World
from tests.example_counts import pick_example_count
from tests.helpers.polling import STEP_TIMEOUT_SECONDS, wait_for

QUIET_SECONDS = 1.0  # the wait for another answer
WATCHED = ("/healthz", "/readyz", "/metrics")
# The proxy refuses this path, which a web server answers: an answer shows that the request passed the proxy.
HIDDEN = "GET /readyz HTTP/1.1\r\nHost: localhost\r\n\r\n"
OPEN_END = "GET /readyz HTTP/1.1\r\nHost: localhost\r\nX-Open: "  # absorbs the next request
CHUNKED, FOLDED = "Transfer-Encoding: chunked\r\n", "Transfer-Encoding:\r\n chunked\r\n"


def format_length(text: str) -> str:
    return f"Content-Length: {len(text)}\r\n"


def ambiguous_requests(hidden: str) -> dict[str, str]:
    """Return headers and bodies, without request line and host, that can be read in two ways."""
    after_chunks = f"0\r\n\r\n{hidden}"
    in_chunk = f"{len(hidden):x}\r\n{hidden}\r\n0\r\n\r\n"
    return {
        "length, then chunks": f"{format_length(after_chunks)}{CHUNKED}\r\n{after_chunks}",
        "chunks, then length": f"{CHUNKED}Content-Length: 4\r\n\r\n{in_chunk}",
        "folded line of chunks": f"{format_length(after_chunks)}{FOLDED}\r\n{after_chunks}",
        "folded into another line": f"X-Note: a\r\n {CHUNKED}{format_length(after_chunks)}\r\n{after_chunks}",
    }


def malformed_requests(hidden: str) -> dict[str, str]:
    """Return headers and bodies, without request line and host, that every server should refuse."""
    after_chunks, length = f"0\r\n\r\n{hidden}", format_length(hidden)
    requests = {
        "two lengths": f"Content-Length: 0\r\n{length}\r\n{hidden}",
        "two lengths in a line": f"Content-Length: 0, {len(hidden)}\r\n\r\n{hidden}",
        "a length with a sign": f"Content-Length: +{len(hidden)}\r\n\r\n{hidden}",
        "a space before the colon": f"Transfer-Encoding : chunked\r\n{length}\r\n{after_chunks}",
        "an unknown coding": f"Transfer-Encoding: xchunked\r\n{length}\r\n{after_chunks}",
        "two codings": f"{CHUNKED}Transfer-Encoding: identity\r\n\r\n{after_chunks}",
    }
    for size in ("0x5", "5 garbage", "-5", "+5", "5\x00", "fffffffffffffffff5", ""):
        requests[f"a chunk of {size!r} bytes"] = f"{CHUNKED}\r\n{size}\r\nhello\r\n{after_chunks}"
    return requests


def send_and_read(address: str, world: World, rest: str) -> list[str]:
    """Send a request on one connection; return all answers."""
    url = urlsplit(address)
    assert url.hostname
    assert url.port
    head = "POST /api/v1/games/ HTTP/1.1\r\nHost: localhost\r\nX-Forwarded-Proto: https\r\n"
    received_bytes = b""
    with socket.create_connection((url.hostname, url.port), STEP_TIMEOUT_SECONDS) as plain:
        line = (
            world.verify.wrap_socket(plain, server_hostname="localhost") if url.scheme == "https" else plain
        )
        with line, suppress(OSError):
            line.sendall(f"{head}Content-Type: application/json\r\n{rest}".encode("latin-1"))
            while data := line.recv(65536):
                received_bytes += data
                line.settimeout(QUIET_SECONDS)
    return re.split(r"(?=HTTP/1\.1 \d)", received_bytes.decode("latin-1"))[1:]


def send_all(address: str, world: World, forged: dict[str, str]) -> dict[str, list[str]]:
    """Send all requests at once; return the answers to each."""
    with ThreadPoolExecutor(len(forged)) as pool:
        answers = pool.map(lambda rest: send_and_read(address, world, rest), forged.values())
        return dict(zip(forged, answers, strict=True))


def get_status(answer: str) -> int:
    return int(answer.split()[1])


@contextmanager
def run_players(world: World) -> Iterator[None]:
    """Let several players request their games all the time; each must get the answer to their own request."""
    world.seat(people=3, bots=0)
    stop_event, troubles, counts = threading.Event(), list[str](), Counter[str]()

    def look_at_game(table: Table, number: int) -> None:
        headers = HEADERS | {"Authorization": f"Bearer {table.tokens[number]}"}
        with httpx.Client(verify=world.verify, timeout=STEP_TIMEOUT_SECONDS, headers=headers) as http:
            while not stop_event.is_set():
                answer = http.get(f"{world.cluster.address}/api/v1/games/{table.code}/")
                game_view = answer.json() if answer.status_code == 200 else {}
                if (game_view.get("id"), game_view.get("joined")) != (table.code, number + 1):
                    troubles.append(answer.text[:300])
                counts[table.tokens[number]] += 1

    threads = [
        threading.Thread(target=look_at_game, args=(table, number))
        for table in world.tables
        for number in range(2)
    ]
    for thread in threads:
        thread.start()
    try:
        wait_for(lambda: len(counts) == len(threads), "nobody is answered")
        yield
        before = counts.copy()
        wait_for(
            lambda: all(counts[response] > before[response] + 3 for response in before),
            "somebody gets no answer",
        )
    finally:
        stop_event.set()
        for thread in threads:
            thread.join(STEP_TIMEOUT_SECONDS)
    assert troubles == []


def test_a_request_that_can_be_read_in_two_ways_carries_no_second_one_past_the_proxy(
    proxied_world: World,
) -> None:
    world = proxied_world
    with run_players(world):
        for hidden in (HIDDEN, OPEN_END) * pick_example_count(1):
            for name, answers in send_all(world.cluster.address, world, malformed_requests(hidden)).items():
                # One answer, whatever follows. Without a token it may be sent before the body is read.
                early = [[401]] if name.startswith("a chunk") else []
                assert [get_status(answer) for answer in answers] in ([400], [501], [502], *early), name
            for name, answers in send_all(world.cluster.address, world, ambiguous_requests(hidden)).items():
                first, *later_answers = answers
                assert get_status(first) == 401, name
                # The rest is the next request of this client, which the proxy refuses.
                assert [get_status(response) for response in later_answers] in ([], [404]), name
                assert "sweep" not in "".join(answers), name


def test_a_web_server_too_reads_one_request_in_it_at_most(world: World) -> None:
    for hidden in (HIDDEN, OPEN_END):
        forged = malformed_requests(hidden) | ambiguous_requests(hidden)
        for name, answers in send_all(world.cluster.web_address("web1"), world, forged).items():
            assert [get_status(answer) for answer in answers] in ([400], [401]), name
            assert "sweep" not in "".join(answers), name


@pytest.mark.parametrize("host", ["evil.example", "localhost.evil.example", "evil.example:443", "10.0.0.1"])
def test_a_page_of_elsewhere_whose_name_leads_here_gets_nothing(proxied_world: World, host: str) -> None:
    """DNS rebinding: the browser sends us a request with the host of a foreign page."""
    cluster = proxied_world.cluster
    plain = f"http://localhost:{cluster.ports['plain']}"
    paths = ("/", "/rules/", "/api/v1/games/", "/accounts/login/", "/mailbox/", *WATCHED)
    with httpx.Client(verify=proxied_world.verify, timeout=STEP_TIMEOUT_SECONDS) as http:
        for path in paths:
            answer = http.get(cluster.address + path, headers={"Host": host})
            assert (answer.status_code, answer.content) == (421, b""), path
            answer = http.get(plain + path, headers={"Host": host})
            assert (answer.status_code, answer.content) == (421, b""), path
            if path in WATCHED and host == "10.0.0.1":
                continue  # monitoring inside the network requests these by address
            answer = http.get(cluster.web_address("web1") + path, headers=HEADERS | {"Host": host})
            assert answer.status_code == 400, path
        for path in WATCHED:
            assert http.get(cluster.address + path).status_code == 404
        assert http.get(f"{cluster.address}/").status_code == 200
        moved = http.get(f"{plain}/rules/")
        assert moved.status_code == 308
        assert moved.headers["Location"].startswith("https://localhost")

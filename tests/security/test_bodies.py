"""Request bodies that are too large, deep, numerous or slow are refused and do not delay other requests.

tests/otto_site/test_problems.py covers unreadable bodies, test_inbound_server.py mails of 20 MB.
"""

from __future__ import annotations

import json
import socket
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

import httpx
import pytest
from django.test import Client

from docker.cluster import load_services
from notifications.inbound import anymail
from tests.proxy import start_proxy
from tests.services import Service, free_port, is_port_open

from .route_walker import Walker
from .world import World

ROOT = Path(__file__).resolve().parents[2]
LARGE = "x" * 1_100_000


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("body", "status"),
    [
        (json.dumps({"text": LARGE}), 413),
        ("[" * 100_000, 400),
        ('{"text":' * 50_000, 400),
        ('{"text": "' + "\\ud800" * 10 + '"}', 400),
        ('{"text": ' + "9" * 5000 + "}", 400),
        ('{"text": 1e999}', 400),
        ('{"text": NaN}', 400),
        ("{" + ",".join(f'"f{n}": 1' for n in range(50_000)) + "}", 400),
        ("[" + "{}," * 100_000 + "{}]", 400),
    ],
    ids=[
        "large",
        "deep lists",
        "deep objects",
        "half letters",
        "a long number",
        "infinity",
        "NaN",
        "many",
        "list",
    ],
)
def test_json_that_nobody_means_is_refused(body: str, status: int, world: World) -> None:
    for path in (
        f"/api/v1/games/{world.game.code}/chat/",
        f"/api/v1/tournaments/{world.tournament.code}/cancel/",
    ):
        answer = Client().generic("POST", path, body, "application/json", headers=world.program("bob"))
        assert answer.status_code in (status, 403, 422), path
        assert answer["Content-Type"] == "application/problem+json"


@pytest.mark.django_db
@pytest.mark.parametrize(
    "path", ["/accounts/login/", "/fairness/", "/language/", "/play-now/", "/oauth/token/"]
)
def test_a_form_that_is_too_large_or_has_too_many_fields_is_refused(path: str) -> None:
    client = Client(raise_request_exception=False)
    assert client.post(path, {"record": LARGE}, content_type=FORM).status_code in (400, 403, 413, 422)
    many = "&".join(f"f{number}=1" for number in range(1001))
    assert client.post(path, many, content_type=FORM).status_code in (400, 413, 422)
    parts = {f"f{number}": "1" for number in range(1001)}
    assert client.post(path, parts).status_code in (400, 413, 422)


FORM = "application/x-www-form-urlencoded"


@pytest.mark.django_db
def test_a_record_to_check_costs_little_whatever_it_holds(world: World) -> None:
    """The verification page is public and works hard: deep, huge or endless records are refused early."""
    whole = Walker(world, "bob").ask("GET", f"/api/v1/games/{world.over.code}/record/").json()
    for text in (
        "[" * 90_000,
        json.dumps(whole | {"actions": whole["actions"] * 30_000}),
        json.dumps(whole | {"seats": [{"seat": n, "side": n, "name": "x"} for n in range(10_000)]}),
        json.dumps(whole | {"options": {"cards": True, "obligation": "strict", "target": 10**4000}}),
        json.dumps(whole | {"fairness": {"client_seeds": ["x" * 500_000]}}),
    ):
        assert Client().post("/fairness/", {"record": text}).status_code == 422


# ----------------------------------------------------------------------------- slow bodies on real servers


APPLICATION = """
def application(environ, start_response):
    length = int(environ.get("CONTENT_LENGTH") or 0)
    body = environ["wsgi.input"].read(length)
    start_response("200 OK", [("Content-Type", "text/plain")])
    return [b"ok %d" % len(body)]
"""


def build_granian_command(port: int) -> list[str]:
    """Return the web server command of compose.yaml with one process and an app that only reads bodies."""
    command = list(load_services()["web1"]["command"])
    command = command[command.index("granian") :]
    command[command.index("--workers") + 1] = "1"
    return [
        sys.executable,
        "-m",
        *command[:-1],
        "--host",
        "127.0.0.1",
        "--port",
        str(port),
        "reading:application",
    ]


def get_thread_count() -> int:
    command = load_services()["web1"]["command"]
    return int(command[command.index("--blocking-threads") + 1])


@contextmanager
def open_slow_bodies(port: int, host: str, count: int, path: str = "/") -> Iterator[list[socket.socket]]:
    """Open this many requests whose bodies do not arrive."""
    with ExitStack() as stack:
        sockets = []
        for _ in range(count):
            sock = stack.enter_context(socket.create_connection(("127.0.0.1", port), 5))
            sock.sendall(f"POST {path} HTTP/1.1\r\nHost: {host}\r\nContent-Length: 1000\r\n\r\nx".encode())
            sockets.append(sock)
        time.sleep(0.3)  # the proxy has read them before the next request
        yield sockets


@pytest.fixture
def proxied_server(tmp_path: Path) -> Iterator[tuple[int, str]]:
    """Run the real web server behind the real proxy and Caddyfile, on loopback."""
    (tmp_path / "reading.py").write_text(APPLICATION)
    web = free_port()
    url, log, environment = f"http://127.0.0.1:{web}", tmp_path / "granian.log", {"PYTHONPATH": str(tmp_path)}
    server = Service(url, build_granian_command(web), lambda: is_port_open(web), log, environment=environment)
    try:
        with start_proxy(web, folder=tmp_path) as proxy:
            yield proxy, f"localhost:{proxy}"
    finally:
        server.stop()


def test_slow_bodies_keep_nobody_else_waiting(proxied_server: tuple[int, str]) -> None:
    """There are more slow bodies than threads: if the proxy did not wait for bodies, the site would stall."""
    port, host = proxied_server
    with open_slow_bodies(port, host, 3 * get_thread_count()) as slow:
        answer = httpx.get(f"http://127.0.0.1:{port}/", headers={"Host": host}, timeout=15)
        assert (answer.status_code, answer.text) == (200, "ok 0")
        answer = send_body(port, host, "/", 1000)
        assert (answer.status_code, answer.text) == (200, "ok 1000")
        for sock in slow:
            sock.setblocking(False)
            with pytest.raises(BlockingIOError):
                sock.recv(1)  # still open: nothing is answered before the body arrives


def send_body(port: int, host: str, path: str, size: int) -> httpx.Response:
    """Send a body of this size; return the response of the proxy."""
    where = f"http://127.0.0.1:{port}{path}"
    return httpx.post(where, headers={"Host": host}, content=b"x" * size, timeout=60)


@pytest.mark.parametrize("path", ["/", "/api/v1/games/", "/anymail", "/x/anymail/y"])
def test_the_proxy_takes_no_body_of_more_than_a_megabyte(proxied_server: tuple[int, str], path: str) -> None:
    assert send_body(*proxied_server, path, 990_000).text == "ok 990000"
    assert send_body(*proxied_server, path, 1_500_000).status_code == 413


def test_the_proxy_takes_whole_mails_from_providers(proxied_server: tuple[int, str]) -> None:
    path = "/anymail/mailgun/inbound/"
    for size in (1_500_000, anymail.MAX_REQUEST_BYTES):
        answer = send_body(*proxied_server, path, size)
        assert (answer.status_code, answer.text) == (200, f"ok {size}")
    assert send_body(*proxied_server, path, anymail.MAX_REQUEST_BYTES + 100_000).status_code == 413


def test_a_slow_mail_of_a_provider_keeps_nobody_else_waiting(proxied_server: tuple[int, str]) -> None:
    port, host = proxied_server
    with open_slow_bodies(port, host, 3 * get_thread_count(), "/anymail/mailgun/inbound/"):
        assert send_body(port, host, "/anymail/mailgun/inbound/", 1000).text == "ok 1000"
        assert send_body(port, host, "/", 1000).text == "ok 1000"


def test_the_proxy_gives_up_on_who_sends_slowly() -> None:
    """The Caddyfile sets the times after which it closes a slow connection."""
    words = (ROOT / "docker" / "Caddyfile").read_text().split()
    for name, most in {"read_header": 30, "read_body": 60}.items():
        assert 0 < int(words[words.index(name) + 1].removesuffix("s")) <= most


HALF_A_MEGABYTE = b"80000\r\n" + b"x" * 0x80000 + b"\r\n"
SPOILT_BODIES = {
    "too large": b"Content-Length: 3000000\r\n\r\n" + b"x" * 1_100_000,
    "too large, in chunks": b"Transfer-Encoding: chunked\r\n\r\n"
    + (b"80000\r\n" + b"x" * 0x80000 + b"\r\n") * 3,
    "no chunk": b"Transfer-Encoding: chunked\r\n\r\nZZ\r\nxx\r\n",
    "cut off": b"Content-Length: 500\r\n\r\nshort",
}


def send_spoilt_body(port: int, host: str, body: bytes) -> None:
    """Send a request whose body the proxy cannot read to its end, and wait for the response."""
    with socket.create_connection(("127.0.0.1", port), 5) as connection, suppress(ConnectionError):
        connection.sendall(f"POST / HTTP/1.1\r\nHost: {host}\r\n".encode() + body)
        connection.shutdown(socket.SHUT_WR)
        connection.recv(1000)


@pytest.mark.parametrize("body", SPOILT_BODIES.values(), ids=SPOILT_BODIES)
def test_spoilt_bodies_do_not_make_the_proxy_give_a_server_up(
    body: bytes, proxied_server: tuple[int, str]
) -> None:
    """A spoilt body is no failure of the server: if it counted as one, three would block all moves."""
    port, host = proxied_server
    for _ in range(5):
        send_spoilt_body(port, host, body)
    for method, expected_text in (("POST", "ok 4"), ("GET", "ok 0")):
        content = b"move" if method == "POST" else None
        answer = httpx.request(method, f"http://127.0.0.1:{port}/", headers={"Host": host}, content=content)
        assert (answer.status_code, answer.text) == (200, expected_text)

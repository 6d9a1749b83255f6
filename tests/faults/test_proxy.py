"""With the proxy in front: it is killed, and a web server behind it."""

from __future__ import annotations

import os
import ssl
import subprocess
import sys
import threading
import uuid
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import httpx
import pytest

from docker.cluster import ROOT, free_port, older_words
from tests import caddy
from tests.effort import SOAK, tries
from tests.services import cannot_be_had

from .world import World, wait_for


@pytest.fixture
def proxy() -> str:
    """Where Caddy is; tests are skipped where there is none, and fail there with CI=true."""
    path, why = caddy.find()
    if not path:
        cannot_be_had("Caddy", why)
    return path


@pytest.fixture
def in_front(proxy: str, world: World) -> Iterator[World]:
    """Everybody comes by the proxy."""
    cluster = world.cluster
    cluster.add("proxy", "proxy", {})
    try:
        wait_for(cluster.certificate.exists, lambda: f"no proxy: {cluster.log('proxy')}")
        world.verify = ssl.create_default_context(cafile=str(cluster.certificate))
        world.ways = lambda: [cluster.address]
        wait_for(lambda: answers(world), lambda: f"no proxy: {cluster.log('proxy')}")
        yield world
    finally:
        cluster.remove("proxy")


def answers(world: World) -> bool:
    try:
        return httpx.get(f"{world.cluster.address}/api/v1/games/", verify=world.verify).is_success
    except httpx.TransportError:
        return False


def test_the_proxy_is_killed_and_a_server_behind_it(in_front: World) -> None:
    world = in_front
    assert httpx.get(f"{world.cluster.address}/readyz", verify=world.verify).status_code == 404
    world.seat(2, 1)
    with world.playing():
        for _ in range(tries(1)):
            for name in ("proxy", "web1", "web2") if SOAK else ("proxy", "web1"):
                world.more(2)
                world.kill(name)
                world.more(2)
    world.check()


# ----------------------------------------------------------------------------------- what is sent along


def echo(port: int) -> subprocess.Popen[bytes]:
    """A web server that tells whether a body is its request's own."""
    server = subprocess.Popen(
        [sys.executable, str(Path(__file__).parent / "echo.py"), str(port)], stderr=subprocess.DEVNULL
    )
    wait_for(lambda: answered(port) == "well", "no echo")
    return server


def answered(port: int, body: str = "") -> str:
    """What is said to a request, or why nothing is."""
    headers = {"Host": f"localhost:{port}", "X-Own": body}
    try:
        answer = httpx.request(
            "POST" if body else "GET", f"http://127.0.0.1:{port}/", headers=headers, content=body
        )
    except httpx.TransportError as error:
        return type(error).__name__
    return answer.text if answer.status_code == 200 else str(answer.status_code)


def test_what_somebody_sends_never_comes_under_somebody_elses_name(proxy: str, tmp_path: Path) -> None:
    """Many send at once while one of two servers dies: a body that is tried again was another request's."""
    one, other, port, secure = (free_port() for _ in range(4))
    environment = {"SITE_ADDRESS": f"http://localhost:{port}", "WEB": f"127.0.0.1:{one} 127.0.0.1:{other}"}
    environment |= {"HTTP_PORT": str(port), "HTTPS_PORT": str(secure), "BIND": "127.0.0.1", "TLS": ""}
    environment |= {"XDG_DATA_HOME": str(tmp_path), "HOME": str(tmp_path), **older_words()}
    command = [proxy, "run", "--config", str(ROOT / "docker" / "Caddyfile"), "--adapter", "caddyfile"]
    said: Counter[str] = Counter()
    enough = threading.Event()

    def send() -> None:
        while not enough.is_set():
            said[answered(port, uuid.uuid4().hex)] += 1

    with ExitStack() as stack:
        servers = [stack.enter_context(ended(echo(number))) for number in (one, other)]
        stack.enter_context(
            ended(subprocess.Popen(command, env=os.environ | environment, stderr=subprocess.DEVNULL))
        )
        wait_for(lambda: answered(port) == "well", "no proxy")
        threads = [threading.Thread(target=send, daemon=True) for _ in range(12)]
        try:
            for thread in threads:
                thread.start()
            for _ in range(tries(2)):
                before = said["own"]
                wait_for(lambda before=before: said["own"] > before + 50, "nobody is served")  # type: ignore[misc]
                servers[0].kill()
                servers[0].wait()
                before = said["own"]
                wait_for(lambda before=before: said["own"] > before + 200, "nobody is served")  # type: ignore[misc]
                servers[0] = stack.enter_context(ended(echo(one)))
        finally:
            enough.set()
            for thread in threads:
                thread.join(30)
    assert "somebody else's" not in said, said


@contextmanager
def ended(process: subprocess.Popen[bytes]) -> Iterator[subprocess.Popen[bytes]]:
    try:
        yield process
    finally:
        process.kill()
        process.wait()

"""With the proxy in front: it is killed, and a web server behind it."""

from __future__ import annotations

import ssl
from collections.abc import Iterator

import httpx
import pytest

from tests import caddy
from tests.effort import SOAK, tries
from tests.services import cannot_be_had

from .world import World, wait_for


@pytest.fixture
def in_front(world: World) -> Iterator[World]:
    """Everybody comes by the proxy; skipped where there is no Caddy, and fails there with CI=true."""
    path, why = caddy.find()
    if not path:
        cannot_be_had("Caddy", why)
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

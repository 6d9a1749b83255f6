"""One cluster for all tests here: the processes of compose.yaml, a PostgreSQL and a Redis of its own."""

from __future__ import annotations

import ssl
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import httpx
import pytest

from docker.cluster import Cluster
from tests.services import copy_migrated_data, require

pytest.register_assert_rewrite("tests.faults.world")

from .mail_server import MailServer  # noqa: E402
from .world import Clerk, World, wait_for  # noqa: E402

# Quicker than on a site for people, so that tests need not wait: nothing else is different.
QUICK = {
    "SWEEP_EVERY": "0.4",
    "MAIL_LEASE": "10",
    "EMAIL_TIMEOUT": "3",
    "STOP_AFTER": "0.1",
    "API_RATE": "1000000",
    "API_RATE_ANONYMOUS": "1000000",
    "PAGE_RATE": "1000000",
    "PAGE_RATE_ANONYMOUS": "1000000",
    "LOG_LEVEL": "WARNING",
}


@pytest.fixture(scope="package")
def running_cluster() -> Iterator[tuple[Cluster, MailServer, Clerk]]:
    """Started once, before the first test here, and gone after the last."""
    require("PostgreSQL")
    require("Redis")
    with ExitStack() as stack:
        folder = stack.enter_context(
            tempfile.TemporaryDirectory(prefix="otto-faults-", ignore_cleanup_errors=True)
        )
        copy_migrated_data(Path(folder))
        post = stack.enter_context(MailServer())
        smtp = (post.host, post.port)
        cluster = stack.enter_context(
            Cluster(Path(folder), smtp=smtp, without=("proxy",), extra_environment=QUICK)
        )
        clerk = Clerk(cluster)
        stack.callback(clerk.close)
        yield cluster, post, clerk


@pytest.fixture
def world(running_cluster: tuple[Cluster, MailServer, Clerk]) -> Iterator[World]:
    """The cluster, all of it up and in a good mood, and afterwards as it was."""
    cluster, post, clerk = running_cluster
    yield World(cluster, post, clerk)
    post.mood, post.slow = "", 0.0
    post.refuse, post.reject = (lambda address: ""), (lambda message: "")
    for name in cluster.service_environment.keys() | cluster.command_prefix.keys():
        cluster.service_environment.pop(name, None)
        cluster.command_prefix.pop(name, None)
        cluster.kill(name, keep_stopped=True)
    for name, store in list(cluster.stores.items()):
        if store.process.poll() is not None:
            cluster.start_store(name)
    for name in list(cluster.stopped_services):
        cluster.start(name)
    cluster.wait_until_ready()


@pytest.fixture
def proxied_world(world: World) -> Iterator[World]:
    """Everybody comes by the proxy."""
    cluster = world.cluster
    cluster.add("proxy", "proxy", {})
    try:
        wait_for(cluster.certificate_path.exists, lambda: f"no proxy: {cluster.read_log('proxy')}")
        world.verify = ssl.create_default_context(cafile=str(cluster.certificate_path))
        world.list_servers = lambda: [cluster.address]
        wait_for(lambda: is_answering(world), lambda: f"no proxy: {cluster.read_log('proxy')}")
        yield world
    finally:
        cluster.remove("proxy")


def is_answering(world: World) -> bool:
    try:
        return httpx.get(f"{world.cluster.address}/api/v1/games/", verify=world.verify).is_success
    except httpx.TransportError:
        return False

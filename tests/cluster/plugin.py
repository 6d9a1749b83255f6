"""One cluster for tests of faults, load and restart: the processes of compose.yaml, with their own stores.

A pytest plugin, named in pyproject.toml. tests/conftest.py runs the tests that use the cluster in a row on
one worker: the cluster starts before the first of them, from a migrated database, and stops after the last.
"""

from __future__ import annotations

import ssl
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

pytest.register_assert_rewrite("tests.cluster.world")

if TYPE_CHECKING:
    from docker.cluster import Cluster
    from tests.helpers.mail_server import MailServer

    from .world import Clerk, World

FIXTURE = "cluster_world"
# Shorter times than in production, so that tests need not wait: nothing else differs.
QUICK = {
    "SWEEP_EVERY": "0.4",
    "MAIL_LEASE": "10",
    "EMAIL_TIMEOUT": "3",
    "STREAM_KEEP_ALIVE": "1",
    "STOP_AFTER": "6",  # seconds between a web server's announcement and its stop; this machine may be busy
    "API_RATE": "1000000",
    "API_RATE_ANONYMOUS": "1000000",
    "PAGE_RATE": "1000000",
    "PAGE_RATE_ANONYMOUS": "1000000",
    "LOG_LEVEL": "WARNING",
}
WEB_SERVERS = ("web1", "web2", "streams")


class SharedCluster:
    """Holds the running cluster, if any: everything but the proxy, which few tests need."""

    def __init__(self) -> None:
        self.stack = ExitStack()
        self.parts: tuple[Cluster, MailServer, Clerk] | None = None

    def get_parts(self) -> tuple[Cluster, MailServer, Clerk]:
        """Start the cluster unless it runs; return its parts."""
        if not self.parts:
            try:
                self.parts = self.start()
            except BaseException:
                self.stop()
                raise
        return self.parts

    def start(self) -> tuple[Cluster, MailServer, Clerk]:
        from docker.cluster import Cluster
        from tests.helpers.mail_server import MailServer
        from tests.services import copy_migrated_data

        from .world import Clerk

        temporary = tempfile.TemporaryDirectory(prefix="otto-cluster-", ignore_cleanup_errors=True)
        folder = Path(self.stack.enter_context(temporary))
        copy_migrated_data(folder)
        post = MailServer()
        self.stack.enter_context(post)
        smtp = (post.host, post.port)
        cluster = self.stack.enter_context(
            Cluster(folder, smtp=smtp, without=("proxy",), extra_environment=QUICK)
        )
        for name in WEB_SERVERS:  # no process is left to be notified of the shutdown
            self.stack.callback(cluster.kill, name, keep_stopped=True)
        clerk = Clerk(cluster)
        self.stack.callback(clerk.close)
        return cluster, post, clerk

    def stop(self) -> None:
        self.parts = None
        self.stack.close()


shared = SharedCluster()


@pytest.hookimpl(trylast=True)
def pytest_runtest_teardown(nextitem: pytest.Item | None) -> None:
    """Stop the cluster if the next test does not use it: it would only keep the machine busy."""
    if FIXTURE not in getattr(nextitem, "fixturenames", ()):
        shared.stop()


def pytest_sessionfinish() -> None:
    shared.stop()


@pytest.fixture
def cluster_world() -> Iterator[World]:
    """Provide the cluster with all parts running; restore its state afterwards."""
    from tests.services import require

    from .world import World

    require("PostgreSQL")
    require("Redis")
    cluster, post, clerk = shared.get_parts()
    yield World(cluster, post, clerk)
    post.reset()
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
def proxied_world(cluster_world: World) -> Iterator[World]:
    """Provide the cluster with all requests going through the proxy."""
    from tests.helpers.polling import wait_for

    cluster = cluster_world.cluster
    cluster.add("proxy", "proxy", {})
    try:
        wait_for(cluster.certificate_path.exists, lambda: f"no proxy: {cluster.read_log('proxy')}")
        cluster_world.verify = ssl.create_default_context(cafile=str(cluster.certificate_path))
        cluster_world.list_servers = lambda: [cluster.address]
        wait_for(lambda: is_answering(cluster_world), lambda: f"no proxy: {cluster.read_log('proxy')}")
        yield cluster_world
    finally:
        cluster.remove("proxy")


def is_answering(world: World) -> bool:
    import httpx

    try:
        return httpx.get(f"{world.cluster.address}/api/v1/games/", verify=world.verify).is_success
    except httpx.TransportError:
        return False

"""Fixtures for all tests."""

import gc
import os
from collections.abc import Iterator
from typing import Any

import pytest
from django.conf import settings as site
from django.db import connection
from django.test import TransactionTestCase, override_settings
from django.utils import translation
from redis import Redis
from whitenoise.middleware import WhiteNoiseMiddleware

pytest.register_assert_rewrite("tests.factories", "tests.helpers")

from . import database  # noqa: E402
from . import example_counts as example_counts  # noqa: E402 (it sets how much is tried, before any test is imported)

# The passwords are for tests only; a secure hasher would take half a second each time.
QUICK = ["django.contrib.auth.hashers.MD5PasswordHasher"]


# Folders to run first: the longest tests on one worker, and those that share a browser on another. Each
# worker starts with an equal part of the list; a worker that finishes takes tests from the end of another
# worker's part, where only short tests are left.
FIRST = (("faults", "e2e", "production"), ("browser",))


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    share = len(items) // int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1"))
    rooms = [room for head in FIRST for room in head]
    rest = [item for item in items if item.path.parent.name not in rooms]
    ordered: list[pytest.Item] = []
    for head in FIRST:
        first = [item for room in head for item in items if item.path.parent.name == room]
        # Tests that share the cluster come last, in a row: it runs from the first of them to the last. Tests
        # that share a world come first, also in a row.
        first.sort(key=lambda item: "cluster_world" in getattr(item, "fixturenames", ()))
        first.sort(key=lambda item: "shared_world" not in getattr(item, "fixturenames", ()))
        more = max(0, share - len(first))
        ordered += first + rest[:more]
        del rest[:more]
    items[:] = ordered + rest


def pytest_collection_finish() -> None:
    """Exempt existing objects from garbage collection, which took a tenth of the time."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(100_000, 20, 100)  # frequent collections of newer objects took a twentieth


@pytest.fixture(scope="session", autouse=True)
def use_fast_hashers() -> Iterator[None]:
    with override_settings(PASSWORD_HASHERS=QUICK):
        yield


@pytest.fixture(scope="session", autouse=True)
def find_static_files_once() -> Iterator[None]:
    """Look up static files only once; WhiteNoise does it for every test client, in 10 ms."""
    look = WhiteNoiseMiddleware.add_files_from_finders
    all_files: dict[str, Any] = {}  # no test changes their location

    def load_files_once(self: WhiteNoiseMiddleware) -> None:
        if not all_files:
            before, self.files = self.files, {}
            look(self)
            all_files.update(self.files)
            self.files = before
        self.files.update(all_files)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(WhiteNoiseMiddleware, "add_files_from_finders", load_files_once)
        yield


@pytest.fixture(scope="session")
def django_db_modify_db_settings(django_db_modify_db_settings_parallel_suffix: None) -> None:
    """Create a worker's database as a copy of a migrated one; missing migrations are still applied."""
    if template := os.environ.get("OTTO_TEST_TEMPLATE"):
        connection.settings_dict["TEST"]["TEMPLATE"] = template


@pytest.fixture(scope="session", autouse=True)
def use_fast_flush() -> Iterator[None]:
    """Empty the database with `empty_tables` after a test that commits."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(TransactionTestCase, "_fixture_teardown", lambda self: database.empty_tables())
        yield


@pytest.fixture(autouse=True)
def activate_english() -> Iterator[None]:
    """Start every test in English: a request leaves its language active in the thread."""
    with translation.override(site.LANGUAGE_CODE):
        yield


@pytest.fixture(autouse=True)
def lift_page_limits(settings: Any) -> None:
    """Disable rate limits of pages; tests of the limits set their own."""
    settings.PAGE_RATE = settings.PAGE_RATE_ANONYMOUS = 10**6
    settings.API_MILLISECONDS = settings.PAGE_MILLISECONDS = 0  # time depends on the machine


@pytest.fixture
def redis() -> Iterator[Redis]:
    """Provide a client of the real Redis, with this worker's own database, empty at the start."""
    with Redis.from_url(os.environ["REDIS_URL"]) as client:
        client.flushdb()
        yield client


@pytest.fixture(scope="session")
def stream_server(django_db_setup: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Start a server of streams with the database and the Redis of these tests; yield its address."""
    from .helpers.streams import start_stream_server

    running = start_stream_server(tmp_path_factory.mktemp("streams"))
    yield running.url
    running.stop()

"""Fixtures that every room may use."""

import os
from collections.abc import Iterator

import pytest
from django.conf import settings as site
from django.db import connection
from django.utils import translation
from pytest_django import DjangoDbBlocker
from redis import Redis


@pytest.fixture(autouse=True)
def in_english() -> Iterator[None]:
    """A request leaves its language behind in its thread: every test begins in that of the code."""
    with translation.override(site.LANGUAGE_CODE):
        yield


@pytest.fixture(scope="session")
def django_db_setup(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> None:
    """The test database, which may be emptied between tests that commit.

    The log of games refuses TRUNCATE. Here, and nowhere else, that one guard is off; a line of the log can be
    neither changed nor deleted in the tests either.
    """
    with django_db_blocker.unblock():
        if connection.vendor == "postgresql":
            with connection.cursor() as cursor:
                cursor.execute("ALTER TABLE games_action DISABLE TRIGGER games_action_kept")


@pytest.fixture
def redis() -> Iterator[Redis]:
    """A client of the real Redis, in a database of this worker's own, empty at the start."""
    with Redis.from_url(os.environ["REDIS_URL"]) as client:
        client.flushdb()
        yield client

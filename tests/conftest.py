"""Fixtures that every room may use."""

import os
from collections.abc import Iterator

import pytest
from redis import Redis


@pytest.fixture
def redis() -> Iterator[Redis]:
    """A client of the real Redis, in a database of this worker's own, empty at the start."""
    with Redis.from_url(os.environ["REDIS_URL"]) as client:
        client.flushdb()
        yield client

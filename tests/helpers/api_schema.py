"""Requests that schemathesis makes from the OpenAPI document."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
import schemathesis
from django.core.signals import request_finished, request_started
from django.db import close_old_connections

from otto_site.wsgi import application

# Tournaments and leagues have a scene of their own: tests/tournaments/test_api_schema.py.
OTHER_SCENES = r"/api/v1/(tournaments|leagues|ratings|proposals)/|/players/\{name\}/ratings/"
whole = schemathesis.openapi.from_wsgi("/api/v1/schema/", application)


def keep_connection_open() -> None:
    """No request closes the connection from here on; the test client lets them again."""
    for signal in (request_started, request_finished):
        signal.disconnect(close_old_connections)


@pytest.fixture(autouse=True)
def one_connection() -> Iterator[None]:
    """A request must not close the connection that holds the test's transaction."""
    keep_connection_open()
    yield
    for signal in (request_started, request_finished):
        signal.connect(close_old_connections)

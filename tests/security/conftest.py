"""Fixtures of all security tests: one world per file, which no test can change for the others."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from django.db import transaction
from pytest_django import DjangoDbBlocker

from common import rate_limits
from tests.helpers.push_service import SITE_PRIVATE_KEY

from .world import World, build_world


@pytest.fixture(autouse=True)
def disable_throttling(settings: Any) -> None:
    """Raise the rate limits, so that attacks are not throttled; tests of the limits set their own."""
    settings.API_RATE = settings.API_RATE_ANONYMOUS = 10**6
    rate_limits.reset_counts()


@pytest.fixture(autouse=True)
def turn_push_on(settings: Any) -> None:
    """Enable push notifications, so that they can be attacked."""
    settings.VAPID_PRIVATE_KEY = SITE_PRIVATE_KEY


@pytest.fixture(scope="module")
def world(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[World]:
    """Build the world once per file; each test is rolled back."""
    with django_db_blocker.unblock(), transaction.atomic():
        yield build_world()
        transaction.set_rollback(True)

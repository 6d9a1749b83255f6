"""What all tests of attacks share: one world for each file, that no test can change for the others."""

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
    """Nobody is throttled for attacking quickly; the tests of the limits set their own."""
    settings.API_RATE = settings.API_RATE_ANONYMOUS = 10**6
    rate_limits.reset_counts()


@pytest.fixture(autouse=True)
def turn_push_on(settings: Any) -> None:
    """What belongs to push is there to be attacked."""
    settings.VAPID_PRIVATE_KEY = SITE_PRIVATE_KEY


@pytest.fixture(scope="module")
def world(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[World]:
    """Made once for a file, and gone after it; whatever a test does to it comes to nothing."""
    with django_db_blocker.unblock(), transaction.atomic():
        yield build_world()
        transaction.set_rollback(True)

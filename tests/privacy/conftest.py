"""Fixtures of both worlds: a frozen time, and no rate limits."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from django.core.signing import TimestampSigner
from django.utils import timezone

from games.web import turn_count

from . import other_chance
from .game_fixtures import LOOK
from .observations import record_log_lines


@pytest.fixture(autouse=True)
def freeze_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Freeze the time, so that times in responses do not depend on the moment of a request."""
    monkeypatch.setattr(timezone, "now", lambda: LOOK)
    monkeypatch.setattr(TimestampSigner, "timestamp", lambda self: "now")  # in cookies with a message


@pytest.fixture(autouse=True)
def count_turns_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    """Disable the cache of turn counts, which could expire between the requests of two worlds."""
    monkeypatch.setattr(turn_count, "CACHE_SECONDS", 0)


@pytest.fixture(autouse=True)
def disable_throttling(settings: Any) -> None:
    """Raise the rate limits, and enable replies by mail."""
    settings.API_RATE = settings.API_RATE_ANONYMOUS = 10**6
    settings.REPLY_DOMAIN = "play.otto.example"


@pytest.fixture(autouse=True)
def record_log() -> Iterator[None]:
    """Record every log line in the format of production."""
    with record_log_lines():
        yield


@pytest.fixture(autouse=True)
def allow_other_chances(monkeypatch: pytest.MonkeyPatch) -> None:
    """Allow games whose shuffles follow from no seed."""
    other_chance.patch_engine_chance(monkeypatch)

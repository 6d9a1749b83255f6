"""What both worlds share: one moment, and room to ask."""

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
    """The clock stands: what a door tells of the time is the same whenever it is asked."""
    monkeypatch.setattr(timezone, "now", lambda: LOOK)
    monkeypatch.setattr(TimestampSigner, "timestamp", lambda self: "now")  # in cookies that carry a notice


@pytest.fixture(autouse=True)
def count_turns_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    """No page shows a number of a while ago: by the real clock, one world may be asked before it is too old,
    the other one after."""
    monkeypatch.setattr(turn_count, "CACHE_SECONDS", 0)


@pytest.fixture(autouse=True)
def disable_throttling(settings: Any) -> None:
    """Nobody is throttled for asking much, and replies come in."""
    settings.API_RATE = settings.API_RATE_ANONYMOUS = 10**6
    settings.REPLY_DOMAIN = "play.otto.example"


@pytest.fixture(autouse=True)
def record_log() -> Iterator[None]:
    """Every line of the log is heard, as operators read it."""
    with record_log_lines():
        yield


@pytest.fixture(autouse=True)
def allow_other_chances(monkeypatch: pytest.MonkeyPatch) -> None:
    """There may be games whose chance no seed gives."""
    other_chance.patch_engine_chance(monkeypatch)

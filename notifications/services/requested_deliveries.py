"""Deliveries that somebody asks for, and that no feed entry makes: tests, answers, invitations to an address.

They go through the same outbox as all others.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from accounts.models import Player
from notifications.models import Delivery
from notifications.notice_kinds import TEST_KIND

TEST_INTERVAL = timedelta(minutes=1)


def create_requested_delivery(
    *, player: Player, kind: str, dedup_key: str, now: datetime, **columns: Any
) -> Delivery:
    """Put a delivery into the outbox, due at once, or return the player's one with this key."""
    delivery, _created = Delivery.objects.get_or_create(
        player=player,
        dedup_key=dedup_key,
        defaults={"kind": kind, "created_at": now, "next_attempt_at": now, **columns},
    )
    return delivery


def create_test_delivery(*, player: Player, key_prefix: str, now: datetime, **columns: Any) -> Delivery:
    """Create a test by one channel, at most one a minute: repeated requests return the same one."""
    minute = int(now.timestamp() // TEST_INTERVAL.total_seconds())
    return create_requested_delivery(
        player=player, kind=TEST_KIND, dedup_key=f"{key_prefix}test:{minute}", now=now, **columns
    )

"""Waiting until a feed shows its last entry, which transactions of concurrent tests hold back."""

from __future__ import annotations

import time

from notifications.models import FeedEntry
from notifications.selectors.feed import find_last_position
from tests.factories.cast import player

PATIENCE_SECONDS = 120  # a test of another worker may keep its transaction open for as long as it runs


def wait_for_feed(name: str) -> None:
    """Wait until the feed of a member of the cast shows all its entries."""
    deadline = time.monotonic() + PATIENCE_SECONDS
    last_entry = FeedEntry.objects.filter(player=player(name)).order_by("transaction_id", "pk").last()
    while last_entry and find_last_position(player(name)).entry_id != last_entry.pk:
        assert time.monotonic() < deadline, "no transaction ends"
        time.sleep(0.02)

"""The language and the time zone of a player, for pages and for what is written to them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from django.utils import timezone, translation

from accounts.models import Player
from accounts.time_zones import time_zone_or_default


@contextmanager
def activate_locale_of(player: Player) -> Iterator[None]:
    """Write in a player's language, with hours of their time zone."""
    with translation.override(player.language), timezone.override(time_zone_or_default(player.time_zone)):
        yield

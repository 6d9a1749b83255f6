"""The number of turns that wait for the viewer, for the menu and the title of every page."""

from __future__ import annotations

import functools
from typing import Any

from django.core.cache import cache
from django.http import HttpRequest

from accounts.models import Player
from games.selectors.waiting_turns import count_waiting_turns

CACHE_SECONDS = 10  # on pages where nobody plays; a stream corrects the number sooner
FRESH_COUNT_VIEWS = frozenset({"game", "games", "home", "lobby", "next", "rules"})


def turn_count_context(request: HttpRequest) -> dict[str, Any]:
    """Return `waiting_turn_count`, counted once and only if a template asks for it.

    Pages about games count anew; elsewhere the number may be a few seconds old, which saves a query.
    """

    @functools.cache
    def count_turns() -> int:
        player, match = request.user, request.resolver_match
        if not isinstance(player, Player):
            return 0
        key = f"waiting-turns:{player.pk}"
        count: int | None = None if match and match.url_name in FRESH_COUNT_VIEWS else cache.get(key)
        if count is None:
            count = count_waiting_turns(player)
            cache.set(key, count, CACHE_SECONDS)
        return count

    return {"waiting_turn_count": count_turns}

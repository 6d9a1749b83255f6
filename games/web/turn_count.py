"""The number of turns that wait for the viewer, for the menu and the title of every page."""

from __future__ import annotations

from functools import cache
from typing import Any

from django.http import HttpRequest

from accounts.models import Player
from games.selectors.waiting_turns import count_waiting_turns


def turn_count_context(request: HttpRequest) -> dict[str, Any]:
    """Return `waiting_turn_count`, counted once and only if a template asks for it."""

    @cache
    def count_turns() -> int:
        return count_waiting_turns(request.user) if isinstance(request.user, Player) else 0

    return {"waiting_turn_count": count_turns}

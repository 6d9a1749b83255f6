"""Requests background work for a player, in small transactions.

A request creates the task and does the first batch, for most players all of it. A sweep
(services.player_sweep) does the rest.
"""

from __future__ import annotations

from datetime import datetime

from accounts.models import Player, PlayerTask


def request_player_task(
    *, player: Player, kind: str, now: datetime, progress: dict[str, int] | None = None
) -> None:
    """Create a task or restart it from this progress; the caller holds the player's row."""
    PlayerTask.objects.update_or_create(
        player=player,
        kind=kind,
        defaults={"requested_at": now, "next_run_at": now, "progress": progress or {}},
    )

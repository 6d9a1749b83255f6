"""Sweep of player tasks: continues work in all games of a player, in rotation between players."""

from __future__ import annotations

import logging
from collections import Counter, deque
from datetime import datetime, timedelta

from games.models import PlayerTask

from . import player_tasks, players
from .budget import Budget

logger = logging.getLogger(__name__)
TASK_RETRY_DELAY = timedelta(minutes=1)  # after a failure or a crash
MAX_TASKS_PER_SWEEP = 1000  # read by one run


def sweep_player_tasks(*, now: datetime, budget: Budget | None = None) -> Counter[str]:
    """Continue due player tasks, a batch of games each in rotation. Returns the number of batches by kind."""
    batch_counts: Counter[str] = Counter()
    budget = budget or Budget.unlimited()
    due_tasks = PlayerTask.objects.filter(due_at__lte=now).order_by("due_at", "pk")
    queue = deque(due_tasks.values_list("pk", "player_id", "kind")[:MAX_TASKS_PER_SWEEP])
    while queue and budget.allows_more():
        pk, player_id, kind = queue.popleft()
        try:
            is_removal = kind == PlayerTask.Kind.DELETE_ACCOUNT
            has_more = (
                continue_removal(pk, now)
                if is_removal
                else player_tasks.update_player_clocks(player_id=player_id, now=now)
            )
            batch_counts[kind] += 1
        except Exception:  # a broken game must not delay other players
            logger.exception("task %s of player %s failed", kind, player_id)
            PlayerTask.objects.filter(pk=pk).update(due_at=now + TASK_RETRY_DELAY)
            continue
        if has_more:
            queue.append((pk, player_id, kind))
    return batch_counts


def continue_removal(pk: int, now: datetime) -> bool:
    """Leave the next games of a player who is being removed, or erase the account if none is left.

    Returns whether there is more to do.
    """
    # Claim for TASK_RETRY_DELAY. Leaving a game is one transaction each, and idempotent.
    if not PlayerTask.objects.filter(pk=pk, due_at__lte=now).update(due_at=now + TASK_RETRY_DELAY):
        return False
    task = PlayerTask.objects.select_related("player").get(pk=pk)
    last_game_id = players.leave_games(
        player=task.player, now=now, after_game_id=task.next_game, limit=player_tasks.GAMES_PER_TRANSACTION
    )
    if last_game_id is None:
        players.erase_player(player=task.player, now=now)
        return False
    PlayerTask.objects.filter(pk=pk).update(next_game=last_game_id, due_at=now)
    return True

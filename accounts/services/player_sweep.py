"""Sweep of player tasks: continues work for players in batches, in rotation between players."""

from __future__ import annotations

import logging
from collections import Counter, deque
from datetime import datetime, timedelta

from accounts.account_extensions import PlayerTaskRunner, load_account_extensions
from accounts.models import PlayerTask
from common.budget import Budget

from . import players

logger = logging.getLogger(__name__)
TASK_RETRY_DELAY = timedelta(minutes=1)  # after a failure or a crash
MAX_TASKS_PER_SWEEP = 1000  # read by one run


def sweep_player_tasks(*, now: datetime, budget: Budget | None = None) -> Counter[str]:
    """Continue due player tasks, a batch each in rotation. Returns the number of batches by kind."""
    batch_counts: Counter[str] = Counter()
    budget = budget or Budget.unlimited()
    runners: dict[str, PlayerTaskRunner] = {PlayerTask.DELETE_ACCOUNT: continue_removal}
    for extension in load_account_extensions():
        runners |= extension.list_player_tasks()
    due_tasks = PlayerTask.objects.filter(next_run_at__lte=now).order_by("next_run_at", "pk")
    queue = deque(due_tasks.values_list("pk", "player_id", "kind")[:MAX_TASKS_PER_SWEEP])
    while queue and budget.allows_more():
        pk, player_id, kind = queue.popleft()
        try:
            has_more = runners[kind](player_id=player_id, now=now)
            batch_counts[kind] += 1
        except Exception:  # what is broken for one player must not delay others
            logger.exception("task %s of player %s failed", kind, player_id)
            PlayerTask.objects.filter(pk=pk).update(next_run_at=now + TASK_RETRY_DELAY)
            continue
        if has_more:
            queue.append((pk, player_id, kind))
    return batch_counts


def continue_removal(*, player_id: int, now: datetime) -> bool:
    """Do the next batch of a player's removal, or erase the account if nothing is left to do.

    Returns whether there is more to do.
    """
    removal = PlayerTask.objects.filter(player=player_id, kind=PlayerTask.DELETE_ACCOUNT)
    # Claim for TASK_RETRY_DELAY. A batch is several transactions, and idempotent.
    if not removal.filter(next_run_at__lte=now).update(next_run_at=now + TASK_RETRY_DELAY):
        return False
    task = removal.select_related("player").get()
    progress = players.leave_next_batch(player=task.player, now=now, progress=task.progress)
    if not progress:
        players.erase_player(player=task.player, now=now)
        return False
    removal.update(progress=progress, next_run_at=now)
    return True

"""Goes on with what is to be done in all games of players, by turns between them."""

from __future__ import annotations

import logging
from collections import Counter, deque
from datetime import datetime, timedelta

from games.models import PlayerTask

from . import player_tasks, players
from .budget import Budget

logger = logging.getLogger(__name__)
RETRY_AFTER = timedelta(minutes=1)  # if it could not be done, or whoever did it died
MAX_TASKS_AT_ONCE = 1000  # that one run looks for


def sweep(*, now: datetime, budget: Budget | None = None) -> Counter[str]:
    """Go on with what was asked for, some games of each player by turns. Returns how many batches of each."""
    done: Counter[str] = Counter()
    budget = budget or Budget.unlimited()
    due = PlayerTask.objects.filter(due_at__lte=now).order_by("due_at", "pk")
    queue = deque(due.values_list("pk", "player_id", "kind")[:MAX_TASKS_AT_ONCE])
    while queue and budget.allows_more():
        pk, player_id, kind = queue.popleft()
        try:
            removal = kind == PlayerTask.Kind.REMOVAL
            more = (
                go_on_leaving(pk, now)
                if removal
                else player_tasks.update_clocks(player_id=player_id, now=now)
            )
            done[kind] += 1
        except Exception:  # one player with a broken game must not keep the others waiting
            logger.exception("%s of player %s could not be done", kind, player_id)
            PlayerTask.objects.filter(pk=pk).update(due_at=now + RETRY_AFTER)
            continue
        if more:
            queue.append((pk, player_id, kind))
    return done


def go_on_leaving(pk: int, now: datetime) -> bool:
    """Leave some games of a player who goes, or delete the account if none is left; whether there is more."""
    # Whoever takes it has so long; each game is a transaction of its own, and can be left twice.
    if not PlayerTask.objects.filter(pk=pk, due_at__lte=now).update(due_at=now + RETRY_AFTER):
        return False
    task = PlayerTask.objects.select_related("player").get(pk=pk)
    last = players.leave_games(
        player=task.player, now=now, after=task.next_game, limit=player_tasks.GAMES_AT_ONCE
    )
    if last is None:
        players.forget_player(player=task.player, now=now)
        return False
    PlayerTask.objects.filter(pk=pk).update(next_game=last, due_at=now)
    return True

"""Recomputes the deadlines of all running games of a player, in small transactions."""

from __future__ import annotations

import logging
from datetime import datetime

from django.db import transaction

from accounts.models import Player, PlayerTask
from accounts.services import player_tasks
from games.models import Game
from games.selectors import load_games

from . import clocks

logger = logging.getLogger(__name__)
RECOMPUTE_DEADLINES = "clocks"  # the kind of the player task
GAMES_PER_TRANSACTION = 20  # a move in one of them waits for the transaction


def recompute_player_deadlines(*, player: Player, now: datetime) -> None:
    """Recompute the first deadlines now and leave the others to a sweep; the caller holds the player."""
    player_tasks.request_player_task(player=player, kind=RECOMPUTE_DEADLINES, now=now)
    update_player_clocks(player_id=player.pk, now=now)


@transaction.atomic
def update_player_clocks(*, player_id: int, now: datetime) -> bool:
    """Recompute the deadlines of the next running games of a player; return whether there are more."""
    # Lock the player before the task, as request_player_task does; no_key as in vacation_changes.
    locked_player = (
        Player.objects.select_for_update(no_key=True, skip_locked=True).filter(pk=player_id).first()
    )
    task = PlayerTask.objects.filter(player=player_id, kind=RECOMPUTE_DEADLINES).first()
    if locked_player is None or task is None:
        return False  # done, or another worker has it
    running_games = (
        Game.objects.running()
        .filter(pk__gt=task.progress.get("games", 0), seats__player=player_id)
        .order_by("pk")
    )
    game_ids = list(running_games.values_list("pk", flat=True)[:GAMES_PER_TRANSACTION])
    # Lock before reading: if two players of a game change vacations, the second sees both.
    list(Game.objects.select_for_update(no_key=True).filter(pk__in=game_ids).order_by("pk").values_list("pk"))
    clock_incidents = clocks.load_unprocessed_incidents() if game_ids else []

    for loaded_game in load_games(game_ids, clocks.log_broken_game):
        if not clocks.try_recompute_deadline(loaded_game, now, now, clock_incidents):
            clocks.recompute_deadline(
                code=loaded_game.game.code, now=now, charge_until=now, clock_incidents=clock_incidents
            )
    if len(game_ids) == GAMES_PER_TRANSACTION:
        # due now: queued behind other tasks
        PlayerTask.objects.filter(pk=task.pk).update(progress={"games": game_ids[-1]}, next_run_at=now)
        return True
    task.delete()
    prune_past_vacations(locked_player, task.requested_at)
    return False


def prune_past_vacations(player: Player, requested_at: datetime) -> None:
    """Remove past vacations that ended before the task was requested: no running seat clock needs them."""
    if not player.past_vacations:
        return
    remaining = [
        vacation for vacation in player.past_vacations if datetime.fromisoformat(vacation[1]) > requested_at
    ]
    Player.objects.filter(pk=player.pk).update(past_vacations=remaining or None)

"""What is to be done in all games of a player, in small transactions.

A request asks for it and does the first few games itself; for most players these are all of them. A sweep
(services.player_sweep) does the others.
"""

from __future__ import annotations

import logging
from datetime import datetime

from django.db import transaction

from games.models import Game, Player, PlayerTask
from games.selectors import tables

from . import clocks

logger = logging.getLogger(__name__)
GAMES_AT_ONCE = 20  # in one transaction: a player who moves in one of them waits for it


def ask_for(*, player: Player, kind: str, now: datetime) -> None:
    """Have something done, from the first game on; the caller holds the player's row."""
    PlayerTask.objects.update_or_create(
        player=player, kind=kind, defaults={"asked_at": now, "due_at": now, "next_game": 0}
    )


@transaction.atomic
def update_clocks(*, player_id: int, now: datetime) -> bool:
    """Write the deadlines of some running games of a player anew; whether there are more."""
    # The player before the task, as by who asks for it; and not of its key, as in services.calendars.
    players_row = Player.objects.select_for_update(no_key=True, skip_locked=True).filter(pk=player_id).first()
    task = PlayerTask.objects.filter(player=player_id, kind=PlayerTask.Kind.CLOCKS).first()
    if players_row is None or task is None:
        return False  # done, or somebody else is at it
    running = Game.objects.filter(
        pk__gt=task.next_game, status=Game.Status.RUNNING, places__player=player_id
    ).order_by("pk")
    ids = list(running.values_list("pk", flat=True)[:GAMES_AT_ONCE])
    # Held before they are read: of two players of a game whose calendars change, the later one sees both.
    list(Game.objects.select_for_update(no_key=True).filter(pk__in=ids).order_by("pk").values_list("pk"))
    stopped = clocks.incidents() if ids else []

    def broken(game: Game) -> None:
        logger.exception("the clocks of game %s could not be set", game.code)

    for found in tables(ids, broken):
        if not clocks.rewound(found, now, now, stopped):
            clocks.rewind(code=found.game.code, now=now, settle_at=now, stopped=stopped)
    if len(ids) == GAMES_AT_ONCE:
        # Behind those of others that wait as long.
        PlayerTask.objects.filter(pk=task.pk).update(next_game=ids[-1], due_at=now)
        return True
    task.delete()
    forget(players_row, task.asked_at)
    return False


def forget(player: Player, asked_at: datetime) -> None:
    """No watch that runs was started or settled before: what only counted until then is not needed."""
    if not player.past_vacations:
        return
    left = [one for one in player.past_vacations if datetime.fromisoformat(one[1]) > asked_at]
    Player.objects.filter(pk=player.pk).update(past_vacations=left or None)

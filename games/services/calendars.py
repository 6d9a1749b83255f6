"""A player's vacation changes: at once for every reader, while deadlines are written anew bit by bit.

What a vacation was before is kept with the player until every watch that ran under it was settled. So whoever
reads a clock meanwhile, a sweep that looks for timeouts included, finds the time that is right; only the
stored deadlines, by which lists are in order and sweeps know when to look, come a little later.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

from django.db import transaction

from games.models import Game, Player, PlayerTask

from . import player_tasks

COLUMNS = ("away_from", "away_until", "past_vacations")


def change_vacation(*, player: Player, now: datetime, change: Callable[[], None]) -> None:
    """Change a player's vacation, without giving or taking time in any running game.

    `change` writes it. Deadlines of some games are written at once, those of the others by a sweep.
    """
    with transaction.atomic():
        # Not of its key: a move locks a game and then the keys of its players, and here it is the other way.
        before = Player.objects.select_for_update(no_key=True).get(pk=player.pk)
        change()
        after = Player.objects.only("pk", *COLUMNS).get(pk=player.pk)
        if not Game.objects.filter(status=Game.Status.RUNNING, places__player=player).exists():
            player.past_vacations = None  # no watch runs that it would matter to
            Player.objects.filter(pk=player.pk).update(past_vacations=None)
            return
        past = before.past_vacations or []
        if before.away_from != after.away_from and (lasted := until_now(before, now)):
            past.append(lasted)
        remember(player, past, now)


def add_vacation(*, player: Player, start: datetime, end: datetime, now: datetime) -> None:
    """A player's clocks rest beside the vacation that is written down; the caller holds the row."""
    past = player.past_vacations or []
    remember(player, [*past, [start.isoformat(), end.isoformat()]], now)


def remember(player: Player, past: list[list[str]], now: datetime) -> None:
    """Keep what was, and have deadlines written anew: those of some games here, the others by a sweep."""
    player.past_vacations = past or None
    Player.objects.filter(pk=player.pk).update(past_vacations=player.past_vacations)
    player_tasks.ask_for(player=player, kind=PlayerTask.Kind.CLOCKS, now=now)
    player_tasks.update_clocks(player_id=player.pk, now=now)
    player.past_vacations = Player.objects.values_list("past_vacations", flat=True).get(pk=player.pk)


def until_now(player: Player, now: datetime) -> list[str] | None:
    """The part of a vacation that lies before a change, as the history keeps it."""
    if player.away_from is None or player.away_until is None or player.away_from >= now:
        return None
    return [player.away_from.isoformat(), min(player.away_until, now).isoformat()]

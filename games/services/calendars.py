"""When a player's clocks rest changes: at once for every reader, while deadlines are written anew bit by bit.

The calendar of before is kept with the player until every watch that ran under it was settled. So whoever
reads a clock meanwhile, a sweep that looks for timeouts included, finds the time that is right; only the
stored deadlines, by which lists are in order and sweeps know when to look, come a little later.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, time
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from games.models import Game, Player, PlayerTask

from . import player_tasks
from .errors import Conflict

MAX_FORMER_HOURS = 20  # that are kept while deadlines are written anew: each makes reading a clock slower
COLUMNS = ("time_zone", "quiet_from", "quiet_until", "away_from", "away_until", "clock_history")


def change_calendar(*, player: Player, now: datetime, change: Callable[[], None]) -> None:
    """Change what a player's calendars say, without giving or taking time in any running game.

    `change` writes it. Deadlines of some games are written at once, those of the others by a sweep.
    Raises Conflict if hours were changed too often for that.
    """
    with transaction.atomic():
        # Not of its key: a move locks a game and then the keys of its players, and here it is the other way.
        before = Player.objects.select_for_update(no_key=True).get(pk=player.pk)
        change()
        after = Player.objects.only("pk", *COLUMNS).get(pk=player.pk)
        if not Game.objects.filter(status=Game.Status.RUNNING, places__player=player).exists():
            player.clock_history = None  # no watch runs that it would matter to
            Player.objects.filter(pk=player.pk).update(clock_history=None)
            return
        history = before.clock_history or {"vacations": [], "hours": []}
        if hours_of(before) != hours_of(after):
            if len(history["hours"]) >= MAX_FORMER_HOURS:
                raise Conflict(
                    _("You have changed your hours too often just now. Try again in a minute."),
                    code="too-many-changes",
                    limit=MAX_FORMER_HOURS,
                )
            history["hours"].append([now.isoformat(), *hours_of(before)])
        if before.away_from != after.away_from and (lasted := until_now(before, now)):
            history["vacations"].append(lasted)
        remember(player, history, now)


def add_vacation(*, player: Player, start: datetime, end: datetime, now: datetime) -> None:
    """A player's clocks rest beside the vacation that is written down; the caller holds the row."""
    history = player.clock_history or {"vacations": [], "hours": []}
    history["vacations"].append([start.isoformat(), end.isoformat()])
    remember(player, history, now)


def remember(player: Player, history: dict[str, Any], now: datetime) -> None:
    """Keep what was, and have deadlines written anew: those of some games here, the others by a sweep."""
    player.clock_history = history
    Player.objects.filter(pk=player.pk).update(clock_history=history)
    player_tasks.ask_for(player=player, kind=PlayerTask.Kind.CLOCKS, now=now)
    player_tasks.update_clocks(player_id=player.pk, now=now)
    player.clock_history = Player.objects.values_list("clock_history", flat=True).get(pk=player.pk)


def hours_of(player: Player) -> list[str | None]:
    """The hours by which a player's clocks may rest, as the history keeps them."""

    def plain(value: time | None) -> str | None:
        return value.isoformat() if value is not None else None

    return [player.time_zone, plain(player.quiet_from), plain(player.quiet_until)]


def until_now(player: Player, now: datetime) -> list[str] | None:
    """The part of a vacation that lies before a change, as the history keeps it."""
    if player.away_from is None or player.away_until is None or player.away_from >= now:
        return None
    return [player.away_from.isoformat(), min(player.away_until, now).isoformat()]

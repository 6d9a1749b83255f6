"""Changes of a player's vacation: effective at once, while stored deadlines are recomputed in batches.

Past vacations are kept with the player until every seat clock that ran under them has been charged. Readers
of a clock, including the timeout sweep, thus always compute the right time; only the stored deadlines, used
for sorting and for scheduling sweeps, lag behind.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

from django.db import transaction

from accounts.models import Player
from games.models import Game

from . import player_clocks

VACATION_COLUMNS = ("vacation_start", "vacation_end", "past_vacations")


def change_vacation(*, player: Player, now: datetime, change: Callable[[], None]) -> None:
    """Change a player's vacation without giving or taking time in any running game.

    `change` writes the new vacation. Deadlines of the first games are recomputed here, the others by a
    sweep.
    """
    with transaction.atomic():
        # no_key: a move locks a game and then the keys of its players, in the opposite order.
        old_player = Player.objects.select_for_update(no_key=True).get(pk=player.pk)
        change()
        new_player = Player.objects.only("pk", *VACATION_COLUMNS).get(pk=player.pk)
        if not Game.objects.running().filter(seats__player=player).exists():
            player.past_vacations = None  # no seat clock depends on it
            Player.objects.filter(pk=player.pk).update(past_vacations=None)
            return
        past_vacations = old_player.past_vacations or []
        if old_player.vacation_start != new_player.vacation_start and (
            elapsed_vacation := clip_vacation_to_now(old_player, now)
        ):
            past_vacations.append(elapsed_vacation)
        store_past_vacations(player, past_vacations, now)


def add_vacation(*, player: Player, start: datetime, end: datetime, now: datetime) -> None:
    """Stop a player's clocks for a span beside the stored vacation; the caller holds the row lock."""
    past_vacations = player.past_vacations or []
    store_past_vacations(player, [*past_vacations, [start.isoformat(), end.isoformat()]], now)


def store_past_vacations(player: Player, past_vacations: list[list[str]], now: datetime) -> None:
    """Store the past vacations and recompute deadlines: of some games here, of the others by a sweep."""
    player.past_vacations = past_vacations or None
    Player.objects.filter(pk=player.pk).update(past_vacations=player.past_vacations)
    player_clocks.recompute_player_deadlines(player=player, now=now)
    player.past_vacations = Player.objects.values_list("past_vacations", flat=True).get(pk=player.pk)


def clip_vacation_to_now(player: Player, now: datetime) -> list[str] | None:
    """Return the part of a vacation before `now` as stored in `past_vacations`, or None."""
    if player.vacation_start is None or player.vacation_end is None or player.vacation_start >= now:
        return None
    return [player.vacation_start.isoformat(), min(player.vacation_end, now).isoformat()]

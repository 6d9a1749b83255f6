"""Vacation: earned by being a member, planned by the player, or taken by the hour when a deadline falls."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db import transaction
from django.utils.translation import gettext as _

from games import clock
from games.models import Event, Player, PlayerTask
from games.spans import lasting

from . import calendars, clocks, player_tasks
from .errors import Conflict, Invalid


def left(player: Player, now: datetime) -> timedelta:
    """What a player has saved up."""
    return clock.vacation_left(player.vacation_saved, player.vacation_at or player.joined_at, now)


def away(player: Player, now: datetime) -> bool:
    """Whether a vacation is going on, or planned."""
    return player.away_until is not None and player.away_until > now


@transaction.atomic
def plan(*, player: Player, start: datetime, end: datetime, now: datetime) -> Player:
    """Go on vacation, now or later. Raises Invalid, or Conflict if one is going on or planned."""
    player = Player.objects.select_for_update(no_key=True).get(pk=player.pk)
    start = max(start, now)
    if away(player, now):
        raise Conflict(_("you are on vacation, or have planned one: end it first"), code="on-vacation")
    if end - start < clock.VACATION_LEAST:
        raise Invalid(_("a vacation lasts at least %(span)s") % {"span": lasting(clock.VACATION_LEAST)})
    if end - start > left(player, now):
        raise Invalid(_("you have not saved up so much vacation"), code="too-little-vacation")
    take(player, start, end, now)
    return player


@transaction.atomic
def end(*, player: Player, now: datetime) -> Player:
    """Come back early, or change one's mind; what is not used is given back, but for the first day.

    Raises Conflict without a vacation to end.
    """
    player = Player.objects.select_for_update(no_key=True).get(pk=player.pk)
    start, until = player.away_from, player.away_until
    if start is None or until is None or until <= now:
        raise Conflict(_("you are not on vacation"), code="not-on-vacation")
    used = max(now - start, timedelta())
    if start < now and until - start >= clock.VACATION_LEAST:
        used = max(used, clock.VACATION_LEAST)
    back = max(until - start - used, timedelta())

    def change() -> None:
        player.vacation_saved = min(left(player, now) + back, clock.VACATION_CAP)
        player.vacation_at = now
        # One that never began leaves nothing behind: else it would count as planned until its first day.
        player.away_from, player.away_until = (start, now) if start < now else (None, None)
        player.save(update_fields=["vacation_saved", "vacation_at", "away_from", "away_until"])

    calendars.change_vacation(player=player, now=now, change=change)
    return player


@transaction.atomic
def take_hour(*, player: Player, now: datetime) -> bool:
    """A deadline fell: an hour of vacation for all games of the player. False if there is none left."""
    player = Player.objects.select_for_update(no_key=True).get(pk=player.pk)
    if away(player, now) and player.away_from and player.away_from <= now:
        # Another of their deadlines took it a moment ago: this game's comes with the others.
        player_tasks.ask_for(player=player, kind=PlayerTask.Kind.CLOCKS, now=now)
        player_tasks.update_clocks(player_id=player.pk, now=now)
        return True
    until = now + clock.VACATION_FLOAT
    if left(player, now) < clock.VACATION_FLOAT:
        return False
    if away(player, now):
        wait(player, until, now)
    else:
        take(player, now, until, now)
    Event.objects.bulk_create(
        [
            Event(
                player=player,
                kind="vacation",
                reason=f"vacation:{now:%Y-%m-%d}",
                data={"left": int(left(player, now).total_seconds())},
                at=now,
                due_at=clock.loud(now, clocks.quiet(player)),
            )
        ],
        ignore_conflicts=True,  # once a day is enough
    )
    return True


def wait(player: Player, until: datetime, now: datetime) -> None:
    """The same next to a planned vacation, where there is room to write down one only."""
    player.vacation_saved = left(player, now) - (until - now)
    player.vacation_at = now
    player.save(update_fields=["vacation_saved", "vacation_at"])
    calendars.add_vacation(player=player, start=now, end=until, now=now)


def take(player: Player, start: datetime, end: datetime, now: datetime) -> None:
    """Write a vacation; the caller holds the player's row."""

    def change() -> None:
        player.vacation_saved = left(player, now) - (end - start)
        player.vacation_at = now
        player.away_from, player.away_until = start, end
        player.save(update_fields=["vacation_saved", "vacation_at", "away_from", "away_until"])

    calendars.change_vacation(player=player, now=now, change=change)

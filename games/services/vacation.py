"""Vacation: earned by membership, planned by the player, or taken by the hour at a timeout."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db import transaction
from django.utils.translation import gettext as _

from games import clock
from games.duration_format import format_duration
from games.models import FeedEntry, Player, PlayerTask

from . import clocks, player_tasks, vacation_changes
from .errors import Conflict, Invalid


def compute_vacation_balance(player: Player, now: datetime) -> timedelta:
    """Return a player's vacation balance."""
    return clock.compute_vacation_balance(player.vacation_saved, player.vacation_at or player.joined_at, now)


def has_vacation(player: Player, now: datetime) -> bool:
    """Return whether a vacation is current or planned."""
    return player.away_until is not None and player.away_until > now


@transaction.atomic
def plan_vacation(*, player: Player, start: datetime, end: datetime, now: datetime) -> Player:
    """Plan a vacation, from now or later. Raises Invalid, or Conflict if one is current or planned."""
    player = Player.objects.select_for_update(no_key=True).get(pk=player.pk)
    start = max(start, now)
    if has_vacation(player, now):
        raise Conflict(_("you are on vacation, or have planned one: end it first"), code="on-vacation")
    if end - start < clock.MIN_VACATION_LENGTH:
        raise Invalid(
            _("a vacation lasts at least %(span)s") % {"span": format_duration(clock.MIN_VACATION_LENGTH)}
        )
    if end - start > compute_vacation_balance(player, now):
        raise Invalid(_("you have not saved up so much vacation"), code="too-little-vacation")
    start_vacation(player, start, end, now)
    return player


@transaction.atomic
def end_vacation(*, player: Player, now: datetime) -> Player:
    """End or cancel a vacation; unused time is refunded, except the first day.

    Raises Conflict if there is none to end.
    """
    player = Player.objects.select_for_update(no_key=True).get(pk=player.pk)
    vacation_start, vacation_end = player.away_from, player.away_until
    if vacation_start is None or vacation_end is None or vacation_end <= now:
        raise Conflict(_("you are not on vacation"), code="not-on-vacation")
    used_time = max(now - vacation_start, timedelta())
    if vacation_start < now and vacation_end - vacation_start >= clock.MIN_VACATION_LENGTH:
        used_time = max(used_time, clock.MIN_VACATION_LENGTH)
    refund = max(vacation_end - vacation_start - used_time, timedelta())

    def write_change() -> None:
        player.vacation_saved = min(
            compute_vacation_balance(player, now) + refund, clock.MAX_VACATION_BALANCE
        )
        player.vacation_at = now
        # One that never began is removed, or it would count as planned until its first day.
        player.away_from, player.away_until = (vacation_start, now) if vacation_start < now else (None, None)
        player.save(update_fields=["vacation_saved", "vacation_at", "away_from", "away_until"])

    vacation_changes.change_vacation(player=player, now=now, change=write_change)
    return player


@transaction.atomic
def take_vacation_hour(*, player: Player, now: datetime) -> bool:
    """Take an hour of vacation for all games of a player at a timeout. Returns False if none is left."""
    player = Player.objects.select_for_update(no_key=True).get(pk=player.pk)
    if has_vacation(player, now) and player.away_from and player.away_from <= now:
        # Another timeout took it a moment ago: recompute this game with the others.
        player_tasks.request_player_task(player=player, kind=PlayerTask.Kind.RECOMPUTE_DEADLINES, now=now)
        player_tasks.update_player_clocks(player_id=player.pk, now=now)
        return True
    until = now + clock.FLOATING_VACATION_STEP
    if compute_vacation_balance(player, now) < clock.FLOATING_VACATION_STEP:
        return False
    if has_vacation(player, now):
        add_hour_beside_planned(player, until, now)
    else:
        start_vacation(player, now, until, now)
    FeedEntry.objects.bulk_create(
        [
            FeedEntry(
                player=player,
                kind="vacation",
                reason=f"vacation:{now:%Y-%m-%d}",
                data={"left": int(compute_vacation_balance(player, now).total_seconds())},
                at=now,
                due_at=clock.next_loud_time(now, clocks.build_quiet_calendar(player)),
            )
        ],
        ignore_conflicts=True,  # one notice per day
    )
    return True


def add_hour_beside_planned(player: Player, until: datetime, now: datetime) -> None:
    """Add an hour beside a planned vacation, as the player's row stores only one."""
    player.vacation_saved = compute_vacation_balance(player, now) - (until - now)
    player.vacation_at = now
    player.save(update_fields=["vacation_saved", "vacation_at"])
    vacation_changes.add_vacation(player=player, start=now, end=until, now=now)


def start_vacation(player: Player, start: datetime, end: datetime, now: datetime) -> None:
    """Write a vacation and deduct it from the balance; the caller holds the player's row."""

    def write_change() -> None:
        player.vacation_saved = compute_vacation_balance(player, now) - (end - start)
        player.vacation_at = now
        player.away_from, player.away_until = start, end
        player.save(update_fields=["vacation_saved", "vacation_at", "away_from", "away_until"])

    vacation_changes.change_vacation(player=player, now=now, change=write_change)

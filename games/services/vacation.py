"""Vacation: earned by membership, planned by the player, or taken by the hour at a timeout."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db import transaction
from django.utils.translation import gettext as _

from accounts.models import Player
from common.duration_format import format_duration
from common.service_errors import Conflict, Invalid
from games import clock
from games.game_notice_kinds import GameNoticeKind
from notifications.services import notices

from . import clocks, player_clocks, vacation_changes


def compute_vacation_balance(player: Player, now: datetime) -> timedelta:
    """Return a player's vacation balance."""
    return clock.compute_vacation_balance(
        player.vacation_balance, player.vacation_accrued_at or player.joined_at, now
    )


def has_vacation(player: Player, now: datetime) -> bool:
    """Return whether a vacation is current or planned."""
    return player.vacation_end is not None and player.vacation_end > now


@transaction.atomic
def plan_vacation(*, player: Player, start: datetime, end: datetime, now: datetime) -> Player:
    """Plan a vacation, from now or later. Raises Invalid, or Conflict if one is current or planned."""
    player = Player.objects.select_for_update(no_key=True).get(pk=player.pk)
    start = max(start, now)
    if has_vacation(player, now):
        raise Conflict(_("you are on vacation or have planned one: end it first"), code="on-vacation")
    if end - start < clock.MIN_VACATION_LENGTH:
        raise Invalid(
            _("a vacation lasts at least %(span)s") % {"span": format_duration(clock.MIN_VACATION_LENGTH)},
            field="until",
        )
    if end - start > compute_vacation_balance(player, now):
        raise Invalid(_("you have less vacation left than that"), code="too-little-vacation", field="until")
    start_vacation(player, start, end, now)
    return player


@transaction.atomic
def end_vacation(*, player: Player, now: datetime) -> Player:
    """End or cancel a vacation; unused time is refunded, except the first day.

    Raises Conflict if there is none to end.
    """
    player = Player.objects.select_for_update(no_key=True).get(pk=player.pk)
    vacation_start, vacation_end = player.vacation_start, player.vacation_end
    if vacation_start is None or vacation_end is None or vacation_end <= now:
        raise Conflict(_("you are not on vacation"), code="not-on-vacation")
    used_time = max(now - vacation_start, timedelta())
    if vacation_start < now and vacation_end - vacation_start >= clock.MIN_VACATION_LENGTH:
        used_time = max(used_time, clock.MIN_VACATION_LENGTH)
    refund = max(vacation_end - vacation_start - used_time, timedelta())

    def write_change() -> None:
        player.vacation_balance = min(
            compute_vacation_balance(player, now) + refund, clock.MAX_VACATION_BALANCE
        )
        player.vacation_accrued_at = now
        # One that never began is removed, or it would count as planned until its first day.
        player.vacation_start, player.vacation_end = (
            (vacation_start, now) if vacation_start < now else (None, None)
        )
        player.save(
            update_fields=["vacation_balance", "vacation_accrued_at", "vacation_start", "vacation_end"]
        )

    vacation_changes.change_vacation(player=player, now=now, change=write_change)
    return player


@transaction.atomic
def take_vacation_hour(*, player: Player, now: datetime) -> bool:
    """Take an hour of vacation for all games of a player at a timeout. Returns False if none is left."""
    player = Player.objects.select_for_update(no_key=True).get(pk=player.pk)
    if has_vacation(player, now) and player.vacation_start and player.vacation_start <= now:
        # Another timeout took it a moment ago: recompute this game with the others.
        player_clocks.recompute_player_deadlines(player=player, now=now)
        return True
    until = now + clock.FLOATING_VACATION_STEP
    if compute_vacation_balance(player, now) < clock.FLOATING_VACATION_STEP:
        return False
    if has_vacation(player, now):
        add_hour_beside_planned(player, until, now)
    else:
        start_vacation(player, now, until, now)
    notices.notify(
        {player.pk: clock.skip_quiet_hours(now, clocks.build_quiet_calendar(player))},
        kind=GameNoticeKind.VACATION,
        dedup_key=f"vacation:{now:%Y-%m-%d}",  # one notice per day
        data={"left_seconds": int(compute_vacation_balance(player, now).total_seconds())},
        now=now,
    )
    return True


def add_hour_beside_planned(player: Player, until: datetime, now: datetime) -> None:
    """Add an hour beside a planned vacation, as the player's row stores only one."""
    player.vacation_balance = compute_vacation_balance(player, now) - (until - now)
    player.vacation_accrued_at = now
    player.save(update_fields=["vacation_balance", "vacation_accrued_at"])
    vacation_changes.add_vacation(player=player, start=now, end=until, now=now)


def start_vacation(player: Player, start: datetime, end: datetime, now: datetime) -> None:
    """Write a vacation and deduct it from the balance; the caller holds the player's row."""

    def write_change() -> None:
        player.vacation_balance = compute_vacation_balance(player, now) - (end - start)
        player.vacation_accrued_at = now
        player.vacation_start, player.vacation_end = start, end
        player.save(
            update_fields=["vacation_balance", "vacation_accrued_at", "vacation_start", "vacation_end"]
        )

    vacation_changes.change_vacation(player=player, now=now, change=write_change)

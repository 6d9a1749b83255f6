"""Reminders repeat while a turn waits, when its player wants them and not earlier."""

from __future__ import annotations

from datetime import UTC, datetime, time, timedelta
from typing import Any

import pytest
from django.db.models import Min

from accounts.models import Player
from games.models import Game, Incident
from games.services import clocks
from notifications.models import Delivery, FeedEntry
from tests.factories.cast import NOW
from tests.helpers.notice_helpers import (
    DAY,
    HOUR,
    MINUTE,
    ONE_MINUTE_LATER,
    fan_out,
    get_seat_clock,
    list_kinds,
    play_turn,
    set_wishes,
    start_table,
)

pytestmark = pytest.mark.django_db


def list_reminders(who: Player, until: datetime) -> list[datetime]:
    """Sweep whenever something is due; return the times of reminders."""
    at, times = ONE_MINUTE_LATER, []
    while True:
        before = list_kinds(who).count("reminder")
        fan_out(at)
        times += [at] * (list_kinds(who).count("reminder") - before)
        due = FeedEntry.objects.aggregate(due=Min("notify_at"))["due"]
        if due is None or due > until:
            return times
        assert due > at, "what was due is told"
        at = due


def test_a_player_is_reminded_when_most_of_the_turn_and_when_most_of_all_time_is_gone() -> None:
    game, first, _ = start_table()
    seat_clock = get_seat_clock(game, first)
    assert seat_clock.runs_from
    assert list_reminders(first, seat_clock.runs_from + 9 * DAY) == [
        seat_clock.runs_from + 1.5 * DAY,
        seat_clock.runs_from + 9 * DAY * 9 / 10,
    ]
    deliveries = Delivery.objects.filter(player=first, kind="reminder").order_by("pk")
    turn = f"{game.code}:{seat_clock.turn_seq}"
    assert [delivery.dedup_key for delivery in deliveries] == [f"{turn}:reminder:1", f"{turn}:reminder:2"]
    assert not FeedEntry.objects.filter(player=first, notify_at__isnull=False).exists()


@pytest.mark.parametrize(
    ("wish", "expected"),
    [
        ({"remind_at_used_percent": None}, [8.1]),
        ({"remind_at_left_percent": None}, [1.5]),
        ({"remind_at_used_percent": None, "remind_at_left_percent": None}, []),
        ({"remind_at_used_percent": 50, "remind_at_left_percent": 50}, [1.0, 4.5]),
        ({"mail_frequency": "none"}, []),
        ({"mail_frequency": "digest"}, [1.5, 8.1]),
        ({"mail_frequency": "once", "last_turn_mail_at": NOW}, [1.5, 8.1]),
    ],
)
def test_reminders_come_as_the_player_wants_them(wish: dict[str, Any], expected: list[float]) -> None:
    for name in ("ada", "bob"):
        set_wishes(name, **wish)
    _, first, _ = start_table()
    assert list_reminders(first, ONE_MINUTE_LATER + 9 * DAY) == [
        ONE_MINUTE_LATER + days * DAY for days in expected
    ]


def test_who_has_played_is_not_reminded() -> None:
    game, first, second = start_table()
    fan_out()
    play_turn(game, NOW + HOUR)
    list_reminders(first, NOW + 3 * DAY)
    assert "reminder" not in list_kinds(first)
    assert list_kinds(second) == ["started", "turn", "reminder"]


def test_who_gave_themselves_the_turn_is_only_reminded() -> None:
    _, first, _ = start_table()
    FeedEntry.objects.filter(player=first, kind="turn").update(notice_stage=FeedEntry.NoticeStage.KNOWN)
    fan_out()
    assert list_kinds(first) == []
    assert list_reminders(first, NOW + 2 * DAY) == [ONE_MINUTE_LATER + 1.5 * DAY]
    assert list_kinds(first) == ["reminder"]


def test_when_nobody_swept_for_days_the_notice_is_not_followed_by_a_reminder_at_once() -> None:
    _, first, _ = start_table()
    fan_out(NOW + 3 * DAY)
    fan_out(NOW + 3 * DAY + MINUTE)
    assert list_kinds(first) == ["turn"], "the notice itself comes late enough to remind"
    assert FeedEntry.objects.get(player=first, kind="turn").notify_at == ONE_MINUTE_LATER + 8.1 * DAY, (
        "but not when all time runs out"
    )


def test_two_reminders_that_were_missed_are_one() -> None:
    _, first, _ = start_table()
    fan_out()
    fan_out(NOW + 8.5 * DAY)
    fan_out(NOW + 8.5 * DAY + HOUR)
    assert list_kinds(first) == ["turn", "reminder"]


def test_a_clock_that_rested_reminds_as_much_later() -> None:
    game, first, _ = start_table()
    fan_out()
    Game.objects.filter(pk=game.pk).update(paused_from=NOW + HOUR, paused_until=NOW + HOUR + 5 * DAY)
    assert list_reminders(first, ONE_MINUTE_LATER + 7 * DAY) == [ONE_MINUTE_LATER + 6.5 * DAY]


def test_a_deadline_that_moved_ahead_takes_the_reminder_with_it() -> None:
    game, first, _ = start_table()
    Game.objects.filter(pk=game.pk).update(paused_from=ONE_MINUTE_LATER, paused_until=NOW + 20 * DAY)
    fan_out()
    assert FeedEntry.objects.get(player=first, kind="turn").notify_at == NOW + 21.5 * DAY
    Game.objects.filter(pk=game.pk).update(paused_until=NOW + HOUR)
    clocks.recompute_deadline(code=game.code, now=NOW + HOUR)
    fan_out(NOW + HOUR)
    assert list_kinds(first) == ["turn"]
    assert FeedEntry.objects.get(player=first, kind="turn").notify_at == NOW + HOUR + 1.5 * DAY


def test_while_all_clocks_stand_still_nobody_is_reminded_and_afterwards_they_are() -> None:
    _, first, _ = start_table()
    fan_out()
    incident = Incident.objects.create(started_at=ONE_MINUTE_LATER + HOUR)
    assert list_reminders(first, NOW + 3 * DAY) == []
    incident.ended_at = ONE_MINUTE_LATER + HOUR + 3 * DAY
    incident.save()
    assert list_reminders(first, NOW + 5 * DAY) == [ONE_MINUTE_LATER + 4.5 * DAY]


def test_a_reminder_waits_for_the_end_of_quiet_hours() -> None:
    for name in ("ada", "bob"):
        set_wishes(
            name,
            quiet_from=time(22),
            quiet_until=time(8),
            time_zone="Europe/Rome",
            remind_at_left_percent=None,
        )
    _, first, _ = start_table()
    # 75 % of two days after 12:01 UTC is just after midnight: quiet until 8 in Rome.
    assert list_reminders(first, ONE_MINUTE_LATER + 3 * DAY) == [datetime(2026, 3, 3, 7, tzinfo=UTC)]


def test_quiet_hours_do_not_hide_that_a_game_is_about_to_be_lost() -> None:
    for name in ("ada", "bob"):
        set_wishes(name, quiet_from=time(22), quiet_until=time(8), remind_at_left_percent=None)
    _, first, _ = start_table(time_control="custom", allowance=15 * 3600, bank=0)
    # 75 % of 15 hours is 23:16, in quiet hours; the deadline at 3:01 comes before they end.
    assert list_reminders(first, NOW + DAY) == [ONE_MINUTE_LATER + 11.25 * HOUR]


def test_in_a_live_game_nothing_waits_for_the_morning() -> None:
    for name in ("ada", "bob"):
        set_wishes(name, quiet_from=time(12), quiet_until=time(23), remind_at_left_percent=None)
    game, first, _ = start_table(time_control="live")
    start = get_seat_clock(game, first).runs_from
    assert start == NOW + timedelta(seconds=9)
    fan_out(start)
    assert list_kinds(first) == ["turn"]
    assert list_reminders(first, NOW + 10 * MINUTE) == [start + timedelta(seconds=135)]


def test_a_blind_match_reminds_by_its_own_shorter_clock() -> None:
    game, first, _ = start_table(blind_allowance=3600 * 12)
    seat = game.seats.get(player=first).seat_no
    secret = game.secrets
    secret.state = secret.state.replace('"match_kind":"normal"', '"match_kind":"blind"')
    secret.save()
    game.seat_clocks[str(seat)]["left"] = 3600.0 * 12
    game.save()
    assert list_reminders(first, NOW + DAY) == [ONE_MINUTE_LATER + 9 * HOUR]

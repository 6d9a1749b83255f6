"""Reminders: they follow a turn for as long as it waits, when its player wants them and not before."""

from __future__ import annotations

from datetime import UTC, datetime, time, timedelta
from typing import Any

import pytest
from django.db.models import Min

from games.models import Delivery, FeedEntry, Game, Incident, Player
from games.services import clocks

from .cast import NOW
from .telling import DAY, HOUR, MINUTE, SOON, kinds, play_turn, spread, table, waiting_since, wishes

pytestmark = pytest.mark.django_db


def reminders(who: Player, until: datetime) -> list[datetime]:
    """When a player was reminded, with a sweep whenever something is due."""
    at, times = SOON, []
    while True:
        before = kinds(who).count("reminder")
        spread(at)
        times += [at] * (kinds(who).count("reminder") - before)
        due = FeedEntry.objects.aggregate(due=Min("due_at"))["due"]
        if due is None or due > until:
            return times
        assert due > at, "what was due is told"
        at = due


def test_a_player_is_reminded_when_most_of_the_turn_and_when_most_of_all_time_is_gone() -> None:
    game, first, _ = table()
    seat_clock = waiting_since(game, first)
    assert seat_clock.runs_from
    assert reminders(first, seat_clock.runs_from + 9 * DAY) == [
        seat_clock.runs_from + 1.5 * DAY,
        seat_clock.runs_from + 9 * DAY * 9 / 10,
    ]
    found = Delivery.objects.filter(player=first, kind="reminder").order_by("pk")
    turn = f"{game.code}:{seat_clock.turn_seq}"
    assert [one.reason for one in found] == [f"{turn}:reminder:1", f"{turn}:reminder:2"]
    assert not FeedEntry.objects.filter(player=first, due_at__isnull=False).exists()


@pytest.mark.parametrize(
    ("wish", "expected"),
    [
        ({"remind_used": None}, [8.1]),
        ({"remind_left": None}, [1.5]),
        ({"remind_used": None, "remind_left": None}, []),
        ({"remind_used": 50, "remind_left": 50}, [1.0, 4.5]),
        ({"mails": "none"}, []),
        ({"mails": "digest"}, [1.5, 8.1]),
        ({"mails": "once", "mailed_at": NOW}, [1.5, 8.1]),
    ],
)
def test_reminders_come_as_the_player_wants_them(wish: dict[str, Any], expected: list[float]) -> None:
    for name in ("ada", "bob"):
        wishes(name, **wish)
    _, first, _ = table()
    assert reminders(first, SOON + 9 * DAY) == [SOON + days * DAY for days in expected]


def test_who_has_played_is_not_reminded() -> None:
    game, first, second = table()
    spread()
    play_turn(game, NOW + HOUR)
    reminders(first, NOW + 3 * DAY)
    assert "reminder" not in kinds(first)
    assert kinds(second) == ["started", "turn", "reminder"]


def test_who_gave_themselves_the_turn_is_only_reminded() -> None:
    _, first, _ = table()
    FeedEntry.objects.filter(player=first, kind="turn").update(stage=1)
    spread()
    assert kinds(first) == []
    assert reminders(first, NOW + 2 * DAY) == [SOON + 1.5 * DAY]
    assert kinds(first) == ["reminder"]


def test_when_nobody_swept_for_days_the_notice_is_not_followed_by_a_reminder_at_once() -> None:
    _, first, _ = table()
    spread(NOW + 3 * DAY)
    spread(NOW + 3 * DAY + MINUTE)
    assert kinds(first) == ["turn"], "the notice itself comes late enough to remind"
    assert FeedEntry.objects.get(player=first).due_at == SOON + 8.1 * DAY, "but not when all time runs out"


def test_two_reminders_that_were_missed_are_one() -> None:
    _, first, _ = table()
    spread()
    spread(NOW + 8.5 * DAY)
    spread(NOW + 8.5 * DAY + HOUR)
    assert kinds(first) == ["turn", "reminder"]


def test_a_clock_that_rested_reminds_as_much_later() -> None:
    game, first, _ = table()
    spread()
    Game.objects.filter(pk=game.pk).update(paused_from=NOW + HOUR, paused_until=NOW + HOUR + 5 * DAY)
    assert reminders(first, SOON + 7 * DAY) == [SOON + 6.5 * DAY]


def test_a_deadline_that_moved_ahead_takes_the_reminder_with_it() -> None:
    game, first, _ = table()
    Game.objects.filter(pk=game.pk).update(paused_from=SOON, paused_until=NOW + 20 * DAY)
    spread()
    assert FeedEntry.objects.get(player=first).due_at == NOW + 21.5 * DAY
    Game.objects.filter(pk=game.pk).update(paused_until=NOW + HOUR)
    clocks.recompute_deadline(code=game.code, now=NOW + HOUR)
    spread(NOW + HOUR)
    assert kinds(first) == ["turn"]
    assert FeedEntry.objects.get(player=first).due_at == NOW + HOUR + 1.5 * DAY


def test_while_all_clocks_stand_still_nobody_is_reminded_and_afterwards_they_are() -> None:
    _, first, _ = table()
    spread()
    incident = Incident.objects.create(started_at=SOON + HOUR)
    assert reminders(first, NOW + 3 * DAY) == []
    incident.ended_at = SOON + HOUR + 3 * DAY
    incident.save()
    assert reminders(first, NOW + 5 * DAY) == [SOON + 4.5 * DAY]


def test_a_reminder_waits_for_the_end_of_quiet_hours() -> None:
    for name in ("ada", "bob"):
        wishes(name, quiet_from=time(22), quiet_until=time(8), time_zone="Europe/Rome", remind_left=None)
    _, first, _ = table()
    # 75 % of two days after 12:01 UTC is just after midnight: quiet until 8 in Rome.
    assert reminders(first, SOON + 3 * DAY) == [datetime(2026, 3, 3, 7, tzinfo=UTC)]


def test_quiet_hours_do_not_hide_that_a_game_is_about_to_be_lost() -> None:
    for name in ("ada", "bob"):
        wishes(name, quiet_from=time(22), quiet_until=time(8), remind_left=None)
    _, first, _ = table(clock_name="custom", allowance=15 * 3600, bank=0)
    # 75 % of 15 hours is 23:16, quiet; the time is up at 3:01, before the quiet hours are.
    assert reminders(first, NOW + DAY) == [SOON + 11.25 * HOUR]


def test_in_a_live_game_nothing_waits_for_the_morning() -> None:
    for name in ("ada", "bob"):
        wishes(name, quiet_from=time(12), quiet_until=time(23), remind_left=None)
    game, first, _ = table(clock_name="live")
    start = waiting_since(game, first).runs_from
    assert start == NOW + timedelta(seconds=9)
    spread(start)
    assert kinds(first) == ["turn"]
    assert reminders(first, NOW + 10 * MINUTE) == [start + timedelta(seconds=135)]


def test_a_blind_match_reminds_by_its_own_shorter_clock() -> None:
    game, first, _ = table(blind_allowance=3600 * 12)
    seat = game.places.get(player=first).number
    secret = game.secret
    secret.state = secret.state.replace('"match_kind":"normal"', '"match_kind":"blind"')
    secret.save()
    game.clocks[str(seat)]["left"] = 3600.0 * 12
    game.save()
    assert reminders(first, NOW + DAY) == [SOON + 9 * HOUR]

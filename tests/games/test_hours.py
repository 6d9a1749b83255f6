"""Clocks rest at weekends and at night; a change of hours or time zone neither loses nor gains time."""

from __future__ import annotations

from datetime import UTC, datetime, time, timedelta
from typing import Any

import pytest

from accounts.models import Player
from accounts.services import players
from games import clock
from games.clock import PlayerHours
from games.models import Game
from games.services import clocks, incidents, vacation
from tests.factories.cast import NOW, player
from tests.factories.timing import (
    BEGUN,
    DAY,
    HOUR,
    MINUTE,
    compute_time_left,
    get_deadline,
    get_seat_clock,
    list_log_lines,
    play_until_turn_of,
    reload_player,
    set_vacation_balance,
    start_vacation_game,
    sweep_games,
)

pytestmark = pytest.mark.django_db


def plan_vacation(name: str, start: datetime, end: datetime, now: datetime = NOW) -> Player:
    return vacation.plan_vacation(player=reload_player(name), start=start, end=end, now=now)


# ---------------------------------------------------------------------------------------- weekends and nights


def test_at_the_weekend_of_its_player_a_clock_rests() -> None:
    """It is Sunday noon in UTC, already Monday in Auckland, and still Saturday night in Honolulu."""
    ends = {
        "UTC": datetime(2026, 3, 2, tzinfo=UTC),
        "Pacific/Auckland": BEGUN,
        "Pacific/Honolulu": datetime(2026, 3, 2, 10, tzinfo=UTC),
    }
    for zone, runs_from in ends.items():
        Player.objects.filter(pk=player("ada").pk).update(time_zone=zone)
        game = start_vacation_game("ada", "bob", weekends=True, vacation=False)
        assert get_deadline(game) == runs_from + 27 * HOUR


def test_in_the_night_hours_of_its_player_a_clock_rests() -> None:
    Player.objects.filter(pk=player("ada").pk).update(time_zone="Europe/Rome")
    game = start_vacation_game("ada", "bob", nights=True, vacation=False)
    # In Rome the clock runs 13:01 to 23:00, then from 7:00 on: 9 h 59 min, 16 h, 1 h 1 min.
    assert get_deadline(game) == datetime(2026, 3, 3, 7, 1, tzinfo=UTC)
    Player.objects.filter(name="ada").update(quiet_from=time(14), quiet_until=time(15))
    game = start_vacation_game("ada", "bob", nights=True, vacation=False)
    # 59 minutes, one hour of rest, 23 hours, one hour of rest, 3 h 1 min.
    assert get_deadline(game) == datetime(2026, 3, 2, 17, 1, tzinfo=UTC)


def test_a_change_of_zone_or_hours_counts_from_the_next_turn_on() -> None:
    games = [
        start_vacation_game("ada", "bob", nights=True, vacation=False),
        start_vacation_game("ada", "cleo", weekends=True, vacation=False),
        start_vacation_game("ada", "dirk", vacation=False),
    ]
    moments = [NOW + HOUR, NOW + 5 * HOUR, NOW + 13 * HOUR, NOW + 20 * HOUR]
    changes: list[dict[str, Any]] = [
        {"time_zone": "Asia/Tokyo"},
        {"quiet_from": time(20), "quiet_until": time(6)},
        {"time_zone": "America/New_York", "quiet_from": time(1)},
        {"quiet_from": None, "quiet_until": None},
    ]
    rows = list(Game.objects.order_by("pk").values())
    falls = [get_deadline(game) for game in games]
    for now, change in zip(moments, changes, strict=True):
        before = [compute_time_left(game, "ada", now) for game in games]
        players.change_profile(player=reload_player("ada"), now=now, **change)
        assert [compute_time_left(game, "ada", now) for game in games] == before
        assert list(Game.objects.order_by("pk").values()) == rows
    assert len(set(falls)) == 3
    for game in games:
        play_until_turn_of(
            game, "bob" if game == games[0] else "cleo" if game == games[1] else "dirk", moments[-1]
        )
        play_until_turn_of(game, "ada", moments[-1])
        calendar = clocks.build_calendar(game, reload_player("ada"))
        assert get_seat_clock(game, "ada").hours == clocks.turn_hours_of(game, reload_player("ada"))
        until = clock.add_running_time(
            calendar, moments[-1] + MINUTE, compute_time_left(game, "ada", moments[-1])
        )
        assert get_deadline(game) == until
    assert get_seat_clock(games[0], "ada").hours == PlayerHours("America/New_York", clock.DEFAULT_NIGHT_HOURS)


def test_what_leaves_the_hours_alone_leaves_the_clocks_alone() -> None:
    game = start_vacation_game("ada", "bob", nights=True)
    before = Game.objects.values().get(pk=game.pk)
    players.change_profile(player=reload_player("ada"), now=NOW + HOUR, language="it", time_zone="UTC")
    assert Game.objects.values().get(pk=game.pk) == before


# --------------------------------------------------------------------------------------- conservation of time


def test_whatever_makes_a_clock_rest_no_time_is_lost_or_won() -> None:
    """Over vacations, an incident and changed hours, the time left shrinks only while the clock runs."""
    game = start_vacation_game("ada", "bob", nights=True, weekends=True, allowance=10 * 86_400)
    set_vacation_balance("ada", 20 * DAY)
    now, left = BEGUN, compute_time_left(game, "ada", BEGUN)
    commands = [
        lambda at: vacation.plan_vacation(
            player=reload_player("ada"), start=at + 6 * HOUR, end=at + 3 * DAY, now=at
        ),
        lambda at: incidents.start_incident(now=at),
        lambda at: players.change_profile(player=reload_player("ada"), now=at, time_zone="Asia/Kathmandu"),
        lambda at: incidents.end_incident(now=at),
        lambda at: vacation.end_vacation(player=reload_player("ada"), now=at),
        lambda at: vacation.plan_vacation(player=reload_player("ada"), start=at, end=at + 2 * DAY, now=at),
        lambda at: players.change_profile(
            player=reload_player("ada"), now=at, quiet_from=time(9), quiet_until=time(17)
        ),
    ]
    for n, command in enumerate(commands):
        later = now + timedelta(hours=7 + 3 * n, minutes=11)
        game.refresh_from_db()
        calendar = clocks.build_calendar(
            game, reload_player("ada"), clocks.load_unprocessed_incidents(), get_seat_clock(game, "ada")
        )
        ran = clock.measure_running_time(calendar, now, later)
        assert compute_time_left(game, "ada", later) == left - ran
        command(later)
        now, left = later, left - ran
        assert compute_time_left(game, "ada", now) == left
    sweep_games(now)
    assert list_log_lines(game)[-1][2] == "player"
    assert get_seat_clock(game, "bob").bank == 2 * HOUR

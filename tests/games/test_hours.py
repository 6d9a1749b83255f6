"""Weekends, nights, zones: clocks rest, and whatever changes, no time is lost or won by it."""

from __future__ import annotations

from datetime import UTC, datetime, time, timedelta
from typing import Any

import pytest

from games import clock
from games.clock import PlayerHours
from games.models import Game, Player
from games.services import clocks, incidents, players, vacation

from .cast import NOW, player
from .timing import (
    BEGUN,
    DAY,
    HOUR,
    MINUTE,
    allowing,
    deadline,
    left_at,
    lines,
    person,
    saved,
    swept,
    turn_of,
    watch,
)

pytestmark = pytest.mark.django_db


def plan(name: str, start: datetime, end: datetime, now: datetime = NOW) -> Player:
    return vacation.plan_vacation(player=person(name), start=start, end=end, now=now)


# ---------------------------------------------------------------------------------------- weekends and nights


def test_at_the_weekend_of_its_player_a_clock_rests() -> None:
    """It is Sunday noon in UTC; in Auckland it is Monday already, in Honolulu still the night to Sunday."""
    ends = {
        "UTC": datetime(2026, 3, 2, tzinfo=UTC),
        "Pacific/Auckland": BEGUN,
        "Pacific/Honolulu": datetime(2026, 3, 2, 10, tzinfo=UTC),
    }
    for zone, runs_from in ends.items():
        Player.objects.filter(pk=player("ada").pk).update(time_zone=zone)
        game = allowing("ada", "bob", weekends=True, vacation=False)
        assert deadline(game) == runs_from + 27 * HOUR


def test_in_the_night_hours_of_its_player_a_clock_rests() -> None:
    Player.objects.filter(pk=player("ada").pk).update(time_zone="Europe/Rome")
    game = allowing("ada", "bob", nights=True, vacation=False)
    # From 13:01 to 23:00 in Rome, then from 7:00 on, and so on: 9 h 59 min, 16 h, 1 h 1 min.
    assert deadline(game) == datetime(2026, 3, 3, 7, 1, tzinfo=UTC)
    Player.objects.filter(name="ada").update(quiet_from=time(14), quiet_until=time(15))
    game = allowing("ada", "bob", nights=True, vacation=False)
    # 59 minutes, an hour's rest, 23 hours, an hour's rest, 3 h 1 min.
    assert deadline(game) == datetime(2026, 3, 2, 17, 1, tzinfo=UTC)


def test_a_change_of_zone_or_hours_counts_from_the_next_turn_on() -> None:
    games = [
        allowing("ada", "bob", nights=True, vacation=False),
        allowing("ada", "cleo", weekends=True, vacation=False),
        allowing("ada", "dirk", vacation=False),
    ]
    moments = [NOW + HOUR, NOW + 5 * HOUR, NOW + 13 * HOUR, NOW + 20 * HOUR]
    changes: list[dict[str, Any]] = [
        {"time_zone": "Asia/Tokyo"},
        {"quiet_from": time(20), "quiet_until": time(6)},
        {"time_zone": "America/New_York", "quiet_from": time(1)},
        {"quiet_from": None, "quiet_until": None},
    ]
    rows = list(Game.objects.order_by("pk").values())
    falls = [deadline(game) for game in games]
    for now, change in zip(moments, changes, strict=True):
        before = [left_at(game, "ada", now) for game in games]
        players.change_profile(player=person("ada"), now=now, **change)
        assert [left_at(game, "ada", now) for game in games] == before
        assert list(Game.objects.order_by("pk").values()) == rows
    assert len(set(falls)) == 3
    for game in games:
        turn_of(game, "bob" if game == games[0] else "cleo" if game == games[1] else "dirk", moments[-1])
        turn_of(game, "ada", moments[-1])
        rests = clocks.build_calendar(game, person("ada"))
        assert watch(game, "ada").hours == clocks.turn_hours_of(game, person("ada"))
        until = clock.add_running_time(rests, moments[-1] + MINUTE, left_at(game, "ada", moments[-1]))
        assert deadline(game) == until
    assert watch(games[0], "ada").hours == PlayerHours("America/New_York", clock.DEFAULT_NIGHT_HOURS)


def test_what_leaves_the_hours_alone_leaves_the_clocks_alone() -> None:
    game = allowing("ada", "bob", nights=True)
    before = Game.objects.values().get(pk=game.pk)
    players.change_profile(player=person("ada"), now=NOW + HOUR, language="it", time_zone="UTC")
    assert Game.objects.values().get(pk=game.pk) == before


# --------------------------------------------------------------------------------------- all of it, conserved


def test_whatever_makes_a_clock_rest_no_time_is_lost_or_won() -> None:
    """Vacations begun and ended, an incident, other hours: what is left changes by what ran, and no more."""
    game = allowing("ada", "bob", nights=True, weekends=True, allowance=10 * 86_400)
    saved("ada", 20 * DAY)
    now, left = BEGUN, left_at(game, "ada", BEGUN)
    deeds = [
        lambda at: vacation.plan_vacation(
            player=person("ada"), start=at + 6 * HOUR, end=at + 3 * DAY, now=at
        ),
        lambda at: incidents.start_incident(now=at),
        lambda at: players.change_profile(player=person("ada"), now=at, time_zone="Asia/Kathmandu"),
        lambda at: incidents.end_incident(now=at),
        lambda at: vacation.end_vacation(player=person("ada"), now=at),
        lambda at: vacation.plan_vacation(player=person("ada"), start=at, end=at + 2 * DAY, now=at),
        lambda at: players.change_profile(
            player=person("ada"), now=at, quiet_from=time(9), quiet_until=time(17)
        ),
    ]
    for n, deed in enumerate(deeds):
        later = now + timedelta(hours=7 + 3 * n, minutes=11)
        game.refresh_from_db()
        rests = clocks.build_calendar(
            game, person("ada"), clocks.load_unprocessed_incidents(), watch(game, "ada")
        )
        ran = clock.measure_running_time(rests, now, later)
        assert left_at(game, "ada", later) == left - ran
        deed(later)
        now, left = later, left - ran
        assert left_at(game, "ada", now) == left
    swept(now)
    assert lines(game)[-1][2] == "player"
    assert watch(game, "bob").bank == 2 * HOUR

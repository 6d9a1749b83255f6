"""What concerns all games of a player is done some games at a time: no request waits, and no time is lost."""

from __future__ import annotations

import random
from datetime import datetime, time, timedelta
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from games import clock
from games.engine import fairness
from games.models import Game, Player, PlayerTask
from games.selectors import load_game
from games.services import clocks, player_sweep, player_tasks, players, system_games, turns, vacation
from games.services.budget import Budget
from tests import database
from tests.tables import open_table

from .cast import NOW, Api, player
from .test_tokens import ask, made
from .timing import CALM, DAY, HOUR, deadline, left_at, mover, person, saved, seat_of, swept, well

pytestmark = pytest.mark.django_db
AT_ONCE = 4  # games in one transaction, so that not many have to be made here
RESTING: dict[str, Any] = {"nights": True, "weekends": True, "vacation": True}


@pytest.fixture(autouse=True)
def few_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(player_tasks, "GAMES_PER_TRANSACTION", AT_ONCE)


def many(count: int, name: str = "ada", other: str = "dirk", **terms: Any) -> list[Game]:
    """Games like those of a tournament, in all of which it is somebody's turn."""
    wanted = {"clock_name": "custom", "allowance": 90_000, "bank": 7_200} | terms
    seed = CALM.to_bytes(fairness.SEED_LENGTH_BYTES, "big")
    people = [player(name), player(other)]
    first = open_table(people, now=NOW, event_seed=seed, **wanted)
    if mover(first) != name:
        turns.play_action(player=player(other), code=first.code, text="resign", seq=None, key="", now=NOW)
        people.reverse()
        first = open_table(people, now=NOW, event_seed=seed, **wanted)
    games = [first]
    while len(games) < count:
        games.append(open_table(people, now=NOW, event_seed=seed, **wanted))
    assert {mover(game) for game in games} == {name}
    database.count()
    return games


def as_the_calendar_says(game: Game, name: str = "ada") -> bool:
    """Whether the stored deadline is the one that its watch and calendar lead to."""
    game.refresh_from_db()
    seat_clock = clocks.seat_clock_of(game, seat_of(game, name))
    return game.deadline == clock.deadline_of(
        seat_clock, clocks.build_calendar(game, person(name), seat_clock=seat_clock)
    )


def go_away(name: str = "ada", now: datetime = NOW + HOUR) -> None:
    """A vacation begins at once: no deadline of before is right any more."""
    saved(name, 10 * DAY, now)
    vacation.plan_vacation(player=person(name), start=now, end=now + 3 * DAY, now=now)


def go_away_and_come_back() -> None:
    """Ada was on vacation for two days; of many games only some were settled when she came back."""
    go_away()
    player_sweep.sweep_player_tasks(now=NOW + HOUR)
    vacation.end_vacation(player=person("ada"), now=NOW + 2 * DAY)


def times(games: list[Game]) -> list[tuple[Any, ...]]:
    """All that is stored about the time in some games."""
    found = Game.objects.filter(pk__in=[game.pk for game in games]).order_by("pk")
    return list(found.values_list("clocks", "deadline", "due_at", "seq"))


# ------------------------------------------------------------------------------------------------ the request


@pytest.mark.parametrize(
    "change", [{"time_zone": "Asia/Tokyo"}, {"quiet_from": "20:00", "quiet_until": "06:00"}]
)
def test_a_change_of_hours_touches_no_turn_that_runs_and_costs_the_same_for_few_and_many_games(
    change: dict[str, str],
) -> None:
    counts = []
    for name, count in (("ada", 1), ("cleo", 3 * AT_ONCE)):
        games = many(count, name, **RESTING)
        before, left = times(games), left_at(games[-1], name, NOW + 30 * HOUR)
        plain = made(name)[1]
        ask(plain)  # that somebody was here is written down once
        with CaptureQueriesContext(connection) as asked:
            assert ask(plain, "me/", "PATCH", change).status_code == 200
        counts.append(len(asked))
        assert {key: getattr(person(name), key) for key in change} == {
            key: value if key == "time_zone" else time.fromisoformat(value) for key, value in change.items()
        }
        assert times(games) == before
        assert left_at(games[-1], name, NOW + 30 * HOUR) == left
        assert all(as_the_calendar_says(game, name) for game in games)
        assert not PlayerTask.objects.exists()
        assert person(name).past_vacations is None
    assert counts[0] == counts[1]


def test_a_vacation_asks_no_more_of_the_database_for_more_games() -> None:
    until = (timezone.now() + 3 * DAY).isoformat()
    counts = []
    for name, count in (("ada", AT_ONCE + 5), ("cleo", 3 * AT_ONCE)):
        many(count, name, **RESTING)
        plain = made(name)[1]
        ask(plain)
        with CaptureQueriesContext(connection) as asked:
            assert ask(plain, "me/vacation/", "POST", {"until": until}).status_code == 201
        counts.append(len(asked))
        assert PlayerTask.objects.filter(player=player(name), kind="clocks").exists()
    assert counts[0] == counts[1]


def test_for_a_few_games_all_is_done_in_the_request() -> None:
    games = many(3, **RESTING)
    before, now = times(games), NOW + 50 * HOUR
    go_away_and_come_back()
    vacation.plan_vacation(player=person("ada"), start=now, end=now + 2 * DAY, now=now)
    assert not PlayerTask.objects.exists()
    assert person("ada").past_vacations is None
    assert all(as_the_calendar_says(game) for game in games)
    assert times(games) != before


# --------------------------------------------------------------------------------------------- and afterwards


def test_all_deadlines_are_written_anew_and_nobody_gains_or_loses_time() -> None:
    games = many(2 * AT_ONCE + 3, **RESTING)
    go_away_and_come_back()
    now = NOW + 3 * DAY  # some of the day since was charged, and some was a night
    before = {left_at(game, "ada", now) for game in games}
    assert len(before) == 1
    assert timedelta() < min(before) < left_at(games[0], "ada", NOW + 2 * DAY)
    vacation.plan_vacation(player=person("ada"), start=now, end=now + 2 * DAY, now=now)
    assert [as_the_calendar_says(game) for game in games].count(False) == AT_ONCE + 3
    assert person("ada").past_vacations, "what the others are read by"
    assert {left_at(game, "ada", now) for game in games} == before, "also where it was not written yet"
    later = now + 3 * DAY
    expected = {left_at(game, "ada", later) for game in games}
    assert len(expected) == 1
    done = player_sweep.sweep_player_tasks(now=later)
    assert done == {"clocks": 2}
    assert all(as_the_calendar_says(game) for game in games)
    assert {left_at(game, "ada", later) for game in games} == expected
    assert not PlayerTask.objects.exists()
    assert person("ada").past_vacations is None, "nothing is kept that nobody needs"
    assert not player_sweep.sweep_player_tasks(now=later)
    well(games[0], games[-1])


def test_a_run_stops_when_its_budget_is_used_up_and_the_next_one_goes_on() -> None:
    games = many(3 * AT_ONCE, **RESTING)
    go_away()
    spent = Budget(0)
    assert not player_sweep.sweep_player_tasks(now=NOW + 2 * HOUR, budget=spent)
    assert spent.work_left
    with pytest.raises(KeyboardInterrupt), killed_after(1):
        player_sweep.sweep_player_tasks(now=NOW + 2 * HOUR)
    assert [as_the_calendar_says(game) for game in games].count(True) == 2 * AT_ONCE
    assert PlayerTask.objects.get().next_game == games[2 * AT_ONCE - 1].pk
    player_sweep.sweep_player_tasks(now=NOW + 3 * HOUR)
    assert all(as_the_calendar_says(game) for game in games)
    assert len({left_at(game, "ada", NOW + 3 * HOUR) for game in games}) == 1


class killed_after:
    """Whoever sweeps dies after so many batches, in the middle of the next one."""

    def __init__(self, batches: int) -> None:
        self.left, self.monkey = batches, pytest.MonkeyPatch()

    def __enter__(self) -> None:
        real = clocks.try_recompute_deadline

        def counted(found: Any, *rest: Any) -> bool:
            self.left -= 1
            if self.left < -1:
                raise KeyboardInterrupt
            return real(found, *rest)

        self.left *= AT_ONCE
        self.monkey.setattr(clocks, "try_recompute_deadline", counted)

    def __exit__(self, *failed: object) -> None:
        self.monkey.undo()


def test_a_deadline_of_before_does_not_take_a_turn_from_who_is_on_vacation() -> None:
    games = many(AT_ONCE + 5, vacation=True)
    saved("ada", 10 * DAY)
    until = deadline(games[-1])
    now = until - HOUR
    vacation.plan_vacation(player=person("ada"), start=now, end=now + 3 * DAY, now=now)
    assert deadline(games[-1]) == until, "not written anew yet"
    assert swept(until) == {"looked": 5}
    assert deadline(games[-1]) == until + 3 * DAY
    player_sweep.sweep_player_tasks(now=until)
    assert {deadline(game) for game in games} == {until + 3 * DAY}


def test_who_comes_back_early_has_the_sooner_deadline_once_the_sweep_has_come() -> None:
    games = many(AT_ONCE + 5, vacation=True)
    saved("ada", 10 * DAY)
    until = deadline(games[-1])
    vacation.plan_vacation(player=person("ada"), start=NOW + HOUR, end=NOW + 6 * DAY, now=NOW + HOUR)
    player_sweep.sweep_player_tasks(now=NOW + HOUR)
    vacation.end_vacation(player=person("ada"), now=NOW + 2 * DAY)
    player_sweep.sweep_player_tasks(now=NOW + 2 * DAY)
    rested = 2 * DAY - HOUR
    assert {deadline(game) for game in games} == {until + rested}
    assert {Game.objects.get(pk=game.pk).due_at for game in games} == {until + rested}


def test_a_turn_played_meanwhile_is_charged_by_the_vacation_and_the_hours_of_its_time() -> None:
    games = many(AT_ONCE + 1, nights=True, vacation=True, allowance=3600, bank=200_000)
    now = NOW + 80 * HOUR  # nights of UTC lie between, and a vacation
    go_away()
    vacation.end_vacation(player=person("ada"), now=NOW + 2 * DAY)
    left = left_at(games[-1], "ada", now)
    assert left == left_at(games[0], "ada", now)
    assert timedelta() < left < timedelta(seconds=200_000)
    vacation.plan_vacation(player=person("ada"), start=now, end=now + DAY, now=now)
    assert person("ada").past_vacations
    players.change_profile(player=person("ada"), time_zone="America/New_York", now=now)
    for game in (games[0], games[-1]):  # the first was settled by the request, the last not
        found = load_game(game.code)
        seat = seat_of(game, "ada")
        system_games.resign_seat(code=game.code, seat_no=found.state.setup.seats + 1 - seat, now=now)  # type: ignore[union-attr]
    assert left_at(games[0], "ada", now) == left_at(games[-1], "ada", now) == left


def test_whatever_is_changed_and_however_often_all_games_keep_the_same_time() -> None:
    """Of two players who do the same, one has so few games that all of it is done at once."""
    games = many(AT_ONCE + 2, **RESTING, bank=3_000_000)
    few = many(1, "cleo", **RESTING, bank=3_000_000)
    rng = random.Random("calendars")
    now = NOW
    for name in ("ada", "cleo"):
        saved(name, 20 * DAY)
    for step in range(12):
        now += timedelta(minutes=rng.randrange(30, 2000))
        zone, hour = rng.choice(["Asia/Tokyo", "Europe/Rome", "America/Lima"]), rng.randrange(24)
        hours = {"quiet_from": time(hour), "quiet_until": time((hour + 7) % 24)}
        for name in ("ada", "cleo"):
            if step % 4 == 1 and not vacation.has_vacation(person(name), now):
                vacation.plan_vacation(player=person(name), start=now + HOUR, end=now + 2 * DAY, now=now)
            elif step % 4 == 3 and vacation.has_vacation(person(name), now):
                vacation.end_vacation(player=person(name), now=now)
            else:
                players.change_profile(player=person(name), now=now, time_zone=zone, **hours)
        kept = {left_at(game, "ada", now) for game in games}
        assert kept == {left_at(few[0], "cleo", now)}, f"step {step}"
        if step == 8:
            player_sweep.sweep_player_tasks(now=now)
            assert person("ada").past_vacations is None
    player_sweep.sweep_player_tasks(now=now)
    assert {deadline(game) for game in games} == {deadline(few[0])}


def test_an_hour_of_vacation_beside_a_planned_one_counts_in_every_game() -> None:
    games = many(AT_ONCE + 3, vacation=True)
    saved("ada", 10 * DAY)
    until = deadline(games[0])
    vacation.plan_vacation(player=person("ada"), start=NOW + 30 * DAY, end=NOW + 35 * DAY, now=NOW)
    player_sweep.sweep_player_tasks(now=NOW)
    done = swept(until)
    assert set(done) <= {"vacation", "looked"}
    player_sweep.sweep_player_tasks(now=until)
    assert {deadline(game) for game in games} == {until + HOUR}
    saved("ada", timedelta(), until)
    assert swept(until + HOUR) == {"autoplay": AT_ONCE + 3}


def test_of_two_players_with_many_games_neither_waits_for_the_other() -> None:
    slow, quick = many(4 * AT_ONCE, **RESTING), many(2 * AT_ONCE, "cleo", **RESTING)
    for name in ("ada", "cleo"):
        go_away(name)
    with pytest.raises(KeyboardInterrupt), killed_after(2):
        player_sweep.sweep_player_tasks(now=NOW + 2 * HOUR)
    assert [as_the_calendar_says(game) for game in slow].count(True) == 2 * AT_ONCE
    assert all(as_the_calendar_says(game, "cleo") for game in quick)


# ------------------------------------------------------------------------------------------------- who leaves


def test_who_has_many_games_is_shut_out_at_once_and_gone_bit_by_bit(monkeypatch: pytest.MonkeyPatch) -> None:
    games = many(2 * AT_ONCE + 1)
    plain = Api("ada").headers["Authorization"].removeprefix("Bearer ")
    players.delete_account(player=person("ada"), confirmation="ada", now=NOW)
    assert ask(plain).status_code == 401
    assert Game.objects.filter(pk__in=[game.pk for game in games], status="over").count() == AT_ONCE

    real, left = turns.play_action, [AT_ONCE // 2]

    def dies(**facts: Any) -> Any:
        left[0] -= 1
        if left[0] < 0:
            raise KeyboardInterrupt
        return real(**facts)

    monkeypatch.setattr(turns, "play_action", dies)
    with pytest.raises(KeyboardInterrupt):
        player_sweep.sweep_player_tasks(now=NOW)
    monkeypatch.setattr(turns, "play_action", real)
    assert Player.objects.filter(name="ada").exists()
    assert not player_sweep.sweep_player_tasks(now=NOW), "whoever had it may be alive"
    later = NOW + player_sweep.TASK_RETRY_DELAY
    assert player_sweep.sweep_player_tasks(now=later) == {"removal": 1}
    assert not Player.objects.filter(name="ada").exists()
    assert not PlayerTask.objects.exists()
    assert {Game.objects.get(pk=game.pk).status for game in games} == {"over"}
    well(*games[:3], games[-1])


def test_one_player_who_cannot_be_done_keeps_nobody_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    many(AT_ONCE + 1, **RESTING)
    others = many(AT_ONCE + 1, "cleo", **RESTING)
    for name in ("ada", "cleo"):
        go_away(name, NOW)
    real = player_tasks.update_player_clocks

    def broken(*, player_id: int, now: datetime) -> bool:
        if player_id == player("ada").pk:
            raise RuntimeError("broken")
        return real(player_id=player_id, now=now)

    monkeypatch.setattr(player_tasks, "update_player_clocks", broken)
    assert player_sweep.sweep_player_tasks(now=NOW) == {"clocks": 1}
    assert all(as_the_calendar_says(game, "cleo") for game in others)
    assert PlayerTask.objects.get().due_at == NOW + player_sweep.TASK_RETRY_DELAY

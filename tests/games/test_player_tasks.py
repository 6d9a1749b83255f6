"""Work on all games of a player runs in batches: no request waits for it, and clocks lose no time."""

from __future__ import annotations

import random
from datetime import datetime, time, timedelta
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.models import Player, PlayerTask
from accounts.services import player_sweep, players
from common.budget import Budget
from games import clock
from games.engine import fairness
from games.models import Game
from games.selectors import load_game
from games.services import clocks, player_clocks, player_games, system_games, turns, vacation
from tests import database
from tests.factories.cast import NOW, Api, player
from tests.factories.pairing_tables import open_tournament_game
from tests.factories.timing import (
    CALM,
    DAY,
    HOUR,
    check_all_games_are_sound,
    compute_time_left,
    get_deadline,
    get_name_to_act,
    get_seat_no,
    reload_player,
    set_vacation_balance,
    sweep_games,
)
from tests.helpers.tokens import ask_api, create_token

pytestmark = pytest.mark.django_db
GAMES_PER_TRANSACTION = 4  # small, so that few games suffice
RESTING: dict[str, Any] = {"nights": True, "weekends": True, "vacation": True}


@pytest.fixture(autouse=True)
def use_small_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(player_clocks, "GAMES_PER_TRANSACTION", GAMES_PER_TRANSACTION)
    monkeypatch.setattr(player_games, "RESIGNED_GAMES_PER_BATCH", GAMES_PER_TRANSACTION)


def start_many_games(count: int, name: str = "ada", other: str = "dirk", **terms: Any) -> list[Game]:
    """Start games as a tournament does, with this player on turn in all of them."""
    wanted = {"time_control": "custom", "allowance": 90_000, "bank": 7_200} | terms
    seed = CALM.to_bytes(fairness.SEED_LENGTH_BYTES, "big")
    people = [player(name), player(other)]
    first = open_tournament_game(people, now=NOW, event_seed=seed, **wanted)
    if get_name_to_act(first) != name:
        turns.play_action(player=player(other), code=first.code, text="resign", seq=None, key="", now=NOW)
        people.reverse()
        first = open_tournament_game(people, now=NOW, event_seed=seed, **wanted)
    games = [first]
    while len(games) < count:
        games.append(open_tournament_game(people, now=NOW, event_seed=seed, **wanted))
    assert {get_name_to_act(game) for game in games} == {name}
    database.analyse_tables()
    return games


def has_right_deadline(game: Game, name: str = "ada") -> bool:
    """True if the stored deadline follows from its seat clock and calendar."""
    game.refresh_from_db()
    seat_clock = clocks.seat_clock_of(game, get_seat_no(game, name))
    return game.deadline == clock.deadline_of(
        seat_clock, clocks.build_calendar(game, reload_player(name), seat_clock=seat_clock)
    )


def go_away(name: str = "ada", now: datetime = NOW + HOUR) -> None:
    """Start a vacation now, which makes all stored deadlines wrong."""
    set_vacation_balance(name, 10 * DAY, now)
    vacation.plan_vacation(player=reload_player(name), start=now, end=now + 3 * DAY, now=now)


def go_away_and_come_back() -> None:
    """Start and end a two-day vacation of ada's; by its end only some games are recomputed."""
    go_away()
    player_sweep.sweep_player_tasks(now=NOW + HOUR)
    vacation.end_vacation(player=reload_player("ada"), now=NOW + 2 * DAY)


def list_stored_times(games: list[Game]) -> list[tuple[Any, ...]]:
    """Return all stored time values of these games."""
    rows = Game.objects.filter(pk__in=[game.pk for game in games]).order_by("pk")
    return list(rows.values_list("seat_clocks", "deadline", "next_sweep_at", "seq"))


# ------------------------------------------------------------------------------------------------ the request


@pytest.mark.parametrize(
    "change", [{"time_zone": "Asia/Tokyo"}, {"quiet_from": "20:00", "quiet_until": "06:00"}]
)
def test_a_change_of_hours_touches_no_turn_that_runs_and_costs_the_same_for_few_and_many_games(
    change: dict[str, str],
) -> None:
    counts = []
    for name, count in (("ada", 1), ("cleo", 3 * GAMES_PER_TRANSACTION)):
        games = start_many_games(count, name, **RESTING)
        before, left = list_stored_times(games), compute_time_left(games[-1], name, NOW + 30 * HOUR)
        plain = create_token(name)[1]
        ask_api(plain)  # the first request writes last_seen_at
        with CaptureQueriesContext(connection) as queries:
            assert ask_api(plain, "me/", "PATCH", change).status_code == 200
        counts.append(len(queries))
        assert {key: getattr(reload_player(name), key) for key in change} == {
            key: value if key == "time_zone" else time.fromisoformat(value) for key, value in change.items()
        }
        assert list_stored_times(games) == before
        assert compute_time_left(games[-1], name, NOW + 30 * HOUR) == left
        assert all(has_right_deadline(game, name) for game in games)
        assert not PlayerTask.objects.exists()
        assert reload_player(name).past_vacations is None
    assert counts[0] == counts[1]


def test_a_vacation_asks_no_more_of_the_database_for_more_games() -> None:
    until = (timezone.now() + 3 * DAY).isoformat()
    counts = []
    for name, count in (("ada", GAMES_PER_TRANSACTION + 5), ("cleo", 3 * GAMES_PER_TRANSACTION)):
        start_many_games(count, name, **RESTING)
        plain = create_token(name)[1]
        ask_api(plain)
        with CaptureQueriesContext(connection) as queries:
            assert ask_api(plain, "me/vacation/", "POST", {"until": until}).status_code == 201
        counts.append(len(queries))
        assert PlayerTask.objects.filter(player=player(name), kind="clocks").exists()
    assert counts[0] == counts[1]


def test_for_a_few_games_all_is_done_in_the_request() -> None:
    games = start_many_games(3, **RESTING)
    before, now = list_stored_times(games), NOW + 50 * HOUR
    go_away_and_come_back()
    vacation.plan_vacation(player=reload_player("ada"), start=now, end=now + 2 * DAY, now=now)
    assert not PlayerTask.objects.exists()
    assert reload_player("ada").past_vacations is None
    assert all(has_right_deadline(game) for game in games)
    assert list_stored_times(games) != before


# -------------------------------------------------------------------------------------------------- the sweep


def test_all_deadlines_are_written_anew_and_nobody_gains_or_loses_time() -> None:
    games = start_many_games(2 * GAMES_PER_TRANSACTION + 3, **RESTING)
    go_away_and_come_back()
    now = NOW + 3 * DAY  # since then a part was charged, and a part was night
    before = {compute_time_left(game, "ada", now) for game in games}
    assert len(before) == 1
    assert timedelta() < min(before) < compute_time_left(games[0], "ada", NOW + 2 * DAY)
    vacation.plan_vacation(player=reload_player("ada"), start=now, end=now + 2 * DAY, now=now)
    assert [has_right_deadline(game) for game in games].count(False) == GAMES_PER_TRANSACTION + 3
    assert reload_player("ada").past_vacations, "what the others are read by"
    assert {compute_time_left(game, "ada", now) for game in games} == before, (
        "also where it was not written yet"
    )
    later = now + 3 * DAY
    expected = {compute_time_left(game, "ada", later) for game in games}
    assert len(expected) == 1
    done = player_sweep.sweep_player_tasks(now=later)
    assert done == {"clocks": 2}
    assert all(has_right_deadline(game) for game in games)
    assert {compute_time_left(game, "ada", later) for game in games} == expected
    assert not PlayerTask.objects.exists()
    assert reload_player("ada").past_vacations is None, "nothing is kept that nobody needs"
    assert not player_sweep.sweep_player_tasks(now=later)
    check_all_games_are_sound(games[0], games[-1])


def test_a_run_stops_when_its_budget_is_used_up_and_the_next_one_goes_on() -> None:
    games = start_many_games(3 * GAMES_PER_TRANSACTION, **RESTING)
    go_away()
    spent = Budget(0)
    assert not player_sweep.sweep_player_tasks(now=NOW + 2 * HOUR, budget=spent)
    assert spent.work_left
    with pytest.raises(KeyboardInterrupt), killed_after(1):
        player_sweep.sweep_player_tasks(now=NOW + 2 * HOUR)
    assert [has_right_deadline(game) for game in games].count(True) == 2 * GAMES_PER_TRANSACTION
    assert PlayerTask.objects.get().progress == {"games": games[2 * GAMES_PER_TRANSACTION - 1].pk}
    player_sweep.sweep_player_tasks(now=NOW + 3 * HOUR)
    assert all(has_right_deadline(game) for game in games)
    assert len({compute_time_left(game, "ada", NOW + 3 * HOUR) for game in games}) == 1


class killed_after:
    """Kill the sweep in the middle of the batch after this many."""

    def __init__(self, batches: int) -> None:
        self.left, self.monkey = batches, pytest.MonkeyPatch()

    def __enter__(self) -> None:
        real = clocks.try_recompute_deadline

        def count_recomputed(loaded_game: Any, *rest: Any) -> bool:
            self.left -= 1
            if self.left < -1:
                raise KeyboardInterrupt
            return real(loaded_game, *rest)

        self.left *= GAMES_PER_TRANSACTION
        self.monkey.setattr(clocks, "try_recompute_deadline", count_recomputed)

    def __exit__(self, *failed: object) -> None:
        self.monkey.undo()


def test_a_deadline_of_before_does_not_take_a_turn_from_who_is_on_vacation() -> None:
    games = start_many_games(GAMES_PER_TRANSACTION + 5, vacation=True)
    set_vacation_balance("ada", 10 * DAY)
    until = get_deadline(games[-1])
    now = until - HOUR
    vacation.plan_vacation(player=reload_player("ada"), start=now, end=now + 3 * DAY, now=now)
    assert get_deadline(games[-1]) == until, "not written anew yet"
    assert sweep_games(until) == {"recomputed": 5}
    assert get_deadline(games[-1]) == until + 3 * DAY
    player_sweep.sweep_player_tasks(now=until)
    assert {get_deadline(game) for game in games} == {until + 3 * DAY}


def test_who_comes_back_early_has_the_sooner_deadline_once_the_sweep_has_come() -> None:
    games = start_many_games(GAMES_PER_TRANSACTION + 5, vacation=True)
    set_vacation_balance("ada", 10 * DAY)
    until = get_deadline(games[-1])
    vacation.plan_vacation(player=reload_player("ada"), start=NOW + HOUR, end=NOW + 6 * DAY, now=NOW + HOUR)
    player_sweep.sweep_player_tasks(now=NOW + HOUR)
    vacation.end_vacation(player=reload_player("ada"), now=NOW + 2 * DAY)
    player_sweep.sweep_player_tasks(now=NOW + 2 * DAY)
    rested = 2 * DAY - HOUR
    assert {get_deadline(game) for game in games} == {until + rested}
    assert {Game.objects.get(pk=game.pk).next_sweep_at for game in games} == {until + rested}


def test_a_turn_played_meanwhile_is_charged_by_the_vacation_and_the_hours_of_its_time() -> None:
    games = start_many_games(
        GAMES_PER_TRANSACTION + 1, nights=True, vacation=True, allowance=3600, bank=200_000
    )
    now = NOW + 80 * HOUR  # after nights in UTC and a vacation
    go_away()
    vacation.end_vacation(player=reload_player("ada"), now=NOW + 2 * DAY)
    left = compute_time_left(games[-1], "ada", now)
    assert left == compute_time_left(games[0], "ada", now)
    assert timedelta() < left < timedelta(seconds=200_000)
    vacation.plan_vacation(player=reload_player("ada"), start=now, end=now + DAY, now=now)
    assert reload_player("ada").past_vacations
    players.change_profile(player=reload_player("ada"), time_zone="America/New_York", now=now)
    for game in (games[0], games[-1]):  # the request recomputed the first game but not the last
        loaded_game = load_game(game.code)
        seat = get_seat_no(game, "ada")
        system_games.resign_seat(code=game.code, seat_no=loaded_game.state.setup.seats + 1 - seat, now=now)  # type: ignore[union-attr]
    assert compute_time_left(games[0], "ada", now) == compute_time_left(games[-1], "ada", now) == left


def test_whatever_is_changed_and_however_often_all_games_keep_the_same_time() -> None:
    """Two players make the same changes; one has so few games that the request recomputes all."""
    games = start_many_games(GAMES_PER_TRANSACTION + 2, **RESTING, bank=3_000_000)
    few = start_many_games(1, "cleo", **RESTING, bank=3_000_000)
    rng = random.Random("calendars")
    now = NOW
    for name in ("ada", "cleo"):
        set_vacation_balance(name, 20 * DAY)
    for step in range(12):
        now += timedelta(minutes=rng.randrange(30, 2000))
        zone, hour = rng.choice(["Asia/Tokyo", "Europe/Rome", "America/Lima"]), rng.randrange(24)
        hours = {"quiet_from": time(hour), "quiet_until": time((hour + 7) % 24)}
        for name in ("ada", "cleo"):
            if step % 4 == 1 and not vacation.has_vacation(reload_player(name), now):
                vacation.plan_vacation(
                    player=reload_player(name), start=now + HOUR, end=now + 2 * DAY, now=now
                )
            elif step % 4 == 3 and vacation.has_vacation(reload_player(name), now):
                vacation.end_vacation(player=reload_player(name), now=now)
            else:
                players.change_profile(player=reload_player(name), now=now, time_zone=zone, **hours)
        times_left = {compute_time_left(game, "ada", now) for game in games}
        assert times_left == {compute_time_left(few[0], "cleo", now)}, f"step {step}"
        if step == 8:
            player_sweep.sweep_player_tasks(now=now)
            assert reload_player("ada").past_vacations is None
    player_sweep.sweep_player_tasks(now=now)
    assert {get_deadline(game) for game in games} == {get_deadline(few[0])}


def test_an_hour_of_vacation_beside_a_planned_one_counts_in_every_game() -> None:
    games = start_many_games(GAMES_PER_TRANSACTION + 3, vacation=True)
    set_vacation_balance("ada", 10 * DAY)
    until = get_deadline(games[0])
    vacation.plan_vacation(player=reload_player("ada"), start=NOW + 30 * DAY, end=NOW + 35 * DAY, now=NOW)
    player_sweep.sweep_player_tasks(now=NOW)
    done = sweep_games(until)
    assert set(done) <= {"vacation", "recomputed"}
    player_sweep.sweep_player_tasks(now=until)
    assert {get_deadline(game) for game in games} == {until + HOUR}
    set_vacation_balance("ada", timedelta(), until)
    assert sweep_games(until + HOUR) == {"autoplay": GAMES_PER_TRANSACTION + 3}


def test_of_two_players_with_many_games_neither_waits_for_the_other() -> None:
    slow, quick = (
        start_many_games(4 * GAMES_PER_TRANSACTION, **RESTING),
        start_many_games(2 * GAMES_PER_TRANSACTION, "cleo", **RESTING),
    )
    for name in ("ada", "cleo"):
        go_away(name)
    with pytest.raises(KeyboardInterrupt), killed_after(2):
        player_sweep.sweep_player_tasks(now=NOW + 2 * HOUR)
    assert [has_right_deadline(game) for game in slow].count(True) == 2 * GAMES_PER_TRANSACTION
    assert all(has_right_deadline(game, "cleo") for game in quick)


# ------------------------------------------------------------------------------------------ players who leave


def test_who_has_many_games_is_shut_out_at_once_and_gone_bit_by_bit(monkeypatch: pytest.MonkeyPatch) -> None:
    games = start_many_games(2 * GAMES_PER_TRANSACTION + 1)
    plain = Api("ada").headers["Authorization"].removeprefix("Bearer ")
    players.delete_account(player=reload_player("ada"), confirmation="ada", now=NOW)
    assert ask_api(plain).status_code == 401
    assert (
        Game.objects.filter(pk__in=[game.pk for game in games], status="over").count()
        == GAMES_PER_TRANSACTION
    )

    real, left = turns.play_action, [GAMES_PER_TRANSACTION // 2]

    def die_after_first(**kwargs: Any) -> Any:
        left[0] -= 1
        if left[0] < 0:
            raise KeyboardInterrupt
        return real(**kwargs)

    monkeypatch.setattr(turns, "play_action", die_after_first)
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
    check_all_games_are_sound(*games[:3], games[-1])


def test_one_player_who_cannot_be_done_keeps_nobody_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    start_many_games(GAMES_PER_TRANSACTION + 1, **RESTING)
    other_games = start_many_games(GAMES_PER_TRANSACTION + 1, "cleo", **RESTING)
    for name in ("ada", "cleo"):
        go_away(name, NOW)
    real = player_clocks.update_player_clocks

    def break_for_one(*, player_id: int, now: datetime) -> bool:
        if player_id == player("ada").pk:
            raise RuntimeError("broken")
        return real(player_id=player_id, now=now)

    monkeypatch.setattr(player_clocks, "update_player_clocks", break_for_one)
    assert player_sweep.sweep_player_tasks(now=NOW) == {"clocks": 1}
    assert all(has_right_deadline(game, "cleo") for game in other_games)
    assert PlayerTask.objects.get().next_run_at == NOW + player_sweep.TASK_RETRY_DELAY

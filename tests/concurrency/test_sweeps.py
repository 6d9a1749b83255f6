"""Sweeps concurrent with sweeps and players: real threads, real PostgreSQL, an audit after each race."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from functools import partial
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit

import pytest
from django.db import connection, transaction

from accounts.models import Player
from accounts.services import players
from common.service_errors import ServiceError
from games import engine
from games.models import Action, Game
from games.services import clocks, incidents, pauses, seat_settings, sweep, turns, vacation
from notifications.models import FeedEntry
from tests.factories.cast import NOW, Api
from tests.factories.timing import (
    BEGUN,
    DAY,
    HOUR,
    MINUTE,
    check_all_games_are_sound,
    get_deadline,
    get_name_to_act,
    get_seat_clock,
    get_seat_no,
    get_state,
    list_feed_entries,
    list_log_lines,
    list_waiting_names,
    play_first_legal,
    play_until_turn_of,
    reload_player,
    start_game_asked_by_an_8,
    start_quick_game,
    start_seeded_game,
    sweep_games,
    take_turn,
)
from tests.helpers.races import again_and_again, run_at_once, start_blocked
from tests.helpers.throttling import disable_throttling  # noqa: F401

pytestmark = pytest.mark.django_db(transaction=True)
ROOT = Path(__file__).resolve().parent.parent.parent


def start_drawn_game(**terms: object) -> Game:
    """Return a game in which the seat on turn has drawn: one placement ends the turn."""
    game = start_quick_game("ada", "bob", **terms)
    play_first_legal(game, "draw")
    return game


def sum_counts(done: list[Counter[str]]) -> Counter[str]:
    return sum(done, Counter())


# --------------------------------------------------------------------------------------- actions and timeouts


@again_and_again
def test_of_a_move_and_a_timeout_at_the_same_instant_one_wins(run: int) -> None:
    game = start_drawn_game()
    name, seat = get_name_to_act(game), get_seat_no(game, get_name_to_act(game))
    api = Api(name)
    action = engine.legal_actions(get_state(game), seat)[-1]
    now = get_deadline(game)
    answer, done = run_at_once(lambda: api.play(game.code, action, 1), lambda: sweep_games(now))
    (line,) = list_log_lines(game, 1)
    if answer.status_code == 201:
        assert line == (seat, action, "player")
        assert not done["autoplay"]
        assert not list_feed_entries(name, "timeout")
        assert get_seat_clock(game, name).missed_turns == 0
    else:
        assert line[::2] == (seat, "clock")
        assert (answer.status_code, answer.json()["code"]) == (409, "stale")
        assert "your time ran out, and we played for you" in answer.json()["detail"]
        assert done == {"autoplay": 1}
        assert get_seat_clock(game, name).missed_turns == 1
    check_all_games_are_sound(game)


def test_who_moves_while_the_clock_does_waits_and_gets_the_reason() -> None:
    game = start_drawn_game()
    name = get_name_to_act(game)
    api = Api(name)
    action = engine.legal_actions(get_state(game), get_seat_no(game, name))[0]
    with ThreadPoolExecutor() as pool:
        with transaction.atomic():
            assert sweep.sweep_batch(now=get_deadline(game)) == {"autoplay": 1}
            (answer,) = start_blocked(pool, lambda: api.play(game.code, action, 1))
        result = answer.result(30)
    assert (result.status_code, result.json()["code"]) == (409, "stale")
    assert "we played for you" in result.json()["detail"]
    assert Action.objects.filter(game=game).count() == 2
    check_all_games_are_sound(game)


def test_a_game_in_which_somebody_just_moves_is_passed_over_and_no_longer_due() -> None:
    game, other = start_drawn_game(), start_drawn_game()
    now = get_deadline(game)
    action = engine.legal_actions(get_state(game), get_seat_no(game, get_name_to_act(game)))[0]
    with transaction.atomic():
        turns.play_action(
            player=reload_player(get_name_to_act(game)), code=game.code, text=action, seq=1, key="", now=now
        )
        assert run_at_once(lambda: sweep_games(now))[0] == {"autoplay": 1}
    assert list_log_lines(game)[-1][2] == "player"
    assert list_log_lines(other)[-1][2] == "clock"
    assert not sweep_games(now)
    check_all_games_are_sound(game, other)


@again_and_again
def test_a_resignation_by_the_clock_and_by_hand_is_one(run: int) -> None:
    game = start_quick_game("ada", "bob", timeout_policy="forfeit")
    name = get_name_to_act(game)
    api = Api(name)
    now = get_deadline(game)
    answer, done = run_at_once(lambda: api.post(f"games/{game.code}/resign/"), lambda: sweep_games(now))
    ((seat, action, by),) = list_log_lines(game)
    assert (seat, action) == (get_seat_no(game, name), "resign")
    assert (by == "clock") == (answer.status_code == 409) == bool(done["resigned"])
    check_all_games_are_sound(game)


@again_and_again
def test_answers_to_an_8_by_hand_and_by_the_worker_at_once_are_one_each(run: int) -> None:
    game = start_game_asked_by_an_8(vacation=False)
    apis = [Api("ada"), Api("cleo")]
    now = NOW + HOUR
    commands = [lambda api=api: api.play(game.code, "pass", 12) for api in apis]
    *answers, first, second = run_at_once(*commands, lambda: sweep_games(now), lambda: sweep_games(now))
    assert {answer.status_code for answer in answers} <= {201, 409}
    by_hand = sum(answer.status_code == 201 for answer in answers)
    # A player whom the sweep skips because the row is locked is found by the next sweep.
    sweep_games(now)
    passed = list_log_lines(game, 12)
    assert sorted(seat for seat, _, _ in passed) == [1, 3]
    assert {clock_data[1:] for clock_data in passed} == {("pass", "player")}
    assert by_hand + first["answered"] + second["answered"] <= 2
    assert get_state(game).seats_to_act == (2,)
    check_all_games_are_sound(game)


# ---------------------------------------------------------------------------------------- concurrent sweepers


@pytest.mark.parametrize("sweepers", [2, 4])
def test_any_number_of_sweepers_do_nothing_twice(sweepers: int) -> None:
    games = [start_quick_game("ada", "bob") for _ in range(12)]
    now = get_deadline(games[0])

    def sweep_in_small_batches() -> Counter[str]:
        done: Counter[str] = Counter()
        while batch := sweep.sweep_batch(now=now, limit=2):
            done += batch
        return done

    assert sum_counts(run_at_once(*[sweep_in_small_batches] * sweepers)) == {"autoplay": 12}
    assert FeedEntry.objects.filter(kind="timeout").count() == 24
    for game in games:
        assert [by for _, _, by in list_log_lines(game)] == ["clock", "clock"]
    check_all_games_are_sound(*games)


@again_and_again
def test_four_sweepers_open_a_blind_match_and_tell_its_shoot_out_once(run: int) -> None:
    game = start_seeded_game(1832, "ada", "bob", cards=False, target=4, vacation=False)
    while game.status == "running":
        play_first_legal(game)
    sum_counts(run_at_once(*[lambda: sweep_games(NOW)] * 4))
    assert FeedEntry.objects.filter(kind="blind").count() == 2
    game.refresh_from_db()
    assert game.status == "running"
    while not get_state(game).is_over:
        if len(engine.legal_actions(get_state(game), get_state(game).turn)) > 1:
            play_first_legal(game)
        else:
            run_at_once(*[lambda: sweep_games(NOW)] * 4)
            sweep_games(NOW)
        game.refresh_from_db()
    run_at_once(*[lambda: sweep_games(NOW + HOUR)] * 4)
    sweep_games(NOW + HOUR)
    for name in ("ada", "bob"):
        assert [line.data["round"] for line in list_feed_entries(name, "shoot-out")] == [1, 2, 3]
    assert Game.objects.get(pk=game.pk).announced_rounds == 3
    check_all_games_are_sound(game)


@again_and_again
def test_deadlines_of_one_player_in_many_games_take_one_hour_of_vacation(run: int) -> None:
    games = [start_quick_game("ada", "bob", vacation=True) for _ in range(6)]
    for game in games:
        play_until_turn_of(game, "ada")
    now = get_deadline(games[0])
    Player.objects.filter(name="ada").update(vacation_balance=5 * HOUR, vacation_accrued_at=now)

    def sweep_one_by_one() -> Counter[str]:
        done: Counter[str] = Counter()
        while batch := sweep.sweep_batch(now=now, limit=1):
            done += batch
        return done

    done = sum_counts(run_at_once(*[sweep_one_by_one] * 3))
    assert set(done) <= {"vacation", "recomputed"}
    assert vacation.compute_vacation_balance(reload_player("ada"), now) == 4 * HOUR
    assert {get_deadline(game) for game in games} == {now + HOUR}
    assert not sweep_games(now)
    check_all_games_are_sound(*games)


# ----------------------------------------------------------------------------------- a sweeper that is killed

KILLED = """
import os, sys, time
import django
django.setup()
from games.clock import datetime
from games.services import action_log, sweep
write = action_log.commit_pending_writes
def and_hang(pending_writes):
    write(pending_writes)
    print("written", flush=True)
    time.sleep(600)
action_log.commit_pending_writes = and_hang
sweep.sweep_games(now=datetime.fromisoformat(sys.argv[1]))
"""


def test_a_sweeper_that_is_killed_in_the_middle_of_a_batch_leaves_all_as_it_was() -> None:
    """A separate process has written a whole batch but not committed it when SIGKILL arrives."""
    games = [start_quick_game("ada", "bob") for _ in range(5)]
    now = get_deadline(games[0])
    before = list(Game.objects.order_by("pk").values())
    database = f"/{connection.settings_dict['NAME']}"
    url = urlunsplit(urlsplit(os.environ["DATABASE_URL"])._replace(path=database))
    process = subprocess.Popen(
        [sys.executable, "-c", KILLED, now.isoformat()],
        cwd=ROOT,
        env=os.environ | {"DATABASE_URL": url, "DJANGO_SETTINGS_MODULE": "otto_site.settings"},
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stdout
        assert process.stdout.readline() == "written\n"
        assert not sweep_games(now)  # other sweeps skip its games without waiting
        assert list(Game.objects.order_by("pk").values()) == before
    finally:
        process.send_signal(signal.SIGKILL)
        process.wait(30)
        process.stdout.close()
    stop_by = time.monotonic() + 30
    done: Counter[str] = Counter()
    while done.total() < 5:  # until PostgreSQL notices the lost connection and releases its locks
        assert time.monotonic() < stop_by
        done += sweep_games(now)
        time.sleep(0.02)
    assert done == {"autoplay": 5}
    assert FeedEntry.objects.filter(kind="timeout").count() == 10
    assert not sweep_games(now)
    check_all_games_are_sound(*games)


def test_a_batch_that_cannot_be_written_is_tried_game_by_game(
    caplog: pytest.LogCaptureFixture,
) -> None:
    """An existing row that blocks the timeout of one game must not stop the others."""
    games = [start_quick_game("ada", "bob") for _ in range(3)]
    now = get_deadline(games[0])
    Action.objects.create(game=games[1], seq=2, seat=1, action="draw", by="player", at=NOW, hash="")
    assert sweep_games(now) == {"autoplay": 2, "failed": 1}
    assert "one by one" in caplog.text
    games[1].refresh_from_db()
    assert (games[1].seq, games[1].next_sweep_at) == (0, now + sweep.RETRY_AFTER)
    assert not sweep_games(now)
    check_all_games_are_sound(games[0], games[2])


# --------------------------------------------------------------------------------- vacations, hours and moves


def test_a_vacation_and_a_move_do_not_wait_for_each_other_for_ever() -> None:
    """An action locks a game, then its players' keys; a vacation its player, then games: once a deadlock."""
    first, second = (
        start_quick_game("ada", "bob", vacation=True),
        start_quick_game("bob", "ada", vacation=True),
    )
    api = Api(get_name_to_act(second))
    with ThreadPoolExecutor() as pool:
        with transaction.atomic():
            Game.objects.select_for_update().get(pk=first.pk)
            plan = partial(
                vacation.plan_vacation, player=reload_player("ada"), start=NOW, end=NOW + 2 * DAY, now=NOW
            )
            (planned,) = start_blocked(pool, plan)  # it has locked ada's row and waits for the first game
            (answer,) = run_at_once(lambda: api.play(second.code, "draw", 0))
            assert answer.status_code == 201
        planned.result(30)
    assert reload_player("ada").vacation_end == NOW + 2 * DAY
    check_all_games_are_sound(first, second)


@again_and_again
def test_a_move_and_a_vacation_at_once_leave_the_deadline_that_both_give(run: int) -> None:
    game = start_drawn_game(vacation=True)
    name, other = get_name_to_act(game), list_waiting_names(game)[0]
    action = engine.legal_actions(get_state(game), get_seat_no(game, name))[0]
    now = BEGUN + HOUR
    plan = partial(vacation.plan_vacation, player=reload_player(other), start=now, end=now + 3 * DAY, now=now)
    play = partial(
        turns.play_action, player=reload_player(name), code=game.code, text=action, seq=1, key="", now=now
    )
    run_at_once(plan, play)
    sweep_games(now + MINUTE)
    assert get_name_to_act(game) == other
    # At a deadline computed with the old calendar nobody loses time: the sweep corrects it.
    if get_deadline(game) != now + 3 * DAY + 27 * HOUR:
        assert sweep_games(get_deadline(game)) == {"recomputed": 1}
    assert get_deadline(game) == now + 3 * DAY + 27 * HOUR
    check_all_games_are_sound(game)


@again_and_again
def test_two_who_plan_a_vacation_and_change_their_hours_at_once_lose_nothing(run: int) -> None:
    games = [start_quick_game("ada", "bob", vacation=True) for _ in range(3)]
    now = BEGUN + HOUR
    run_at_once(
        partial(vacation.plan_vacation, player=reload_player("ada"), start=now, end=now + 2 * DAY, now=now),
        partial(vacation.plan_vacation, player=reload_player("bob"), start=now, end=now + 2 * DAY, now=now),
        partial(players.change_profile, player=reload_player("ada"), now=now, time_zone="Asia/Tokyo"),
    )
    for game in games:
        assert get_deadline(game) == BEGUN + 27 * HOUR + 2 * DAY
        seat_clock = get_seat_clock(game, get_name_to_act(game))
        assert seat_clock.allowance_left + seat_clock.bank == 26 * HOUR
    check_all_games_are_sound(*games)


@again_and_again
def test_an_incident_that_ends_while_players_move_gives_everyone_their_time(run: int) -> None:
    games = [start_drawn_game() for _ in range(4)]
    until = get_deadline(games[0])
    incidents.start_incident(now=NOW + HOUR)
    end = NOW + 3 * HOUR
    moves = []
    for game in games[:2]:
        name = get_name_to_act(game)
        action = engine.legal_actions(get_state(game), get_seat_no(game, name))[0]
        moves.append(
            partial(
                turns.play_action,
                player=reload_player(name),
                code=game.code,
                text=action,
                seq=1,
                key="",
                now=end,
            )
        )
    run_at_once(partial(incidents.end_incident, now=end), *moves, lambda: sweep_games(end))
    sweep_games(end)
    assert not clocks.load_unprocessed_incidents()
    assert [get_deadline(game) for game in games[2:]] == [until + 2 * HOUR] * 2
    assert [get_deadline(game) for game in games[:2]] == [end + MINUTE + 27 * HOUR] * 2
    check_all_games_are_sound(*games)


# --------------------------------------------------------------------------------------- pauses and decisions


def try_command(command: partial[object]) -> str:
    try:
        command()
    except ServiceError as error:
        return error.code
    return "done"


@again_and_again
def test_who_agrees_and_who_declines_at_once_leave_one_story(run: int) -> None:
    game = start_quick_game("ada", "bob")
    pauses.propose_pause(player=reload_player("ada"), code=game.code, until=NOW + DAY, now=NOW)
    agreed, declined = run_at_once(
        lambda: try_command(
            partial(pauses.agree_to_pause, player=reload_player("bob"), code=game.code, now=NOW)
        ),
        lambda: try_command(
            partial(pauses.decline_pause, player=reload_player("ada"), code=game.code, now=NOW)
        ),
    )
    assert sorted([agreed, declined]) == ["done", "no-pause-proposed"]
    game.refresh_from_db()
    assert (game.paused_until is not None) == (agreed == "done")
    assert get_deadline(game) == (BEGUN + 27 * HOUR + DAY - MINUTE if agreed == "done" else BEGUN + 27 * HOUR)


@again_and_again
def test_two_who_propose_a_pause_at_once_make_one_proposal(run: int) -> None:
    game = start_quick_game("ada", "bob")
    answers = run_at_once(
        *[
            lambda name=name: try_command(
                partial(
                    pauses.propose_pause, player=reload_player(name), code=game.code, until=NOW + DAY, now=NOW
                )
            )
            for name in ("ada", "bob")
        ]
    )
    assert sorted(answers) == ["done", "pause-proposed"]


@again_and_again
def test_a_decision_about_an_8_and_a_sweep_at_once_answer_once(run: int) -> None:
    game = start_game_asked_by_an_8(vacation=False)
    now = NOW + 2 * HOUR
    decide = partial(
        seat_settings.set_eight_policy, player=reload_player("bob"), code=game.code, policy="keep", now=now
    )
    run_at_once(decide, lambda: sweep_games(now), lambda: sweep_games(now))
    sweep_games(now)
    answered = list_log_lines(game, 12)
    assert sorted(seat for seat, _, _ in answered) == [1, 2, 3]
    assert {by for _, _, by in answered} == {"player"}
    assert get_state(game).match_no == 2
    check_all_games_are_sound(game)


@again_and_again
def test_a_pause_and_a_timeout_at_the_same_instant_leave_one_of_them(run: int) -> None:
    game = start_quick_game("ada", "bob")
    name = get_name_to_act(game)
    pauses.propose_pause(player=reload_player("ada"), code=game.code, until=NOW + 10 * DAY, now=NOW)
    now = get_deadline(game)
    run_at_once(
        lambda: try_command(
            partial(pauses.agree_to_pause, player=reload_player("bob"), code=game.code, now=now)
        ),
        lambda: sweep_games(now),
    )
    sweep_games(now)
    assert len(list_log_lines(game)) in (0, 2)
    if list_log_lines(game):
        assert get_deadline(game) == NOW + 10 * DAY + 27 * HOUR
    else:
        assert get_deadline(game) == NOW + 10 * DAY
        assert get_seat_clock(game, name).allowance_left + get_seat_clock(game, name).bank == timedelta()
    take_turn(game, now)
    check_all_games_are_sound(game)

"""Sweepers among themselves and with players: real threads, real PostgreSQL, an audit after each race."""

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

from games import engine
from games.models import Action, FeedEntry, Game, Player
from games.services import clocks, incidents, pauses, players, seat_settings, sweep, turns, vacation
from games.services.errors import ServiceError
from tests.games.cast import NOW, Api
from tests.games.conftest import plenty  # noqa: F401
from tests.games.timing import (
    BEGUN,
    DAY,
    HOUR,
    MINUTE,
    act,
    asked_by_an_8,
    deadline,
    feed_of,
    lines,
    mover,
    others,
    person,
    quick,
    seat_of,
    seeded,
    state,
    swept,
    take_turn,
    turn_of,
    watch,
    well,
)

from .test_races import again_and_again, at_once, blocked

pytestmark = pytest.mark.django_db(transaction=True)
ROOT = Path(__file__).resolve().parent.parent.parent


def drawn(**terms: object) -> Game:
    """A game in which whoever is on turn has drawn: one placement ends the turn."""
    game = quick("ada", "bob", **terms)
    act(game, "draw")
    return game


def total(done: list[Counter[str]]) -> Counter[str]:
    return sum(done, Counter())


# --------------------------------------------------------------------------------------- a move and a timeout


@again_and_again
def test_of_a_move_and_a_timeout_at_the_same_instant_one_wins(run: int) -> None:
    game = drawn()
    name, seat = mover(game), seat_of(game, mover(game))
    api = Api(name)
    action = engine.legal_actions(state(game), seat)[-1]
    now = deadline(game)
    answer, done = at_once(lambda: api.play(game.code, action, 1), lambda: swept(now))
    (line,) = lines(game, 1)
    if answer.status_code == 201:
        assert line == (seat, action, "player")
        assert not done["autoplay"]
        assert not feed_of(name, "timeout")
        assert watch(game, name).missed_turns == 0
    else:
        assert line[::2] == (seat, "clock")
        assert (answer.status_code, answer.json()["code"]) == (409, "stale")
        assert "your time ran out, and the clock played for you" in answer.json()["detail"]
        assert done == {"autoplay": 1}
        assert watch(game, name).missed_turns == 1
    well(game)


def test_who_moves_while_the_clock_does_waits_and_is_told_why() -> None:
    game = drawn()
    name = mover(game)
    api = Api(name)
    action = engine.legal_actions(state(game), seat_of(game, name))[0]
    with ThreadPoolExecutor() as pool:
        with transaction.atomic():
            assert sweep.sweep_batch(now=deadline(game)) == {"autoplay": 1}
            (answer,) = blocked(pool, lambda: api.play(game.code, action, 1))
        told_why = answer.result(30)
    assert (told_why.status_code, told_why.json()["code"]) == (409, "stale")
    assert "the clock played for you" in told_why.json()["detail"]
    assert Action.objects.filter(game=game).count() == 2
    well(game)


def test_a_game_in_which_somebody_just_moves_is_passed_over_and_no_longer_due() -> None:
    game, other = drawn(), drawn()
    now = deadline(game)
    action = engine.legal_actions(state(game), seat_of(game, mover(game)))[0]
    with transaction.atomic():
        turns.play_action(player=person(mover(game)), code=game.code, text=action, seq=1, key="", now=now)
        assert at_once(lambda: swept(now))[0] == {"autoplay": 1}
    assert lines(game)[-1][2] == "player"
    assert lines(other)[-1][2] == "clock"
    assert not swept(now)
    well(game, other)


@again_and_again
def test_a_resignation_by_the_clock_and_by_hand_is_one(run: int) -> None:
    game = quick("ada", "bob", timeouts="forfeit")
    name = mover(game)
    api = Api(name)
    now = deadline(game)
    answer, done = at_once(lambda: api.post(f"games/{game.code}/resign/"), lambda: swept(now))
    ((seat, action, by),) = lines(game)
    assert (seat, action) == (seat_of(game, name), "resign")
    assert (by == "clock") == (answer.status_code == 409) == bool(done["resigned"])
    well(game)


@again_and_again
def test_answers_to_an_8_by_hand_and_by_the_worker_at_once_are_one_each(run: int) -> None:
    game = asked_by_an_8(vacation=False)
    apis = [Api("ada"), Api("cleo")]
    now = NOW + HOUR
    deeds = [lambda api=api: api.play(game.code, "pass", 12) for api in apis]
    *answers, first, second = at_once(*deeds, lambda: swept(now), lambda: swept(now))
    assert {answer.status_code for answer in answers} <= {201, 409}
    by_hand = sum(answer.status_code == 201 for answer in answers)
    # One who is overtaken by a sweep while the row is locked is found by the next one.
    swept(now)
    passed = lines(game, 12)
    assert sorted(seat for seat, _, _ in passed) == [1, 3]
    assert {facts[1:] for facts in passed} == {("pass", "player")}
    assert by_hand + first["answered"] + second["answered"] <= 2
    assert state(game).seats_to_act == (2,)
    well(game)


# ------------------------------------------------------------------------------------------- sweepers at once


@pytest.mark.parametrize("sweepers", [2, 4])
def test_any_number_of_sweepers_do_nothing_twice(sweepers: int) -> None:
    games = [quick("ada", "bob") for _ in range(12)]
    now = deadline(games[0])

    def small_batches() -> Counter[str]:
        done: Counter[str] = Counter()
        while batch := sweep.sweep_batch(now=now, limit=2):
            done += batch
        return done

    assert total(at_once(*[small_batches] * sweepers)) == {"autoplay": 12}
    assert FeedEntry.objects.filter(kind="timeout").count() == 24
    for game in games:
        assert [by for _, _, by in lines(game)] == ["clock", "clock"]
    well(*games)


@again_and_again
def test_four_sweepers_open_a_blind_match_and_tell_its_shoot_out_once(run: int) -> None:
    game = seeded(1832, "ada", "bob", cards=False, target=4, vacation=False)
    while game.status == "running":
        act(game)
    total(at_once(*[lambda: swept(NOW)] * 4))
    assert FeedEntry.objects.filter(kind="blind").count() == 2
    game.refresh_from_db()
    assert game.status == "running"
    while not state(game).is_over:
        if len(engine.legal_actions(state(game), state(game).turn)) > 1:
            act(game)
        else:
            at_once(*[lambda: swept(NOW)] * 4)
            swept(NOW)
        game.refresh_from_db()
    at_once(*[lambda: swept(NOW + HOUR)] * 4)
    swept(NOW + HOUR)
    for name in ("ada", "bob"):
        assert [line.data["round"] for line in feed_of(name, "shoot-out")] == [1, 2, 3]
    assert Game.objects.get(pk=game.pk).told == 3
    well(game)


@again_and_again
def test_deadlines_of_one_player_in_many_games_take_one_hour_of_vacation(run: int) -> None:
    games = [quick("ada", "bob", vacation=True) for _ in range(6)]
    for game in games:
        turn_of(game, "ada")
    now = deadline(games[0])
    Player.objects.filter(name="ada").update(vacation_saved=5 * HOUR, vacation_at=now)

    def one_by_one() -> Counter[str]:
        done: Counter[str] = Counter()
        while batch := sweep.sweep_batch(now=now, limit=1):
            done += batch
        return done

    done = total(at_once(*[one_by_one] * 3))
    assert set(done) <= {"vacation", "looked"}
    assert vacation.compute_vacation_balance(person("ada"), now) == 4 * HOUR
    assert {deadline(game) for game in games} == {now + HOUR}
    assert not swept(now)
    well(*games)


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
    """A process of its own has written a whole batch and not yet committed it when SIGKILL comes."""
    games = [quick("ada", "bob") for _ in range(5)]
    now = deadline(games[0])
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
        assert not swept(now)  # the others pass its games over, and nobody waits
        assert list(Game.objects.order_by("pk").values()) == before
    finally:
        process.send_signal(signal.SIGKILL)
        process.wait(30)
        process.stdout.close()
    patience = time.monotonic() + 30
    done: Counter[str] = Counter()
    while done.total() < 5:  # its connection is found dead, and its locks with it
        assert time.monotonic() < patience
        done += swept(now)
        time.sleep(0.02)
    assert done == {"autoplay": 5}
    assert FeedEntry.objects.filter(kind="timeout").count() == 10
    assert not swept(now)
    well(*games)


def test_a_batch_that_cannot_be_written_is_tried_game_by_game(
    caplog: pytest.LogCaptureFixture,
) -> None:
    """A line that stands in the way of one game's timeout must not stop the others."""
    games = [quick("ada", "bob") for _ in range(3)]
    now = deadline(games[0])
    Action.objects.create(game=games[1], seq=2, seat=1, action="draw", by="player", at=NOW, hash="")
    assert swept(now) == {"autoplay": 2, "trouble": 1}
    assert "one by one" in caplog.text
    games[1].refresh_from_db()
    assert (games[1].seq, games[1].due_at) == (0, now + sweep.RETRY_AFTER)
    assert not swept(now)
    well(games[0], games[2])


# --------------------------------------------------------------------------------- vacations, hours and moves


def test_a_vacation_and_a_move_do_not_wait_for_each_other_for_ever() -> None:
    """A move locks a game, then its players' keys; a vacation its player, then games: once a deadlock."""
    first, second = quick("ada", "bob", vacation=True), quick("bob", "ada", vacation=True)
    api = Api(mover(second))
    with ThreadPoolExecutor() as pool:
        with transaction.atomic():
            Game.objects.select_for_update().get(pk=first.pk)
            plan = partial(
                vacation.plan_vacation, player=person("ada"), start=NOW, end=NOW + 2 * DAY, now=NOW
            )
            (planned,) = blocked(pool, plan)  # it holds ada's row, and waits for the first game
            (answer,) = at_once(lambda: api.play(second.code, "draw", 0))
            assert answer.status_code == 201
        planned.result(30)
    assert person("ada").away_until == NOW + 2 * DAY
    well(first, second)


@again_and_again
def test_a_move_and_a_vacation_at_once_leave_the_deadline_that_both_give(run: int) -> None:
    game = drawn(vacation=True)
    name, other = mover(game), others(game)[0]
    action = engine.legal_actions(state(game), seat_of(game, name))[0]
    now = BEGUN + HOUR
    plan = partial(vacation.plan_vacation, player=person(other), start=now, end=now + 3 * DAY, now=now)
    play = partial(
        turns.play_action, player=person(name), code=game.code, text=action, seq=1, key="", now=now
    )
    at_once(plan, play)
    swept(now + MINUTE)
    assert mover(game) == other
    # A deadline that was written by the old calendar falls in vain: the sweep sets it right.
    if deadline(game) != now + 3 * DAY + 27 * HOUR:
        assert swept(deadline(game)) == {"looked": 1}
    assert deadline(game) == now + 3 * DAY + 27 * HOUR
    well(game)


@again_and_again
def test_two_who_plan_a_vacation_and_change_their_hours_at_once_lose_nothing(run: int) -> None:
    games = [quick("ada", "bob", vacation=True) for _ in range(3)]
    now = BEGUN + HOUR
    at_once(
        partial(vacation.plan_vacation, player=person("ada"), start=now, end=now + 2 * DAY, now=now),
        partial(vacation.plan_vacation, player=person("bob"), start=now, end=now + 2 * DAY, now=now),
        partial(players.change_profile, player=person("ada"), now=now, time_zone="Asia/Tokyo"),
    )
    for game in games:
        assert deadline(game) == BEGUN + 27 * HOUR + 2 * DAY
        shown = watch(game, mover(game))
        assert shown.allowance_left + shown.bank == 26 * HOUR
    well(*games)


@again_and_again
def test_an_incident_that_ends_while_players_move_gives_everyone_their_time(run: int) -> None:
    games = [drawn() for _ in range(4)]
    until = deadline(games[0])
    incidents.start_incident(now=NOW + HOUR)
    end = NOW + 3 * HOUR
    moves = []
    for game in games[:2]:
        name = mover(game)
        action = engine.legal_actions(state(game), seat_of(game, name))[0]
        moves.append(
            partial(
                turns.play_action, player=person(name), code=game.code, text=action, seq=1, key="", now=end
            )
        )
    at_once(partial(incidents.end_incident, now=end), *moves, lambda: swept(end))
    swept(end)
    assert not clocks.load_unprocessed_incidents()
    assert [deadline(game) for game in games[2:]] == [until + 2 * HOUR] * 2
    assert [deadline(game) for game in games[:2]] == [end + MINUTE + 27 * HOUR] * 2
    well(*games)


# --------------------------------------------------------------------------------------- pauses and decisions


def attempt(deed: partial[object]) -> str:
    try:
        deed()
    except ServiceError as refusal:
        return refusal.code
    return "done"


@again_and_again
def test_who_agrees_and_who_declines_at_once_leave_one_story(run: int) -> None:
    game = quick("ada", "bob")
    pauses.propose_pause(player=person("ada"), code=game.code, until=NOW + DAY, now=NOW)
    agreed, declined = at_once(
        lambda: attempt(partial(pauses.agree_to_pause, player=person("bob"), code=game.code, now=NOW)),
        lambda: attempt(partial(pauses.decline_pause, player=person("ada"), code=game.code, now=NOW)),
    )
    assert sorted([agreed, declined]) == ["done", "no-pause-proposed"]
    game.refresh_from_db()
    assert (game.paused_until is not None) == (agreed == "done")
    assert deadline(game) == (BEGUN + 27 * HOUR + DAY - MINUTE if agreed == "done" else BEGUN + 27 * HOUR)


@again_and_again
def test_two_who_propose_a_pause_at_once_make_one_proposal(run: int) -> None:
    game = quick("ada", "bob")
    answers = at_once(
        *[
            lambda name=name: attempt(
                partial(pauses.propose_pause, player=person(name), code=game.code, until=NOW + DAY, now=NOW)
            )
            for name in ("ada", "bob")
        ]
    )
    assert sorted(answers) == ["done", "pause-proposed"]


@again_and_again
def test_a_decision_about_an_8_and_a_sweep_at_once_answer_once(run: int) -> None:
    game = asked_by_an_8(vacation=False)
    now = NOW + 2 * HOUR
    decide = partial(
        seat_settings.set_eight_policy, player=person("bob"), code=game.code, policy="keep", now=now
    )
    at_once(decide, lambda: swept(now), lambda: swept(now))
    swept(now)
    answered = lines(game, 12)
    assert sorted(seat for seat, _, _ in answered) == [1, 2, 3]
    assert {by for _, _, by in answered} == {"player"}
    assert state(game).match_no == 2
    well(game)


@again_and_again
def test_a_pause_and_a_timeout_at_the_same_instant_leave_one_of_them(run: int) -> None:
    game = quick("ada", "bob")
    name = mover(game)
    pauses.propose_pause(player=person("ada"), code=game.code, until=NOW + 10 * DAY, now=NOW)
    now = deadline(game)
    at_once(
        lambda: attempt(partial(pauses.agree_to_pause, player=person("bob"), code=game.code, now=now)),
        lambda: swept(now),
    )
    swept(now)
    assert len(lines(game)) in (0, 2)
    if lines(game):
        assert deadline(game) == NOW + 10 * DAY + 27 * HOUR
    else:
        assert deadline(game) == NOW + 10 * DAY
        assert watch(game, name).allowance_left + watch(game, name).bank == timedelta()
    take_turn(game, now)
    well(game)

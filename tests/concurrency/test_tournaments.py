"""Sweeps of tournaments concurrent with each other and with players: real threads, real PostgreSQL."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any
from urllib.parse import urlsplit, urlunsplit

import pytest
from django.db import connection, transaction

from accounts.services import players
from common.service_errors import ServiceError
from games import engine
from games.models import Game, Seat
from games.selectors import load_game
from games.services import game_audit, seat_settings, turns
from notifications.models import FeedEntry
from tests.factories.events import (
    NOW,
    create_started_tournament,
    entrant,
    get_host,
    get_player,
    list_running_pairings,
    play,
    published,
)
from tests.factories.leagues import create_started_league, divisions, season
from tests.helpers.races import again_and_again, run_at_once, start_blocked
from tests.services import ROOT
from tournaments.leagues.services import leagues
from tournaments.models import (
    Decision,
    EntrantPlayer,
    Pairing,
    RatedGame,
    Rating,
    RatingChange,
    Round,
    Tournament,
)
from tournaments.ratings import services as ratings
from tournaments.services import decisions, entries, proposals, replacements, simulation, sweep, tournaments

pytestmark = pytest.mark.django_db(transaction=True)


def sweep_once() -> Counter[str]:
    return sweep.sweep_tournaments(now=NOW)


def try_command(command: Any, **kwargs: Any) -> str:
    """Run a command; return `done` or the code of the error."""
    try:
        command(**kwargs)
    except ServiceError as error:
        return error.code
    return "done"


@pytest.mark.parametrize("sweepers", [2, 4])
def test_any_number_of_sweepers_start_pair_and_open_everything_once(sweepers: int) -> None:
    cups = [published(format, 4) for format in ("knockout", "swiss", "round-robin")]
    for cup in cups:
        tournaments.start_tournament(by=get_host(), code=cup.code, now=NOW)
    done = sum(run_at_once(*[sweep_once] * sweepers), Counter())
    done += sweep_once()
    assert done == {"began": 3, "paired": 3, "opened": 6}
    assert Game.objects.count() == 6
    assert Round.objects.count() == 3
    assert FeedEntry.objects.filter(kind="tournament-pairing").count() == 12
    assert FeedEntry.objects.filter(kind="tournament-start").count() == 12


@again_and_again
def test_two_sweepers_write_every_result_once_and_go_on_once(run: int) -> None:
    cups = [create_started_tournament("knockout", 4) for _ in range(3)]
    for _ in range(2):
        for cup in cups:
            for table in list_running_pairings(cup):
                play(table)
        run_at_once(sweep_once, sweep_once)
        sweep_once()
    for cup in cups:
        cup.refresh_from_db()
        assert cup.status == "finished"
        assert cup.pairings.count() == 3
        assert cup.rounds.count() == 2
    assert FeedEntry.objects.filter(kind="tournament-result").count() == 3 * 6
    assert FeedEntry.objects.filter(kind="tournament-end").count() == 3 * 4
    for game in Game.objects.select_related("secrets"):
        assert game_audit.audit_game(game) is None


def test_an_event_that_another_sweeper_holds_is_passed_over() -> None:
    locked, free = published("swiss", 2), published("swiss", 2)
    for cup in (locked, free):
        tournaments.start_tournament(by=get_host(), code=cup.code, now=NOW)
    with transaction.atomic():
        Tournament.objects.select_for_update().get(pk=locked.pk)
        assert run_at_once(sweep_once)[0]["began"] == 1
    assert sweep_once()["began"] == 1


KILLED = """
import sys, time
import django
django.setup()
from games.clock import datetime
from tournaments.services import rounds, sweep
WHAT = sys.argv[2]
def hanging(step):
    def run(tournament, now):
        what = step(tournament, now)
        if what == WHAT:
            print("done", flush=True)
            time.sleep(600)
        return what
    return run
steps_by_status = sweep.STEPS_BY_STATUS.items()
sweep.STEPS_BY_STATUS = {status: tuple(map(hanging, steps)) for status, steps in steps_by_status}
sweep.sweep_tournaments(now=datetime.fromisoformat(sys.argv[1]))
"""


@pytest.mark.parametrize("step", ["began", "paired", "opened"])
def test_a_sweeper_that_is_killed_before_its_commit_leaves_all_to_the_next_one(step: str) -> None:
    """A separate process has completed a step but not committed it when SIGKILL arrives."""
    cup = published("knockout", 4)
    tournaments.start_tournament(by=get_host(), code=cup.code, now=NOW)
    database = f"/{connection.settings_dict['NAME']}"
    url = urlunsplit(urlsplit(os.environ["DATABASE_URL"])._replace(path=database))
    process = subprocess.Popen(
        [sys.executable, "-c", KILLED, NOW.isoformat(), step],
        cwd=ROOT,
        env=os.environ | {"DATABASE_URL": url, "DJANGO_SETTINGS_MODULE": "otto_site.settings"},
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stdout
        assert process.stdout.readline() == "done\n"
        assert not sweep_once()  # other sweeps skip its tournament without waiting
        assert not Game.objects.exists()
    finally:
        process.send_signal(signal.SIGKILL)
        process.wait(30)
        process.stdout.close()  # type: ignore[union-attr]
    stop_by = time.monotonic() + 30
    while Game.objects.count() < 2:  # until PostgreSQL notices the lost connection and releases its lock
        assert time.monotonic() < stop_by
        sweep_once()
        time.sleep(0.02)
    assert not sweep_once()
    assert Game.objects.count() == 2
    assert cup.rounds.count() == 1
    assert FeedEntry.objects.filter(kind="tournament-start").count() == 4
    assert FeedEntry.objects.filter(kind="tournament-pairing").count() == 4


@again_and_again
def test_who_enter_at_once_take_the_last_place_once(run: int) -> None:
    cup = published("swiss", 1, capacity=2)
    people = [get_player(f"q{number}") for number in range(4)]
    run_at_once(
        *[partial(entries.enter_tournament, player=player, code=cup.code, now=NOW) for player in people]
    )
    assert Counter(cup.entrants.values_list("status", flat=True)) == {"entered": 2, "waiting": 3}
    twice = get_player("r")
    attempts = [partial(try_command, entries.enter_tournament, player=twice, code=cup.code, now=NOW)] * 3
    assert sorted(run_at_once(*attempts)) == ["already-joined", "already-joined", "done"]


@again_and_again
def test_a_withdrawal_and_the_sweep_that_pairs_at_once_leave_a_sound_event(run: int) -> None:
    cup = create_started_tournament("swiss", 4)
    for table in list_running_pairings(cup):
        play(table)
    run_at_once(
        sweep_once,
        partial(entries.withdraw_from_tournament, player=get_player("p1"), code=cup.code, now=NOW),
        sweep_once,
    )
    for _ in range(12):
        sweep_once()
        for table in list_running_pairings(cup):
            play(table)
    cup.refresh_from_db()
    assert cup.status == "finished"
    assert entrant(cup, "p1").left_after_round in (1, 2)
    assert not cup.last_error


@again_and_again
def test_who_comes_in_while_a_round_is_paired_plays_in_that_round_or_in_the_next(run: int) -> None:
    cup = create_started_tournament("swiss", 4, round_count=3, late_entry=True)
    for table in list_running_pairings(cup):
        play(table)
    run_at_once(
        sweep_once,
        partial(entries.enter_tournament, player=get_player("late"), code=cup.code, now=NOW),
        sweep_once,
    )
    sweep_once()
    late = entrant(cup, "late")
    rounds = list(late.pairing_seats.values_list("pairing__bracket_round", flat=True))
    assert late.first_round in (2, 3)
    assert rounds == ([2] if late.first_round == 2 else [])
    for _ in range(3):
        for table in list_running_pairings(cup):
            play(table)
        sweep_once()
    cup.refresh_from_db()
    assert (cup.status, cup.rounds.count(), cup.last_error) == ("finished", 3, "")
    assert late.pairing_seats.count() == 4 - late.first_round


@again_and_again
def test_a_correction_and_its_game_that_ends_at_once_leave_one_result(run: int) -> None:
    cup = create_started_tournament("swiss", 2, round_count=1)
    (table,) = list_running_pairings(cup)
    assert table.game
    run_at_once(
        partial(
            decisions.correct_result, by=get_host(), code=cup.code, pairing_id=table.pk, ranks=[1, 2], now=NOW
        ),
        partial(play, table),
        sweep_once,
    )
    sweep_once()
    table.refresh_from_db()
    cup.refresh_from_db()
    assert cup.status == "finished"
    assert table.result
    assert table.result["by"] == "organiser"


@again_and_again
def test_ratings_are_written_once_whoever_sweeps(run: int) -> None:
    cup = create_started_tournament("round-robin", 4, all_rounds_at_once=True)
    for table in list_running_pairings(cup):
        play(table)
    run_at_once(*[partial(ratings.rate_finished_games, now=NOW)] * 3)
    ratings.rate_finished_games(now=NOW)
    assert RatedGame.objects.count() == 6
    assert RatingChange.objects.count() == 12
    assert sorted(Rating.objects.values_list("game_count", flat=True)) == [3, 3, 3, 3]
    assert ratings.rebuild_ratings(now=NOW) == (6, 0)


@again_and_again
def test_a_seat_changes_hands_while_its_player_moves(run: int) -> None:
    cup = create_started_tournament("knockout", 2)
    (table,) = list_running_pairings(cup)
    assert table.game
    proposal = replacements.propose_replacement(
        by=get_host(), code=cup.code, entrant=entrant(cup, "p1").pk, player=get_player("sub"), now=NOW
    )
    answer = partial(
        try_command, proposals.accept_proposal, player=get_player("sub"), proposal_id=proposal.pk, now=NOW
    )
    run_at_once(
        partial(simulation.play_game, table.game.code, policy="random", rng=random.Random(1), now=NOW),
        answer,
        answer,
    )
    play(table)
    sweep_once()
    cup.refresh_from_db()
    assert cup.status == "finished"
    assert game_audit.audit_game(Game.objects.select_related("secrets").get(pk=table.game.pk)) is None


def test_what_a_predecessor_was_doing_when_the_seat_changed_hands_is_refused() -> None:
    """No time passes, so that the clocks do not change."""
    cup = create_started_tournament("knockout", 2)
    (table,) = list_running_pairings(cup)
    assert table.game
    code = table.game.code
    loaded_game = load_game(code)
    leaves = loaded_game.seat_by_no(loaded_game.to_act[0]).player
    assert leaves
    assert loaded_game.state
    action = engine.legal_actions(loaded_game.state, loaded_game.to_act[0])[0]
    proposal = replacements.propose_replacement(
        by=get_host(), code=cup.code, entrant=entrant(cup, leaves.name).pk, player=get_player("sub"), now=NOW
    )
    whose = {"player": leaves, "code": code, "now": NOW}
    commands = (
        partial(try_command, turns.play_action, **whose, text=action, seq=0, key=""),
        partial(try_command, seat_settings.set_eight_policy, **whose, policy="keep"),
        partial(try_command, seat_settings.set_game_muted, **whose, muted=True),
    )
    with ThreadPoolExecutor(len(commands)) as pool:
        with transaction.atomic():
            proposals.accept_proposal(player=get_player("sub"), proposal_id=proposal.pk, now=NOW)
            answers = start_blocked(pool, *commands)  # each has read the seat before the change
        assert [answer.result(30) for answer in answers] == ["not-seated", "not-seated", "not-found"]
    seat = Seat.objects.get(game=table.game, player=get_player("sub"))
    assert (seat.eight_policy, seat.muted, seat.hand_hidden) == ("ask", False, True)
    assert Game.objects.get(pk=table.game.pk).seq == 0


@again_and_again
def test_a_substitute_is_given_out_once_while_sweeps_and_leavers_meet(run: int) -> None:
    """Two players leave two divisions at once, with one substitute: one seat is taken over, one resigns."""
    league = create_started_league(6, division_size=3, all_rounds_at_once=True)
    upper, lower = (names[0] for names in divisions(season(league)))
    cups = {name: Tournament.objects.get(entrant_players__player__name=name) for name in (upper, lower)}
    leagues.set_member_status(player=get_player("spare"), code=league.code, now=NOW, status="substitute")
    leave = [
        partial(entries.withdraw_from_tournament, player=get_player(name), code=cup.code, now=NOW)
        for name, cup in cups.items()
    ]
    Tournament.objects.update(next_sweep_at=NOW)
    run_at_once(*leave, sweep_once, sweep_once)
    sweep_once()
    own_entry = EntrantPlayer.objects.get(player=get_player("spare"))
    assert Decision.objects.filter(action="replace", created_by=None).count() == 1
    assert EntrantPlayer.objects.filter(entrant__left_after_round__isnull=False).count() == 1
    assert own_entry.entrant.left_after_round is None
    assert Seat.objects.filter(player=get_player("spare"), game__status="running").count() == 2
    assert Pairing.objects.filter(result__forfeits__contains=[own_entry.entrant_id]).count() == 0
    assert Game.objects.filter(status="over").count() == 2
    assert not Tournament.objects.exclude(last_error="").exists()


@again_and_again
def test_who_deletes_their_account_while_a_sweep_runs_leaves_a_seat_to_the_substitute(run: int) -> None:
    league = create_started_league(3, division_size=3, all_rounds_at_once=True)
    leagues.set_member_status(player=get_player("spare"), code=league.code, now=NOW, status="substitute")
    Tournament.objects.update(next_sweep_at=NOW)
    run_at_once(sweep_once, partial(players.remove_player, player=get_player("p1"), now=NOW), sweep_once)
    sweep_once()
    assert Seat.objects.filter(player=get_player("spare"), game__status="running").count() == 2
    assert Game.objects.filter(status="running").count() == 3
    assert not Tournament.objects.exclude(last_error="").exists()

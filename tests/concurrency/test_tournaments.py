"""Sweeps of events among themselves and with players: real threads, real PostgreSQL."""

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

from games import engine
from games.models import FeedEntry, Game, Seat
from games.selectors import load_game
from games.services import game_audit, notices, players, seat_settings, turns
from games.services.errors import ServiceError
from tests.tournaments.play import NOW, entrant, host, play, playing, published, someone, started
from tests.tournaments.test_leagues import begun, divisions, season
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
from tournaments.services import (
    decisions,
    entries,
    leagues,
    proposals,
    ratings,
    replacements,
    simulation,
    sweep,
    tournaments,
)

from .test_races import again_and_again, at_once, blocked
from .test_sweeps import ROOT

pytestmark = pytest.mark.django_db(transaction=True)


def swept() -> Counter[str]:
    return sweep.sweep_tournaments(now=NOW)


def attempt(deed: Any, **what: Any) -> str:
    """What became of it."""
    try:
        deed(**what)
    except ServiceError as refusal:
        return refusal.code
    return "done"


@pytest.mark.parametrize("sweepers", [2, 4])
def test_any_number_of_sweepers_start_pair_and_open_everything_once(sweepers: int) -> None:
    cups = [published(format, 4) for format in ("knockout", "swiss", "round-robin")]
    for cup in cups:
        tournaments.start_tournament(by=host(), code=cup.code, now=NOW)
    done = sum(at_once(*[swept] * sweepers), Counter())
    done += swept()
    assert done == {"began": 3, "paired": 3, "opened": 6}
    assert Game.objects.count() == 6
    assert Round.objects.count() == 3
    assert FeedEntry.objects.filter(kind="event-pairing").count() == 12
    assert FeedEntry.objects.filter(kind="event-start").count() == 12


@again_and_again
def test_two_sweepers_write_every_result_once_and_go_on_once(run: int) -> None:
    cups = [started("knockout", 4) for _ in range(3)]
    for _ in range(2):
        for cup in cups:
            for table in playing(cup):
                play(table)
        at_once(swept, swept)
        swept()
    for cup in cups:
        cup.refresh_from_db()
        assert cup.status == "finished"
        assert cup.tables.count() == 3
        assert cup.published.count() == 2
    assert FeedEntry.objects.filter(kind="event-result").count() == 3 * 6
    assert FeedEntry.objects.filter(kind="event-end").count() == 3 * 4
    for game in Game.objects.select_related("secret"):
        assert game_audit.audit_game(game) is None


def test_an_event_that_another_sweeper_holds_is_passed_over() -> None:
    held, free = published("swiss", 2), published("swiss", 2)
    for cup in (held, free):
        tournaments.start_tournament(by=host(), code=cup.code, now=NOW)
    with transaction.atomic():
        Tournament.objects.select_for_update().get(pk=held.pk)
        assert at_once(swept)[0]["began"] == 1
    assert swept()["began"] == 1


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


@pytest.mark.parametrize("what", ["began", "paired", "opened"])
def test_a_sweeper_that_is_killed_before_its_commit_leaves_all_to_the_next_one(what: str) -> None:
    """A process of its own has done a deed and not yet committed it when SIGKILL comes."""
    cup = published("knockout", 4)
    tournaments.start_tournament(by=host(), code=cup.code, now=NOW)
    database = f"/{connection.settings_dict['NAME']}"
    url = urlunsplit(urlsplit(os.environ["DATABASE_URL"])._replace(path=database))
    process = subprocess.Popen(
        [sys.executable, "-c", KILLED, NOW.isoformat(), what],
        cwd=ROOT,
        env=os.environ | {"DATABASE_URL": url, "DJANGO_SETTINGS_MODULE": "otto_site.settings"},
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stdout
        assert process.stdout.readline() == "done\n"
        assert not swept()  # the others pass its event over, and nobody waits
        assert not Game.objects.exists()
    finally:
        process.send_signal(signal.SIGKILL)
        process.wait(30)
        process.stdout.close()  # type: ignore[union-attr]
    patience = time.monotonic() + 30
    while Game.objects.count() < 2:  # its connection is found dead, and its lock with it
        assert time.monotonic() < patience
        swept()
        time.sleep(0.02)
    assert not swept()
    assert Game.objects.count() == 2
    assert cup.published.count() == 1
    assert FeedEntry.objects.filter(kind="event-start").count() == 4
    assert FeedEntry.objects.filter(kind="event-pairing").count() == 4


@again_and_again
def test_who_enter_at_once_take_the_last_place_once(run: int) -> None:
    cup = published("swiss", 1, capacity=2)
    people = [someone(f"q{number}") for number in range(4)]
    at_once(*[partial(entries.enter_tournament, player=one, code=cup.code, now=NOW) for one in people])
    assert Counter(cup.entrants.values_list("status", flat=True)) == {"entered": 2, "waiting": 3}
    twice = someone("r")
    tries = [partial(attempt, entries.enter_tournament, player=twice, code=cup.code, now=NOW)] * 3
    assert sorted(at_once(*tries)) == ["already-joined", "already-joined", "done"]


@again_and_again
def test_a_withdrawal_and_the_sweep_that_pairs_at_once_leave_a_sound_event(run: int) -> None:
    cup = started("swiss", 4)
    for table in playing(cup):
        play(table)
    at_once(
        swept, partial(entries.withdraw_from_tournament, player=someone("p1"), code=cup.code, now=NOW), swept
    )
    for _ in range(12):
        swept()
        for table in playing(cup):
            play(table)
    cup.refresh_from_db()
    assert cup.status == "finished"
    assert entrant(cup, "p1").left in (1, 2)
    assert not cup.trouble


@again_and_again
def test_who_comes_in_while_a_round_is_paired_plays_in_that_round_or_in_the_next(run: int) -> None:
    cup = started("swiss", 4, rounds=3, late=True)
    for table in playing(cup):
        play(table)
    at_once(swept, partial(entries.enter_tournament, player=someone("late"), code=cup.code, now=NOW), swept)
    swept()
    late = entrant(cup, "late")
    rounds = list(late.sittings.values_list("table__round", flat=True))
    assert late.joined in (2, 3)
    assert rounds == ([2] if late.joined == 2 else [])
    for _ in range(3):
        for table in playing(cup):
            play(table)
        swept()
    cup.refresh_from_db()
    assert (cup.status, cup.published.count(), cup.trouble) == ("finished", 3, "")
    assert late.sittings.count() == 4 - late.joined


@again_and_again
def test_a_correction_and_its_game_that_ends_at_once_leave_one_result(run: int) -> None:
    cup = started("swiss", 2, rounds=1)
    (table,) = playing(cup)
    assert table.game
    at_once(
        partial(decisions.correct_result, by=host(), code=cup.code, table=table.pk, ranks=[1, 2], now=NOW),
        partial(play, table),
        swept,
    )
    swept()
    table.refresh_from_db()
    cup.refresh_from_db()
    assert cup.status == "finished"
    assert table.result
    assert table.result["by"] == "organiser"


@again_and_again
def test_ratings_are_written_once_whoever_sweeps(run: int) -> None:
    cup = started("round-robin", 4, at_once=True)
    for table in playing(cup):
        play(table)
    at_once(*[partial(ratings.rate_finished_games, now=NOW)] * 3)
    ratings.rate_finished_games(now=NOW)
    assert RatedGame.objects.count() == 6
    assert RatingChange.objects.count() == 12
    assert sorted(Rating.objects.values_list("games", flat=True)) == [3, 3, 3, 3]
    assert ratings.rebuild_ratings(now=NOW) == (6, 0)


@again_and_again
def test_a_seat_changes_hands_while_its_player_moves(run: int) -> None:
    cup = started("knockout", 2)
    (table,) = playing(cup)
    assert table.game
    asked = replacements.propose_replacement(
        by=host(), code=cup.code, entrant=entrant(cup, "p1").pk, player=someone("sub"), now=NOW
    )
    answer = partial(attempt, proposals.accept_proposal, player=someone("sub"), proposal_id=asked.pk, now=NOW)
    at_once(
        partial(simulation.play_game, table.game.code, policy="random", rng=random.Random(1), now=NOW),
        answer,
        answer,
    )
    play(table)
    swept()
    cup.refresh_from_db()
    assert cup.status == "finished"
    assert game_audit.audit_game(Game.objects.select_related("secret").get(pk=table.game.pk)) is None


def test_what_a_predecessor_was_doing_when_the_seat_changed_hands_is_refused() -> None:
    """No time passes, so that the clocks are the same before and after."""
    cup = started("knockout", 2)
    (table,) = playing(cup)
    assert table.game
    code = table.game.code
    found = load_game(code)
    leaves = found.seat_by_no(found.to_act[0]).player
    assert leaves
    assert found.state
    action = engine.legal_actions(found.state, found.to_act[0])[0]
    asked = replacements.propose_replacement(
        by=host(), code=cup.code, entrant=entrant(cup, leaves.name).pk, player=someone("sub"), now=NOW
    )
    whose = {"player": leaves, "code": code, "now": NOW}
    deeds = (
        partial(attempt, turns.play_action, **whose, text=action, seq=0, key=""),
        partial(attempt, seat_settings.set_eight_policy, **whose, policy="keep"),
        partial(attempt, notices.set_game_muted, **whose, muted=True),
    )
    with ThreadPoolExecutor(len(deeds)) as pool:
        with transaction.atomic():
            proposals.accept_proposal(player=someone("sub"), proposal_id=asked.pk, now=NOW)
            answers = blocked(pool, *deeds)  # each has read the seat as it was
        assert [one.result(30) for one in answers] == ["not-seated", "not-seated", "not-found"]
    taken = Seat.objects.get(game=table.game, player=someone("sub"))
    assert (taken.eight, taken.muted, taken.hand_hidden) == ("ask", False, True)
    assert Game.objects.get(pk=table.game.pk).seq == 0


@again_and_again
def test_a_substitute_is_given_out_once_while_sweeps_and_leavers_meet(run: int) -> None:
    """Two leave two divisions at once, and there is one substitute: one seat goes on, one is resigned."""
    league = begun(6, size=3, at_once=True)
    upper, lower = (names[0] for names in divisions(season(league)))
    cups = {name: Tournament.objects.get(members__player__name=name) for name in (upper, lower)}
    leagues.set_member_status(player=someone("spare"), code=league.code, now=NOW, status="substitute")
    leave = [
        partial(entries.withdraw_from_tournament, player=someone(name), code=cup.code, now=NOW)
        for name, cup in cups.items()
    ]
    Tournament.objects.update(due_at=NOW)
    at_once(*leave, swept, swept)
    swept()
    mine = EntrantPlayer.objects.get(player=someone("spare"))
    assert Decision.objects.filter(what="replace", by=None).count() == 1
    assert EntrantPlayer.objects.filter(entrant__left__isnull=False).count() == 1
    assert mine.entrant.left is None
    assert Seat.objects.filter(player=someone("spare"), game__status="running").count() == 2
    assert Pairing.objects.filter(result__forfeits__contains=[mine.entrant_id]).count() == 0
    assert Game.objects.filter(status="over").count() == 2
    assert not Tournament.objects.exclude(trouble="").exists()


@again_and_again
def test_who_deletes_their_account_while_a_sweep_runs_leaves_a_seat_to_the_substitute(run: int) -> None:
    league = begun(3, size=3, at_once=True)
    leagues.set_member_status(player=someone("spare"), code=league.code, now=NOW, status="substitute")
    Tournament.objects.update(due_at=NOW)
    at_once(swept, partial(players.remove_player, player=someone("p1"), now=NOW), swept)
    swept()
    assert Seat.objects.filter(player=someone("spare"), game__status="running").count() == 2
    assert Game.objects.filter(status="running").count() == 3
    assert not Tournament.objects.exclude(trouble="").exists()

"""Interruptions of a tournament: holds, errors, and a killed sweep."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import pytest

from common.service_errors import Conflict, Denied
from games.models import DerivedSeed, TournamentSeed
from notifications.models import FeedEntry
from otto_site.celery import app
from tests.example_counts import pick_example_count
from tests.factories.events import (
    DAY,
    HOUR,
    NOW,
    create_started_tournament,
    entrant,
    get_host,
    get_player,
    list_running_pairings,
    name_at,
    play,
    play_round,
    published,
)
from tournaments import tasks
from tournaments.models import Rating, Tournament
from tournaments.services import decisions, entries, simulation, sweep, sweep_steps, tournaments

pytestmark = pytest.mark.django_db


def sweep_once(now: Any = NOW) -> Counter[str]:
    return sweep.sweep_tournaments(now=now)


def test_a_warning_waits_for_the_organiser() -> None:
    tournament = create_started_tournament("swiss", 3, hold_on_warnings=True)
    assert (tournament.hold_reason, tournament.status) == ("odd-number", "running")
    assert tournament.warnings[0]["code"] == "odd-number"
    assert not tournament.pairings.exists()
    assert not sweep_once(NOW + DAY)
    with pytest.raises(Denied):
        decisions.approve_round(by=get_player("p1"), code=tournament.code, now=NOW)
    decisions.approve_round(by=get_host(), code=tournament.code, now=NOW)
    assert sweep_once() == {"paired": 1, "opened": 1}
    play_round(tournament, NOW)
    assert tournament.hold_reason == "odd-number"  # a new hold for the next round
    decisions.approve_round(by=get_host(), code=tournament.code, now=NOW)
    with pytest.raises(Conflict):
        decisions.approve_round(by=get_host(), code=tournament.code, now=NOW)


def test_what_changes_is_asked_anew() -> None:
    tournament = create_started_tournament("swiss", 3, hold_on_warnings=True)
    assert tournament.hold_reason == "odd-number"
    entries.withdraw_from_tournament(player=get_player("p2"), code=tournament.code, now=NOW)
    assert sweep_once() == {"paired": 1, "opened": 1}
    tournament.refresh_from_db()
    assert tournament.hold_reason == ""


def test_a_broken_event_is_tried_later_and_the_others_go_on(caplog: pytest.LogCaptureFixture) -> None:
    broken = published("swiss", 2)
    sound = published("knockout", 2)
    Tournament.objects.update(starts_at=NOW, next_sweep_at=NOW)
    Tournament.objects.filter(pk=broken.pk).update(time_control="sand")
    done = sweep_once()
    assert (done["failed"], done["began"], done["opened"]) == (1, 2, 1)
    broken.refresh_from_db()
    assert broken.next_sweep_at == NOW + sweep_steps.RETRY_AFTER
    assert "Invalid" in broken.last_error
    assert f"tournament {broken.pk} could not be updated" in caplog.text
    assert not sweep_once(NOW + HOUR / 60)
    Tournament.objects.filter(pk=broken.pk).update(time_control="2d")
    assert sweep_once(NOW + sweep_steps.RETRY_AFTER)["opened"] == 1
    broken.refresh_from_db()
    assert broken.last_error == ""
    assert list_running_pairings(sound)


# --------------------------------------------------------------------------------------------- a killed sweep


class Killed(BaseException):
    """Not caught by any handler."""


def list_tournament_rows(tournament: Tournament) -> list[Any]:
    """Return all pairings and results, with names instead of ids."""
    return [
        (table.match, table.game_number, table.attempt, table.round.number, table.reasons != [],
         [name_at(table, place) for place in range(table.pairing_seats.count())],
         [(table.result or {}).get(key) for key in ("points", "ranks", "eights")])
        for table in tournament.pairings.order_by("bracket_round", "match", "game_number")
    ]  # fmt: skip


COUNT = {"knockout": 5, "double": 4, "swiss": 5, "round-robin": 3}


def prepare_tournament(format: str) -> Tournament:
    """Start a tournament with a fixed seed."""
    tournament = published(format, COUNT[format], third_place=format == "knockout")
    simulation.set_seed_from_rng(tournament, random.Random(7))
    tournaments.start_tournament(by=get_host(), code=tournament.code, now=NOW)
    return tournament


def play_all_games(tournament: Tournament) -> None:
    """Play all running games; the actions of a game do not depend on when it is played."""
    for table in list_running_pairings(tournament):
        assert table.game
        rng = random.Random(f"{table.match}/{table.game_number}")
        simulation.play_game(table.game.code, policy="random", rng=rng, now=NOW)


def play_undisturbed(format: str) -> list[Any]:
    """Play the tournament without interruption, and return its rows."""
    tournament = prepare_tournament(format)
    for _ in range(20):
        sweep_once()
        tournament.refresh_from_db()
        if tournament.status == "finished":
            break
        play_all_games(tournament)
    assert tournament.status == "finished"
    tournament_story = list_tournament_rows(tournament)
    rename_tournament(tournament, "undisturbed")
    return tournament_story


def rename_tournament(tournament: Tournament, code: str) -> None:
    """Rename a tournament and its seeds, so that a second one can use its code."""
    old = TournamentSeed.objects.get(tournament_code=tournament.code)
    DerivedSeed.objects.filter(tournament_seed=old).update(
        tournament_seed=TournamentSeed.objects.create(
            tournament_code=code, commitment=old.commitment, seed=old.seed
        )
    )
    old.delete()
    Tournament.objects.filter(pk=tournament.pk).update(code=code)


@pytest.mark.parametrize("format", COUNT)
def test_a_sweep_killed_after_any_step_or_in_the_middle_of_it_changes_nothing_in_the_end(
    format: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every step is killed twice before its commit and once after it; the rows do not change."""
    expected = play_undisturbed(format)
    tournament = prepare_tournament(format)
    died: Counter[str] = Counter()

    def make_dying_step(step: sweep.SweepStep) -> sweep.SweepStep:
        def run(tournament: Tournament, now: Any) -> str:
            outcome = step(tournament, now)
            if outcome and died[outcome] < 2:
                died[outcome] += 1
                raise Killed(outcome)
            return outcome

        return run

    for status in ("published", "running"):
        monkeypatch.setitem(
            sweep.STEPS_BY_STATUS,
            status,
            tuple(make_dying_step(step) for step in sweep.STEPS_BY_STATUS[status]),
        )
    whole = sweep.run_next_step

    def die_after_step(pk: int, now: Any) -> str:
        outcome = whole(pk, now)
        if outcome and died[f"after {outcome}"] < 1:
            died[f"after {outcome}"] += 1
            raise Killed(outcome)
        return outcome

    monkeypatch.setattr(sweep, "run_next_step", die_after_step)
    for _ in range(60):
        tournament.refresh_from_db()
        if tournament.status == "finished":
            break
        try:
            sweep_once()
        except Killed:
            continue
        play_all_games(tournament)
    assert tournament.status == "finished"
    steps = {"began", "settled", "opened", "paired", "finished"}
    assert {*steps, *(f"after {step}" for step in steps)} == set(died)
    assert list_tournament_rows(tournament) == expected
    ends = FeedEntry.objects.filter(kind="tournament-end", data__tournament=tournament.code)
    assert ends.count() == COUNT[format]


def test_the_sweeps_are_on_the_schedule_and_in_their_queue() -> None:
    for task in ("tournaments.sweep", "tournaments.ratings"):
        assert app.conf.beat_schedule[task]["task"] == task
        assert task in app.tasks
        assert app.amqp.router.route({}, task)["queue"].name == "tournaments"


def test_the_tasks_do_what_is_due_now() -> None:
    tournament = create_started_tournament("knockout", 2)
    play(list_running_pairings(tournament)[0])
    tasks.sweep_tournaments()
    tournament.refresh_from_db()
    assert tournament.status == "finished"
    tasks.rate_finished_games()
    assert Rating.objects.count() == 2


@pytest.mark.parametrize(
    ("format", "fields"),
    [("knockout", {}), ("knockout", {"table_size": 4, "advancing_count": 2}), ("double", {}),
     ("round-robin", {}), ("round-robin", {"table_size": 3}), ("swiss", {}),
     ("swiss", {"table_size": 4, "round_count": 3})],
    ids=str,
)  # fmt: skip
def test_every_event_ends_whoever_leaves_whenever(format: str, fields: dict[str, Any]) -> None:
    rng = random.Random(f"{format}{fields}")
    plays_all = format == "round-robin" and not fields  # 28 games for 8 entrants
    count = pick_example_count(5, 8) if plays_all else 8
    tournament = create_started_tournament(format, count, round_length=86400, time_control="12h", **fields)
    now = NOW
    for _ in range(40):
        tournament.refresh_from_db()
        if tournament.status == "finished":
            break
        for number in range(1, count + 1):
            staying = entrant(tournament, f"p{number}").left_after_round is None
            if staying and rng.random() < 0.06:
                entries.withdraw_from_tournament(
                    player=get_player(f"p{number}"), code=tournament.code, now=now
                )
            elif staying and rng.random() < 0.04:
                decisions.disqualify_entrant(
                    by=get_host(), code=tournament.code, entrant=entrant(tournament, f"p{number}").pk, now=now
                )
        for table in list_running_pairings(tournament):
            if rng.random() < 0.6:
                play(table, now)
        now += HOUR * rng.choice([1, 12])
        assert not sweep_once(now)["failed"]
    assert tournament.status == "finished"
    assert not tournament.pairings.filter(settled_at=None).exists()
    for table in tournament.pairings.all():
        assert table.is_void or table.result

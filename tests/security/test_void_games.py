"""Events in a game of a void pairing have no effect, except for moves."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Any

import pytest
from django.test import Client

from common.service_errors import Conflict
from games import engine
from games.models import Game
from games.selectors import load_game
from games.services import sweep as games_sweep
from games.services import turns
from notifications.models import FeedEntry
from tests.factories.corrections import (
    get_final,
    list_names,
    play_clock_action,
    start_final,
    sweep_tournament,
)
from tests.factories.events import (
    DAY,
    NOW,
    add_organiser,
    create_started_tournament,
    decide,
    entrant,
    get_host,
    list_running_pairings,
)
from tests.helpers.tournament_mails import get_last_body, list_sent, send_mails
from tests.helpers.tournament_programs import Program
from tournaments import permissions
from tournaments.models import Pairing, RatingChange, Tournament
from tournaments.ratings import services as ratings
from tournaments.services import decision_undo, decisions, sweep, tournaments

pytestmark = pytest.mark.django_db
UNDECIDED = "undecided-table"


def play_moves(game: Game, count: int = 6) -> None:
    """Play some moves of both sides."""
    for _time in range(count):
        loaded_game = load_game(game.code)
        assert loaded_game.state
        seat = loaded_game.to_act[0]
        player = loaded_game.seat_by_no(seat).player
        assert player
        action = engine.legal_actions(loaded_game.state, seat)[0]
        turns.play_action(
            player=player, code=game.code, text=action, seq=loaded_game.state.seq, key="", now=NOW
        )


def start_void_final(**fields: Any) -> tuple[Tournament, Pairing, Pairing]:
    """Start a final and void it; return the tournament, the corrected semi-final and the final."""
    tournament, first, _second, final = start_final(**fields)
    assert final.game
    play_moves(final.game)
    winner, loser = list_names(first)
    decide(first, loser, winner)
    sweep_tournament(tournament)
    final.refresh_from_db()
    assert final.is_void
    return tournament, first, final


def correct_back(tournament: Tournament, first: Pairing, now: datetime = NOW) -> Tournament:
    """Restore the result of the semi-final, and sweep."""
    loser, winner = sorted(
        list_names(first), key=lambda name: list_ranks(first)[list_names(first).index(name)]
    )
    decide(first, winner, loser, now=now)
    for _time in range(3):
        sweep.sweep_tournaments(now=now)
    tournament.refresh_from_db()
    return tournament


def list_ranks(table: Pairing) -> list[int]:
    table.refresh_from_db()
    assert table.result
    return list(table.result["ranks"])


def resign_final(final: Pairing) -> datetime:
    """Let a finalist resign the void game."""
    assert final.game
    play_clock_action(list_names(final)[0], final.game)
    return NOW


def let_time_run_out(final: Pairing) -> datetime:
    """Let the void game run until the clock resigns for a seat."""
    assert final.game
    for day in range(1, 60):
        now = NOW + day * DAY
        games_sweep.sweep_games(now=now)
        if Game.objects.get(pk=final.game.pk).status == "over":
            return now
    raise AssertionError("the clock does not run out")


@pytest.mark.parametrize("end", [resign_final, let_time_run_out])
def test_a_void_game_that_ended_decides_nothing_when_its_table_comes_back(
    end: Callable[[Pairing], datetime],
) -> None:
    tournament, first, final = start_void_final(timeout_policy="forfeit", vacation=False)
    now = end(final)
    games = Game.objects.count()
    correct_back(tournament, first, now)
    final.refresh_from_db()
    assert (final.is_void, final.result, final.game.status, final.game.rated) == (False, None, "over", False)
    assert (tournament.status, tournament.hold_reason, tournament.last_error) == ("running", UNDECIDED, "")
    assert tournament.warnings[0]["match"] == final.match
    assert (get_final(tournament).attempt, Game.objects.count()) == (1, games), "no new deal either"
    ratings.rate_finished_games(now=now)
    assert not RatingChange.objects.filter(game=final.game).exists()
    entry = FeedEntry.objects.get(kind="tournament-held", player=get_host(), dedup_key__contains=UNDECIDED)
    assert entry.data["reason"] == UNDECIDED
    finalists = FeedEntry.objects.filter(kind="tournament-table", data__reason="undecided")
    assert {line.player.name for line in finalists} == set(list_names(final))
    decide(final, *list_names(final), now=now)
    for _time in range(2):
        sweep.sweep_tournaments(now=now)
    tournament.refresh_from_db()
    final.refresh_from_db()
    assert (tournament.status, tournament.hold_reason, final.result["by"]) == ("finished", "", "organiser")
    ratings.rate_finished_games(now=now)
    assert not RatingChange.objects.filter(game=final.game).exists()


def test_who_resigns_among_several_in_a_void_game_has_lost_nothing_by_it() -> None:
    tournament = create_started_tournament("knockout", 9, table_size=3)
    tables = list_running_pairings(tournament)
    for table in tables:
        decide(table, *list_names(table))
    sweep_tournament(tournament)
    final = tournament.pairings.get(match="R2.1")
    first = next(table for table in tables if list_names(table)[0] in list_names(final))
    best, second, third = list_names(first)
    decide(first, second, best, third)
    sweep_tournament(tournament)
    final.refresh_from_db()
    play_clock_action(best, final.game)
    assert Game.objects.get(pk=final.game.pk).status == "running"
    decide(first, best, second, third)
    sweep_tournament(tournament)
    final.refresh_from_db()
    assert (final.is_void, final.result, tournament.hold_reason) == (False, None, UNDECIDED)
    assert Game.objects.get(pk=final.game.pk).rated is False


def test_moves_in_a_void_game_count_when_its_table_comes_back() -> None:
    tournament, first, final = start_void_final()
    play_moves(final.game, 2)
    correct_back(tournament, first)
    final.refresh_from_db()
    assert (final.is_void, final.settled_at, tournament.hold_reason) == (False, None, "")
    assert Game.objects.get(pk=final.game.pk).rated


def test_a_game_that_had_ended_before_its_table_became_void_counts() -> None:
    tournament, _first, _second, final = start_final()
    play_moves(final.game)
    play_clock_action(list_names(final)[0], final.game)
    later = NOW + DAY
    # A sweep that had loaded the results before the end then voids the pairing.
    Pairing.objects.filter(pk=final.pk).update(is_void=True, settled_at=later)
    Tournament.objects.filter(pk=tournament.pk).update(next_sweep_at=later)
    for _time in range(3):
        sweep.sweep_tournaments(now=later)
    tournament.refresh_from_db()
    final.refresh_from_db()
    assert (tournament.status, final.result["by"], final.game.rated) == ("finished", "game", True)


def test_only_the_result_lets_the_event_go_on() -> None:
    tournament, first, final = start_void_final()
    resign_final(final)
    correct_back(tournament, first)
    with pytest.raises(Conflict) as refused:
        decisions.approve_round(by=get_host(), code=tournament.code, now=NOW)
    assert refused.value.code == UNDECIDED
    assert "proceed" not in permissions.list_organiser_actions(tournament, NOW)
    send_mails()
    assert "The tournament goes on once you enter the result." in get_last_body("host")
    assert ("tournament-table", "The cup: The organiser decides your result") in list_sent(
        list_names(final)[0]
    )
    client = Client()
    client.force_login(get_host())
    page = client.get(f"/tournaments/{tournament.code}/organise/").content.decode()
    assert "A table needs a result" in page
    assert f"correct/?pairing={final.pk}" in page
    assert "proceed" not in page
    page = client.get(f"/tournaments/{tournament.code}/tables/{final.pk}/").content.decode()
    assert "No result yet: the organiser enters it." in page
    assert Program("host").ask(f"tournaments/{tournament.code}/")["hold_reason"] == UNDECIDED


def test_a_result_written_there_and_taken_back_leaves_the_table_undecided() -> None:
    tournament, first, final = start_void_final()
    resign_final(final)
    correct_back(tournament, first)
    decide(final, *list_names(final))
    decision = tournament.decisions.order_by("-pk")[0]
    decision_undo.undo_decision(by=get_host(), code=tournament.code, decision=decision.pk, now=NOW)
    for _time in range(2):
        sweep_tournament(tournament)
    final.refresh_from_db()
    assert (final.result, tournament.status, tournament.hold_reason) == (None, "running", UNDECIDED)
    assert Game.objects.get(pk=final.game.pk).rated is False


def test_an_undecided_table_that_becomes_void_and_comes_back_is_still_undecided() -> None:
    tournament, first, final = start_void_final()
    resign_final(final)
    correct_back(tournament, first)
    winner, loser = list_names(first)
    decide(first, loser, winner)
    sweep_tournament(tournament)
    assert (tournament.hold_reason, get_final(tournament).pk != final.pk) == ("", True)
    correct_back(tournament, first)
    assert (tournament.hold_reason, get_final(tournament).pk) == (UNDECIDED, final.pk)


def test_who_sits_at_an_undecided_table_decides_nothing_about_it() -> None:
    tournament, first, final = start_void_final()
    first_name, other = list_names(final)
    resign_final(final)
    correct_back(tournament, first)
    add_organiser(tournament, first_name)
    ranks = {"pairing": final.pk, "ranks": [1, 2]}
    assert Program(first_name).refused(f"tournaments/{tournament.code}/correct/", ranks) == (403, "own-table")
    out = {"entrant": entrant(tournament, other).pk}
    assert Program(first_name).refused(f"tournaments/{tournament.code}/disqualify/", out) == (
        403,
        "own-table",
    )


def test_a_cancelled_event_has_no_undecided_table() -> None:
    tournament, first, final = start_void_final()
    resign_final(final)
    correct_back(tournament, first)
    tournaments.cancel_tournament(by=get_host(), code=tournament.code, now=NOW)
    final.refresh_from_db()
    assert final.is_void


def test_those_at_a_table_are_notified_that_it_is_void_and_may_come_back() -> None:
    tournament, _first, final = start_void_final()
    feed_entries = FeedEntry.objects.filter(
        kind="tournament-table", topic=final.game.topic, data__reason="void"
    )
    assert {line.player.name for line in feed_entries} == set(list_names(final))
    send_mails()
    name = next(
        loser_name for loser_name in list_names(final) if loser_name in list_names(get_final(tournament))
    )
    out = next(loser_name for loser_name in list_names(final) if loser_name != name)
    for finalist in (name, out):
        assert ("tournament-table", "The cup: Your table no longer counts") in list_sent(finalist)
    assert "If the result changes back, your table counts again." in get_last_body(out)

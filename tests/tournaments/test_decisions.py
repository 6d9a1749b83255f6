"""Organiser decisions: they are logged, the tournament is recomputed, and they can be undone while unused."""

from __future__ import annotations

from datetime import datetime

import pytest
from django.db import DatabaseError, connection, transaction

from common.service_errors import Conflict, Denied, Invalid, NotFound
from games import engine
from games.models import Game
from games.selectors import load_game
from games.services import clocks, game_audit, seat_settings, turns
from notifications.models import FeedEntry
from tests.factories.events import (
    DAY,
    HOUR,
    NOW,
    create_started_tournament,
    decide,
    entrant,
    find_pairing_of,
    get_host,
    get_player,
    list_running_pairings,
    name_at,
    play,
    play_round,
    play_to_end,
    published,
    ranking,
    replace,
)
from tournaments.models import Decision, Pairing, Tournament
from tournaments.pairing import PlannedRound, TournamentFinished, WaitingForResults
from tournaments.services import decision_undo, decisions, entries, sweep

pytestmark = pytest.mark.django_db


def list_names(table: Pairing) -> list[str]:
    """Return the names of a pairing in seat order."""
    return [name_at(table, place) for place in range(table.pairing_seats.count())]


def undo_decision(tournament: Tournament, decision: Decision, now: datetime = NOW) -> Decision:
    return decision_undo.undo_decision(
        by=get_host(), code=tournament.code, decision=decision.pk, now=now, confirmed=True
    )


# ---------------------------------------------------------------------------------------------------- results


def test_a_corrected_result_changes_the_standings() -> None:
    tournament = create_started_tournament("swiss", 2, round_count=1)
    play_round(tournament, NOW)
    assert tournament.status == "finished"
    first, second = ranking(tournament)
    decide(tournament.pairings.get(), second, first)
    tournament.refresh_from_db()
    assert tournament.status == "running"
    sweep.sweep_tournaments(now=NOW)
    tournament.refresh_from_db()
    assert tournament.status == "finished"
    assert ranking(tournament) == [second, first]
    assert entrant(tournament, second).rank == 1
    decision = tournament.decisions.get()
    assert decision.created_by == get_host()
    assert decision.before["result"]["by"] == "game"
    assert decision.after["result"]["by"] == "organiser"
    undo_decision(tournament, decision)
    sweep.sweep_tournaments(now=NOW)
    assert ranking(tournament) == [first, second]
    with pytest.raises(Conflict):
        undo_decision(tournament, decision)
    assert [line.action for line in tournament.decisions.order_by("pk")] == ["correct", "undo-correct"]


def test_what_follows_from_a_corrected_result_is_played_anew_by_those_who_are_there_now() -> None:
    tournament = create_started_tournament("knockout", 4, hold_on_warnings=True)
    first, second = list_running_pairings(tournament)
    winner, loser = list_names(first)
    decide(first, winner, loser)
    decide(second, *list_names(second))
    sweep.sweep_tournaments(now=NOW)
    final = tournament.pairings.get(match="R2.1")
    assert final.game
    assert winner in list_names(final)
    decide(first, loser, winner)
    sweep.sweep_tournaments(now=NOW)
    tournament.refresh_from_db()
    assert (
        tournament.hold_reason == "stale-result"
    )  # the organiser must approve before a running final is discarded
    decisions.approve_round(by=get_host(), code=tournament.code, now=NOW)
    sweep.sweep_tournaments(now=NOW)
    final.refresh_from_db()
    assert final.is_void
    assert not Game.objects.get(pk=final.game.pk).rated
    replayed = tournament.pairings.get(match="R2.1", is_void=False)
    assert replayed.attempt == 2
    assert loser in list_names(replayed)
    play(replayed)
    sweep.sweep_tournaments(now=NOW)
    tournament.refresh_from_db()
    assert tournament.status == "finished"
    assert entrant(tournament, winner).rank == 3


def test_a_correction_from_which_nothing_followed_can_be_taken_back() -> None:
    tournament = create_started_tournament("knockout", 4, hold_on_warnings=True)
    first, second = list_running_pairings(tournament)
    decide(first, *list_names(first))
    correction = tournament.decisions.get()
    undo_decision(tournament, correction)
    first.refresh_from_db()
    assert (first.result, first.settled_at) == (None, None)
    assert first.game
    assert Game.objects.get(pk=first.game.pk).rated
    play(first)
    decide(second, *list_names(second))
    correction = tournament.decisions.order_by("-pk")[0]
    sweep.sweep_tournaments(now=NOW)
    assert tournament.pairings.filter(match="R2.1").exists()
    with pytest.raises(Conflict):  # the final is running
        undo_decision(tournament, correction)


@pytest.mark.parametrize(
    "wrong",
    [{"ranks": [1]}, {"ranks": [2, 2]}, {"ranks": [1, 3]}, {"ranks": [1, 2], "points": [1]},
     {"ranks": [1, 2], "points": [-1, 2]}, {"ranks": [1, 2], "forfeits": [0]}],
    ids=str,
)  # fmt: skip
def test_a_result_must_be_one(wrong: dict[str, list[int]]) -> None:
    tournament = create_started_tournament("swiss", 2)
    (table,) = list_running_pairings(tournament)
    wanted = {"by": get_host(), "code": tournament.code, "pairing_id": table.pk, "now": NOW}
    with pytest.raises(Invalid):
        decisions.correct_result(**wanted | wrong)  # type: ignore[arg-type]
    with pytest.raises(NotFound):
        decisions.correct_result(by=get_host(), code=tournament.code, pairing_id=0, ranks=[1, 2], now=NOW)
    with pytest.raises(Denied):
        decisions.correct_result(
            by=get_player("p1"), code=tournament.code, pairing_id=table.pk, ranks=[1, 2], now=NOW
        )


def test_a_decision_is_never_changed() -> None:
    tournament = create_started_tournament("swiss", 2)
    decide(list_running_pairings(tournament)[0], "p1", "p2")
    with pytest.raises(DatabaseError, match="never changed"), transaction.atomic():
        tournament.decisions.update(reason="otherwise")
    tournament.decisions.update(created_by=None)  # as after the deletion of the account
    assert connection.vendor == "postgresql"


# --------------------------------------------------------------------------------------------------- entrants


def test_who_is_disqualified_loses_what_runs_and_the_rest() -> None:
    tournament = create_started_tournament("swiss", 4)
    cheat = entrant(tournament, "p3")
    decision = decisions.disqualify_entrant(
        by=get_host(), code=tournament.code, entrant=cheat.pk, now=NOW, reason="two accounts"
    )
    sweep.sweep_tournaments(now=NOW)
    assert find_pairing_of(tournament, "p3").result["forfeits"] == [cheat.pk]  # type: ignore[index]
    play_to_end(tournament)
    cheat.refresh_from_db()
    assert (cheat.status, cheat.left_after_round, cheat.rank) == ("disqualified", 1, 4)
    assert cheat.pairing_seats.count() == 1
    with pytest.raises(Conflict):
        undo_decision(tournament, decision)
    with pytest.raises(Conflict):
        decisions.disqualify_entrant(by=get_host(), code=tournament.code, entrant=cheat.pk, now=NOW)


def test_who_was_disqualified_between_games_can_be_readmitted() -> None:
    tournament = create_started_tournament("knockout", 4)
    first = list_running_pairings(tournament)[0]
    winner, loser = list_names(first)
    decide(first, winner, loser)
    sweep.sweep_tournaments(now=NOW)
    decision = decisions.disqualify_entrant(
        by=get_host(), code=tournament.code, entrant=entrant(tournament, winner).pk, now=NOW
    )
    sweep.sweep_tournaments(now=NOW)
    undo_decision(tournament, decision)
    assert entrant(tournament, winner).status == "entered"
    play_to_end(tournament)
    assert entrant(tournament, winner).rank in (1, 2)


def test_a_replacement_plays_on_with_the_same_hand_and_the_same_clock() -> None:
    tournament = create_started_tournament("knockout", 2, cards=True, target=24)
    (table,) = list_running_pairings(tournament)
    assert table.game
    code = table.game.code
    loaded_game = load_game(code)
    seat = loaded_game.to_act[0]
    old = loaded_game.seat_by_no(seat).player
    assert old
    assert loaded_game.state
    hand, seat_clock = loaded_game.state.hands[seat], clocks.seat_clock_of(loaded_game.game, seat)
    later = NOW + 5 * HOUR
    decision = replace(tournament, old.name, "sub", later)
    loaded_game = load_game(code)
    assert loaded_game.seat_by_no(seat).player == get_player("sub")
    assert loaded_game.state
    assert loaded_game.state.hands[seat] == hand
    after = clocks.seat_clock_of(loaded_game.game, seat)
    assert after.turn_seq == seat_clock.turn_seq
    assert loaded_game.game.deadline == table.game.deadline
    line = FeedEntry.objects.get(player=get_player("sub"), kind="turn")
    assert (line.data["game"], line.notify_at) == (code, later)
    undo_decision(tournament, decision, later)
    assert load_game(code).seat_by_no(seat).player == old
    decision = replace(tournament, old.name, "sub", later)
    action = engine.legal_actions(loaded_game.state, seat)[0]
    with pytest.raises(Denied, match="Take the seat"):
        turns.play_action(player=get_player("sub"), code=code, text=action, seq=0, key="", now=later)
    seat_settings.take_seat(player=get_player("sub"), code=code, now=later)
    with pytest.raises(Conflict):  # the substitute has seen the hand
        undo_decision(tournament, decision, later)
    turns.play_action(player=get_player("sub"), code=code, text=action, seq=0, key="", now=later)
    with pytest.raises(Conflict):
        undo_decision(tournament, decision, later)
    table.game.refresh_from_db()
    play(table, later)
    sweep.sweep_tournaments(now=later)
    assert entrant(tournament, "sub").rank in (1, 2)
    assert game_audit.audit_game(Game.objects.select_related("secrets").get(code=code)) is None


def test_one_of_a_pair_can_be_replaced_and_nobody_sits_twice() -> None:
    tournament = create_started_tournament("knockout", 2, mode="pairs")
    with pytest.raises(Conflict):
        replace(tournament, "a1", "a2")
    replace(tournament, "a1", "sub", position=2)
    (table,) = list_running_pairings(tournament)
    assert table.game
    place = list_names(table).index("a1")
    seats = {seat.seat_no: seat.player.name for seat in table.game.seats.all() if seat.player}
    assert (seats[place + 1], seats[place + 3]) == ("a1", "sub")
    with pytest.raises(NotFound):
        replace(tournament, "a1", "x", position=3)


# ----------------------------------------------------------------------------------------------------- rounds


def test_a_round_can_be_extended_and_that_taken_back() -> None:
    tournament = create_started_tournament("swiss", 2, round_length=86400, time_control="12h")
    decision = decisions.extend_round(
        by=get_host(), code=tournament.code, round_number=1, until=NOW + 3 * DAY, now=NOW
    )
    sweep.sweep_tournaments(now=NOW)
    tournament.refresh_from_db()
    assert tournament.next_sweep_at == NOW + 3 * DAY
    assert not sweep.sweep_tournaments(now=NOW + 2 * DAY)
    with pytest.raises(Conflict):  # its former end has passed
        undo_decision(tournament, decision, NOW + 2 * DAY)
    undo_decision(tournament, decision)
    assert tournament.rounds.get().ends_at == NOW + DAY
    assert sweep.sweep_tournaments(now=NOW + 2 * DAY)["adjudicated"] == 1
    with pytest.raises(Conflict):
        decisions.extend_round(
            by=get_host(), code=tournament.code, round_number=9, until=NOW + 3 * DAY, now=NOW
        )
    tournament = create_started_tournament("swiss", 2)
    with pytest.raises(Invalid):
        decisions.extend_round(by=get_host(), code=tournament.code, round_number=1, until=NOW, now=NOW)


def test_a_preview_stores_nothing_and_is_what_comes() -> None:
    tournament = create_started_tournament("swiss", 4, round_count=2, hold_on_warnings=True)
    waiting = decisions.preview_next_round(by=get_host(), code=tournament.code, now=NOW)
    assert isinstance(waiting, WaitingForResults)
    Tournament.objects.filter(pk=tournament.pk).update(hold_reason="organiser")
    for table in list_running_pairings(tournament):
        decide(table, *list_names(table))
    before = list(Pairing.objects.values()), list(Tournament.objects.values())
    coming = decisions.preview_next_round(by=get_host(), code=tournament.code, now=NOW)
    assert isinstance(coming, PlannedRound)
    assert before == (list(Pairing.objects.values()), list(Tournament.objects.values()))
    sweep.sweep_tournaments(now=NOW)
    pairings = {(table.match, tuple(s.entrant_id for s in table.pairing_seats.order_by("seat_no")))
            for table in tournament.pairings.filter(bracket_round=2)}  # fmt: skip
    assert pairings == {(pairing.match, pairing.seats) for pairing in coming.pairings}
    for table in list_running_pairings(tournament):
        decide(table, *list_names(table))
    assert isinstance(
        decisions.preview_next_round(by=get_host(), code=tournament.code, now=NOW), TournamentFinished
    )
    with pytest.raises(Denied):
        decisions.preview_next_round(by=get_player("p1"), code=tournament.code, now=NOW)


def test_before_the_start_a_replacement_takes_the_place() -> None:
    tournament = published("swiss", 2)
    replace(tournament, "p1", "sub")
    with pytest.raises(Denied):
        entries.leave_tournament(player=get_player("p1"), code=tournament.code, now=NOW)
    entries.leave_tournament(player=get_player("sub"), code=tournament.code, now=NOW)
    with pytest.raises(Conflict):
        decisions.disqualify_entrant(
            by=get_host(), code=tournament.code, entrant=entrant(tournament, "p2").pk, now=NOW
        )

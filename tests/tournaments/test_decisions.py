"""What organisers decide: logged, worked out anew, and taken back where nothing followed."""

from __future__ import annotations

from datetime import datetime

import pytest
from django.db import DatabaseError, connection, transaction

from games import engine
from games.models import FeedEntry, Game
from games.selectors import load_game
from games.services import clocks, game_audit, seat_settings, turns
from games.services.errors import Conflict, Denied, Invalid, NotFound
from tournaments.models import Decision, Pairing, Tournament
from tournaments.pairing import PlannedRound, TournamentFinished, WaitingForResults
from tournaments.services import decision_undo, decisions, entries, sweep

from .play import (
    DAY,
    HOUR,
    NOW,
    decide,
    entrant,
    host,
    name_at,
    play,
    play_round,
    play_to_end,
    playing,
    published,
    ranking,
    replace,
    someone,
    started,
    table_of,
)

pytestmark = pytest.mark.django_db


def names(table: Pairing) -> list[str]:
    """Who sits at a table."""
    return [name_at(table, place) for place in range(table.sittings.count())]


def undo(event: Tournament, decision: Decision, now: datetime = NOW) -> Decision:
    return decision_undo.undo_decision(
        by=host(), code=event.code, decision=decision.pk, now=now, confirmed=True
    )


# ---------------------------------------------------------------------------------------------------- results


def test_a_corrected_result_changes_the_standings() -> None:
    event = started("swiss", 2, rounds=1)
    play_round(event, NOW)
    assert event.status == "finished"
    first, second = ranking(event)
    decide(event.tables.get(), second, first)
    event.refresh_from_db()
    assert event.status == "running"
    sweep.sweep_tournaments(now=NOW)
    event.refresh_from_db()
    assert event.status == "finished"
    assert ranking(event) == [second, first]
    assert entrant(event, second).rank == 1
    decision = event.decisions.get()
    assert decision.by == host()
    assert decision.before["result"]["by"] == "game"
    assert decision.after["result"]["by"] == "organiser"
    undo(event, decision)
    sweep.sweep_tournaments(now=NOW)
    assert ranking(event) == [first, second]
    with pytest.raises(Conflict):
        undo(event, decision)
    assert [line.what for line in event.decisions.order_by("pk")] == ["correct", "undo-correct"]


def test_what_follows_from_a_corrected_result_is_played_anew_by_those_who_are_there_now() -> None:
    event = started("knockout", 4, ask=True)
    first, second = playing(event)
    winner, loser = names(first)
    decide(first, winner, loser)
    decide(second, *names(second))
    sweep.sweep_tournaments(now=NOW)
    final = event.tables.get(match="R2.1")
    assert final.game
    assert winner in names(final)
    decide(first, loser, winner)
    sweep.sweep_tournaments(now=NOW)
    event.refresh_from_db()
    assert event.held == "stale-result"  # the organiser is asked before a final that runs is thrown away
    decisions.approve_round(by=host(), code=event.code, now=NOW)
    sweep.sweep_tournaments(now=NOW)
    final.refresh_from_db()
    assert final.void
    assert not Game.objects.get(pk=final.game.pk).rated
    again = event.tables.get(match="R2.1", void=False)
    assert again.attempt == 2
    assert loser in names(again)
    play(again)
    sweep.sweep_tournaments(now=NOW)
    event.refresh_from_db()
    assert event.status == "finished"
    assert entrant(event, winner).rank == 3


def test_a_correction_from_which_nothing_followed_can_be_taken_back() -> None:
    event = started("knockout", 4, ask=True)
    first, second = playing(event)
    decide(first, *names(first))
    correction = event.decisions.get()
    undo(event, correction)
    first.refresh_from_db()
    assert (first.result, first.settled_at) == (None, None)
    assert first.game
    assert Game.objects.get(pk=first.game.pk).rated
    play(first)
    decide(second, *names(second))
    correction = event.decisions.order_by("-pk")[0]
    sweep.sweep_tournaments(now=NOW)
    assert event.tables.filter(match="R2.1").exists()
    with pytest.raises(Conflict):  # the final has begun
        undo(event, correction)


@pytest.mark.parametrize(
    "wrong",
    [{"ranks": [1]}, {"ranks": [2, 2]}, {"ranks": [1, 3]}, {"ranks": [1, 2], "points": [1]},
     {"ranks": [1, 2], "points": [-1, 2]}, {"ranks": [1, 2], "forfeits": [0]}],
    ids=str,
)  # fmt: skip
def test_a_result_must_be_one(wrong: dict[str, list[int]]) -> None:
    event = started("swiss", 2)
    (table,) = playing(event)
    with pytest.raises(Invalid):
        decisions.correct_result(**{"by": host(), "code": event.code, "table": table.pk, "now": NOW} | wrong)  # type: ignore[arg-type]
    with pytest.raises(NotFound):
        decisions.correct_result(by=host(), code=event.code, table=0, ranks=[1, 2], now=NOW)
    with pytest.raises(Denied):
        decisions.correct_result(by=someone("p1"), code=event.code, table=table.pk, ranks=[1, 2], now=NOW)


def test_a_decision_is_never_changed() -> None:
    event = started("swiss", 2)
    decide(playing(event)[0], "p1", "p2")
    with pytest.raises(DatabaseError, match="never changed"), transaction.atomic():
        event.decisions.update(why="otherwise")
    event.decisions.update(by=None)  # as when an account is deleted
    assert connection.vendor == "postgresql"


# --------------------------------------------------------------------------------------------------- entrants


def test_who_is_disqualified_loses_what_runs_and_the_rest() -> None:
    event = started("swiss", 4)
    cheat = entrant(event, "p3")
    decision = decisions.disqualify_entrant(
        by=host(), code=event.code, entrant=cheat.pk, now=NOW, why="two accounts"
    )
    sweep.sweep_tournaments(now=NOW)
    assert table_of(event, "p3").result["forfeits"] == [cheat.pk]  # type: ignore[index]
    play_to_end(event)
    cheat.refresh_from_db()
    assert (cheat.status, cheat.left, cheat.rank) == ("disqualified", 1, 4)
    assert cheat.sittings.count() == 1
    with pytest.raises(Conflict):
        undo(event, decision)
    with pytest.raises(Conflict):
        decisions.disqualify_entrant(by=host(), code=event.code, entrant=cheat.pk, now=NOW)


def test_who_was_disqualified_between_games_can_be_readmitted() -> None:
    event = started("knockout", 4)
    first = playing(event)[0]
    winner, loser = names(first)
    decide(first, winner, loser)
    sweep.sweep_tournaments(now=NOW)
    decision = decisions.disqualify_entrant(
        by=host(), code=event.code, entrant=entrant(event, winner).pk, now=NOW
    )
    sweep.sweep_tournaments(now=NOW)
    undo(event, decision)
    assert entrant(event, winner).status == "entered"
    play_to_end(event)
    assert entrant(event, winner).rank in (1, 2)


def test_a_replacement_plays_on_with_the_same_hand_and_the_same_clock() -> None:
    event = started("knockout", 2, cards=True, target=24)
    (table,) = playing(event)
    assert table.game
    code = table.game.code
    found = load_game(code)
    seat = found.to_act[0]
    old = found.seat_by_no(seat).player
    assert old
    assert found.state
    hand, seat_clock = found.state.hands[seat], clocks.seat_clock_of(found.game, seat)
    later = NOW + 5 * HOUR
    decision = replace(event, old.name, "sub", later)
    found = load_game(code)
    assert found.seat_by_no(seat).player == someone("sub")
    assert found.state
    assert found.state.hands[seat] == hand
    after = clocks.seat_clock_of(found.game, seat)
    assert after.turn_seq == seat_clock.turn_seq
    assert found.game.deadline == table.game.deadline
    line = FeedEntry.objects.get(player=someone("sub"), kind="turn")
    assert (line.data["game"], line.due_at) == (code, later)
    undo(event, decision, later)
    assert load_game(code).seat_by_no(seat).player == old
    decision = replace(event, old.name, "sub", later)
    action = engine.legal_actions(found.state, seat)[0]
    with pytest.raises(Denied, match="take the seat"):
        turns.play_action(player=someone("sub"), code=code, text=action, seq=0, key="", now=later)
    seat_settings.take_seat(player=someone("sub"), code=code, now=later)
    with pytest.raises(Conflict):  # they have seen the hand
        undo(event, decision, later)
    turns.play_action(player=someone("sub"), code=code, text=action, seq=0, key="", now=later)
    with pytest.raises(Conflict):
        undo(event, decision, later)
    table.game.refresh_from_db()
    play(table, later)
    sweep.sweep_tournaments(now=later)
    assert entrant(event, "sub").rank in (1, 2)
    assert game_audit.audit_game(Game.objects.select_related("secret").get(code=code)) is None


def test_one_of_a_pair_can_be_replaced_and_nobody_sits_twice() -> None:
    event = started("knockout", 2, mode="pairs")
    with pytest.raises(Conflict):
        replace(event, "a1", "a2")
    replace(event, "a1", "sub", number=2)
    (table,) = playing(event)
    assert table.game
    place = names(table).index("a1")
    seats = {seat.number: seat.player.name for seat in table.game.places.all() if seat.player}
    assert (seats[place + 1], seats[place + 3]) == ("a1", "sub")
    with pytest.raises(NotFound):
        replace(event, "a1", "x", number=3)


# ----------------------------------------------------------------------------------------------------- rounds


def test_a_round_can_be_extended_and_that_taken_back() -> None:
    event = started("swiss", 2, round_length=86400, clock_name="12h")
    decision = decisions.extend_round(
        by=host(), code=event.code, round_number=1, until=NOW + 3 * DAY, now=NOW
    )
    sweep.sweep_tournaments(now=NOW)
    event.refresh_from_db()
    assert event.due_at == NOW + 3 * DAY
    assert not sweep.sweep_tournaments(now=NOW + 2 * DAY)
    with pytest.raises(Conflict):  # its old end has passed
        undo(event, decision, NOW + 2 * DAY)
    undo(event, decision)
    assert event.published.get().ends_at == NOW + DAY
    assert sweep.sweep_tournaments(now=NOW + 2 * DAY)["adjudicated"] == 1
    with pytest.raises(Conflict):
        decisions.extend_round(by=host(), code=event.code, round_number=9, until=NOW + 3 * DAY, now=NOW)
    event = started("swiss", 2)
    with pytest.raises(Invalid):
        decisions.extend_round(by=host(), code=event.code, round_number=1, until=NOW, now=NOW)


def test_a_preview_stores_nothing_and_is_what_comes() -> None:
    event = started("swiss", 4, rounds=2, ask=True)
    waiting = decisions.preview_next_round(by=host(), code=event.code, now=NOW)
    assert isinstance(waiting, WaitingForResults)
    Tournament.objects.filter(pk=event.pk).update(held="organiser")
    for table in playing(event):
        decide(table, *names(table))
    before = list(Pairing.objects.values()), list(Tournament.objects.values())
    coming = decisions.preview_next_round(by=host(), code=event.code, now=NOW)
    assert isinstance(coming, PlannedRound)
    assert before == (list(Pairing.objects.values()), list(Tournament.objects.values()))
    sweep.sweep_tournaments(now=NOW)
    made = {(table.match, tuple(s.entrant_id for s in table.sittings.order_by("number")))
            for table in event.tables.filter(round=2)}  # fmt: skip
    assert made == {(pairing.match, pairing.seats) for pairing in coming.pairings}
    for table in playing(event):
        decide(table, *names(table))
    assert isinstance(decisions.preview_next_round(by=host(), code=event.code, now=NOW), TournamentFinished)
    with pytest.raises(Denied):
        decisions.preview_next_round(by=someone("p1"), code=event.code, now=NOW)


def test_before_the_start_a_replacement_takes_the_place() -> None:
    event = published("swiss", 2)
    replace(event, "p1", "sub")
    with pytest.raises(Denied):
        entries.leave_tournament(player=someone("p1"), code=event.code, now=NOW)
    entries.leave_tournament(player=someone("sub"), code=event.code, now=NOW)
    with pytest.raises(Conflict):
        decisions.disqualify_entrant(by=host(), code=event.code, entrant=entrant(event, "p2").pk, now=NOW)

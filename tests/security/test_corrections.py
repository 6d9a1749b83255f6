"""Corrections discard no game without confirmation, deal no new one, and can be undone without loss."""

from __future__ import annotations

import pytest
from django.test import Client
from django.utils import timezone

from common.service_errors import Conflict
from games.models import Game, SeatHandover
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
    HOUR,
    NOW,
    add_organiser,
    create_started_tournament,
    decide,
    entrant,
    get_host,
    get_player,
    list_running_pairings,
    play,
    replace,
)
from tests.helpers.tournament_programs import Program
from tournaments.models import Pairing
from tournaments.selectors import tournament_state
from tournaments.services import decision_undo, decisions, entries, sweep

pytestmark = pytest.mark.django_db


# ----------------------------------------------------------------------------- correction and undoing


def test_a_result_that_is_corrected_to_and_fro_brings_the_same_games_back() -> None:
    tournament, first, _second, final = start_final()
    winner, loser = list_names(first)
    assert final.game
    decide(first, loser, winner)
    sweep_tournament(tournament)
    other = get_final(tournament)
    assert (other.pk != final.pk, other.attempt) == (True, 2)
    assert Game.objects.get(pk=final.game.pk).rated is False
    for _attempt in range(2):
        decide(first, winner, loser)
        sweep_tournament(tournament)
        assert get_final(tournament).pk == final.pk
        decide(first, loser, winner)
        sweep_tournament(tournament)
        assert get_final(tournament).pk == other.pk
    decide(first, winner, loser)
    sweep_tournament(tournament)
    final.refresh_from_db()
    assert (final.attempt, final.settled_at, final.is_void) == (1, None, False)
    assert Game.objects.get(pk=final.game.pk).rated
    assert Game.objects.get(pk=other.game_id).rated is False
    assert set(tournament.pairings.filter(match="R2.1").values_list("attempt", flat=True)) == {1, 2}
    assert Game.objects.count() == 4
    play(final)
    assert sweep_tournament(tournament).status == "finished"
    final.refresh_from_db()
    assert final.result
    assert final.result["by"] == "game"


def test_a_final_that_was_over_comes_back_with_its_result() -> None:
    tournament, first, _second, final = start_final()
    running = create_started_tournament("knockout", 2)  # another tournament, which must not change
    winner, loser = list_names(first)
    play(final)
    # The tournament ends before the correction, but its seed stays secret while a game is played on.
    decide(first, winner, loser)
    games = [pairing.game for pairing in (first,) if pairing.game]
    assert games[0].status == "running"
    sweep_tournament(tournament)
    final.refresh_from_db()
    result = final.result
    decide(first, loser, winner)
    sweep_tournament(tournament)
    assert get_final(tournament).pk != final.pk
    decide(first, winner, loser)
    sweep_tournament(tournament)
    final.refresh_from_db()
    assert (final.is_void, final.result) == (False, result)
    assert tournament.status == "finished"
    assert list_running_pairings(running)


def list_ranks(table: Pairing, *order: str) -> list[int]:
    return [order.index(name) + 1 for name in list_names(table)]


def test_those_at_a_table_that_comes_back_are_notified_and_have_a_round_that_lasts() -> None:
    tournament, first, _second, final = start_final(round_length=86400, time_control="12h")
    winner, loser = list_names(first)
    decide(first, loser, winner)
    sweep_tournament(tournament)
    later = NOW + 3 * DAY
    FeedEntry.objects.all().delete()
    decide(first, winner, loser, now=later)
    sweep.sweep_tournaments(now=later)
    final.refresh_from_db()
    assert (final.is_void, final.settled_at, final.round.ends_at) == (False, None, later + DAY)
    assert final.game.round_ends_at == later + DAY, "its players are shown the end of the new round"
    feed_entries = FeedEntry.objects.filter(kind="tournament-pairing", topic=final.game.topic)
    assert {line.player.name for line in feed_entries} == set(list_names(final))
    sweep.sweep_tournaments(now=later + HOUR)
    final.refresh_from_db()
    assert final.result is None  # not adjudicated at the end of the round in which it began


def test_who_plays_for_an_entrant_by_now_sits_at_the_table_that_comes_back() -> None:
    tournament, first, _second, final = start_final()
    winner, loser = list_names(first)
    decide(first, loser, winner)
    sweep_tournament(tournament)
    replace(tournament, winner, "new")
    decide(first, "new", loser)
    sweep_tournament(tournament)
    assert get_final(tournament).pk == final.pk
    assert final.game
    assert set(final.game.seats.values_list("player__name", flat=True)) == {*list_names(final)} >= {"new"}
    assert SeatHandover.objects.get(game=final.game).successor == get_player("new")
    assert tournament_state.get_entrant_name_at_pairing(entrant(tournament, "new"), final) == "new"
    assert tournament_state.get_entrant_name_at_pairing(entrant(tournament, "new"), first) == winner


def test_who_sat_at_a_void_game_takes_over_neither_side_of_it() -> None:
    """Otherwise the pairing could not be restored, and two corrections would deal a new game."""
    tournament, first, _second, final = start_final()
    winner, loser = list_names(first)
    rival = next(name for name in list_names(final) if name != winner)
    replace(tournament, rival, "later")  # rival has seen a hand of the final and leaves
    decide(first, loser, winner)
    sweep_tournament(tournament)
    with pytest.raises(Conflict, match="sat at this table before"):
        replace(tournament, winner, rival)
    decide(first, winner, loser)
    sweep_tournament(tournament)
    assert (get_final(tournament).pk, get_final(tournament).attempt) == (final.pk, 1)
    assert sweep_tournament(tournament).last_error == ""


def test_a_friend_who_holds_a_place_for_a_while_buys_no_new_deal() -> None:
    """Replacement and correction are both undone: players and game are the original ones."""
    tournament, first, _second, final = start_final()
    winner, loser = list_names(first)
    games = Game.objects.count()
    replace(tournament, winner, "friend")
    decide(first, loser, "friend")
    sweep_tournament(tournament)
    with pytest.raises(Conflict, match="sat at this table before"):
        replace(tournament, "friend", winner)
    decide(first, "friend", loser)
    sweep_tournament(tournament)
    assert (get_final(tournament).pk, get_final(tournament).attempt) == (final.pk, 1)
    assert Game.objects.count() == games + 1, "the one that the other finalist has begun meanwhile"
    assert set(tournament.pairings.filter(match="R2.1").values_list("attempt", flat=True)) == {1, 2}


def test_a_table_that_those_who_play_by_now_cannot_sit_at_is_decided_by_the_organiser() -> None:
    """In such a state, however it arose, no new game is dealt."""
    tournament, first, _second, final = start_final()
    winner, loser = list_names(first)
    rival = next(name for name in list_names(final) if name != winner)
    replace(tournament, rival, "later")
    decide(first, loser, winner)
    sweep_tournament(tournament)
    tournament.entrant_players.filter(player__name=winner).update(
        player=get_player(rival)
    )  # no entry point allows this
    decide(first, rival, loser)
    sweep_tournament(tournament)
    assert (get_final(tournament).pk, tournament.hold_reason, tournament.last_error) == (
        final.pk,
        "undecided-table",
        "",
    )


# ------------------------------------------------------------------------------ confirmation before the end


def test_an_end_that_throws_tables_away_waits_for_the_organiser() -> None:
    tournament = create_started_tournament("double", 2, hold_on_warnings=True)
    (opening,) = list_running_pairings(tournament)
    upper, lower = list_names(opening)
    decide(opening, upper, lower)
    sweep_tournament(tournament)
    (first_final,) = list_running_pairings(tournament)
    decide(first_final, lower, upper)  # causes a second final
    sweep_tournament(tournament)
    (second_final,) = list_running_pairings(tournament)
    decide(first_final, upper, lower)  # makes the second final unnecessary
    sweep_tournament(tournament)
    assert (tournament.status, tournament.hold_reason) == ("running", "stale-at-end")
    second_final.refresh_from_db()
    assert (second_final.is_void, second_final.settled_at) == (False, None)
    (entry,) = FeedEntry.objects.filter(kind="tournament-held", player=get_host())
    assert entry.data["warnings"][0]["match"] == second_final.match
    client = Client()
    client.force_login(get_host())
    at = f"/tournaments/{tournament.code}/organise/"
    page = client.get(at).content.decode()
    assert "The end needs your decision" in page
    assert "Review pairings" not in page
    page = client.post(f"{at}proceed/", follow=True).content.decode()
    assert "The tournament ends in a moment." in page
    sweep.sweep_tournaments(now=timezone.now() + HOUR)
    tournament.refresh_from_db()
    second_final.refresh_from_db()
    assert (tournament.status, second_final.is_void) == ("finished", True)


def test_an_end_after_somebody_left_waits_for_nobody() -> None:
    """A rematch that is no longer played does not count as a correction."""
    tournament = create_started_tournament("knockout", 2, hold_on_warnings=True)
    (table,) = list_running_pairings(tournament)
    decisions.correct_result(by=get_host(), code=tournament.code, pairing_id=table.pk, ranks=[1, 1], now=NOW)
    sweep_tournament(tournament)
    (rematch,) = list_running_pairings(tournament)
    assert rematch.game_number == 2
    entries.withdraw_from_tournament(player=get_player("p1"), code=tournament.code, now=NOW)
    sweep_tournament(tournament)
    assert (tournament.status, tournament.hold_reason) == ("finished", "")
    assert entrant(tournament, "p2").rank == 1


# ------------------------------------------------------------------------------------ conflicts of interest


def test_nobody_corrects_a_result_by_which_their_own_table_becomes_void() -> None:
    tournament, first, second, final = start_final()
    winner, loser = list_names(first)
    finalist = get_player(list_names(second)[0])
    assert finalist.name in list_names(final)
    add_organiser(tournament, finalist.name)
    before = list(Pairing.objects.order_by("pk").values())
    body = {"pairing": first.pk, "ranks": list_ranks(first, loser, winner)}
    assert Program(finalist.name).refused(f"tournaments/{tournament.code}/correct/", body) == (
        403,
        "own-table",
    )
    assert list(Pairing.objects.order_by("pk").values()) == before
    assert tournament.decisions.filter(created_by=finalist, action="correct").count() == 0
    decisions.correct_result(
        by=get_host(),
        code=tournament.code,
        pairing_id=first.pk,
        ranks=list_ranks(first, loser, winner),
        now=NOW,
    )


def test_nobody_takes_back_a_correction_by_which_their_own_table_becomes_void() -> None:
    tournament, first, second, final = start_final()
    winner, loser = list_names(first)
    finalist = get_player(list_names(second)[0])
    add_organiser(tournament, finalist.name)
    decide(first, loser, winner)
    sweep_tournament(tournament)
    decide(first, winner, loser)
    sweep_tournament(tournament)  # restores the first final; no newer pairing has followed
    assert get_final(tournament).pk == final.pk
    decision = tournament.decisions.order_by("-pk")[0]
    path = f"tournaments/{tournament.code}/decisions/{decision.pk}/undo/"
    assert Program(finalist.name).refused(path) == (403, "own-table")
    decision_undo.undo_decision(by=get_host(), code=tournament.code, decision=decision.pk, now=NOW)


def test_a_correction_of_a_game_that_was_played_on_is_not_taken_back() -> None:
    tournament = create_started_tournament("knockout", 4)
    first = list_running_pairings(tournament)[0]
    assert first.game
    decide(first, *list_names(first))
    decision = tournament.decisions.get()
    play_clock_action(list_names(first)[1], first.game)  # the result is decided: this action must not count
    with pytest.raises(Conflict, match="can no longer undo this"):
        decision_undo.undo_decision(by=get_host(), code=tournament.code, decision=decision.pk, now=NOW)
    first.refresh_from_db()
    assert first.result
    assert first.result["by"] == "organiser"

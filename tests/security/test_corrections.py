"""A correction throws no game away unasked, deals none anew, and is taken back where nobody loses by it."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from games.models import FeedEntry, Game, SeatHandover
from games.services import turns
from games.services.errors import Conflict
from tests.tournaments.play import (
    DAY,
    HOUR,
    NOW,
    add_organiser,
    decide,
    entrant,
    host,
    name_at,
    play,
    playing,
    replace,
    someone,
    started,
)
from tests.tournaments.programs import Program
from tournaments.models import Pairing, Tournament
from tournaments.selectors import tournament_state
from tournaments.services import decision_undo, decisions, entries, sweep

pytestmark = pytest.mark.django_db


def names(table: Pairing) -> list[str]:
    """Who sits at a table, in the order of the seats."""
    return [name_at(table, place) for place in range(table.sittings.count())]


def swept(event: Tournament) -> Tournament:
    sweep.sweep_tournaments(now=NOW)
    event.refresh_from_db()
    return event


def final_under_way(**fields: Any) -> tuple[Tournament, Pairing, Pairing, Pairing]:
    """A cup of four in its final: the event, the two tables before it, and the final."""
    event = started("knockout", 4, **fields)
    first, second = playing(event)
    decide(first, *names(first))
    decide(second, *names(second))
    swept(event)
    return event, first, second, event.tables.get(match="R2.1")


def final_of(event: Tournament) -> Pairing:
    return event.tables.get(match="R2.1", void=False)


def move(name: str, game: Game) -> None:
    """Whatever the clock would do, done by hand."""
    turns.play_action(player=someone(name), code=game.code, text="resign", seq=None, key="", now=NOW)


# ----------------------------------------------------------------------------------------- to and fro


def test_a_result_that_is_corrected_to_and_fro_brings_the_same_games_back() -> None:
    event, first, _second, final = final_under_way()
    winner, loser = names(first)
    assert final.game
    decide(first, loser, winner)
    swept(event)
    other = final_of(event)
    assert (other.pk != final.pk, other.attempt) == (True, 2)
    assert Game.objects.get(pk=final.game.pk).rated is False
    for _again in range(2):
        decide(first, winner, loser)
        swept(event)
        assert final_of(event).pk == final.pk
        decide(first, loser, winner)
        swept(event)
        assert final_of(event).pk == other.pk
    decide(first, winner, loser)
    swept(event)
    final.refresh_from_db()
    assert (final.attempt, final.settled_at, final.void) == (1, None, False)
    assert Game.objects.get(pk=final.game.pk).rated
    assert Game.objects.get(pk=other.game_id).rated is False
    assert set(event.tables.filter(match="R2.1").values_list("attempt", flat=True)) == {1, 2}
    assert Game.objects.count() == 4
    play(final)
    assert swept(event).status == "finished"
    final.refresh_from_db()
    assert final.result
    assert final.result["by"] == "game"


def test_a_final_that_was_over_comes_back_with_its_result() -> None:
    event, first, _second, final = final_under_way()
    running = started("knockout", 2)  # another event: nothing of it changes
    winner, loser = names(first)
    play(final)
    # The event is over before the correction, but its seed is not public while a game is played on.
    decide(first, winner, loser)
    games = [one.game for one in (first,) if one.game]
    assert games[0].status == "running"
    swept(event)
    final.refresh_from_db()
    result = final.result
    decide(first, loser, winner)
    swept(event)
    assert final_of(event).pk != final.pk
    decide(first, winner, loser)
    swept(event)
    final.refresh_from_db()
    assert (final.void, final.result) == (False, result)
    assert event.status == "finished"
    assert playing(running)


def ranks(table: Pairing, *order: str) -> list[int]:
    return [order.index(name) + 1 for name in names(table)]


def test_those_at_a_table_that_comes_back_are_told_and_have_a_round_that_lasts() -> None:
    event, first, _second, final = final_under_way(round_length=86400, clock_name="12h")
    winner, loser = names(first)
    decide(first, loser, winner)
    swept(event)
    later = NOW + 3 * DAY
    FeedEntry.objects.all().delete()
    decide(first, winner, loser, now=later)
    sweep.sweep_tournaments(now=later)
    final.refresh_from_db()
    assert (final.void, final.settled_at, final.published.ends_at) == (False, None, later + DAY)
    assert final.game.round_ends_at == later + DAY, "its players are shown the end of the new round"
    told = FeedEntry.objects.filter(kind="event-pairing", game=final.game)
    assert {line.player.name for line in told} == set(names(final))
    sweep.sweep_tournaments(now=later + HOUR)
    final.refresh_from_db()
    assert final.result is None  # it was not adjudicated by the end of the round that it began in


def test_who_plays_for_an_entrant_by_now_sits_at_the_table_that_comes_back() -> None:
    event, first, _second, final = final_under_way()
    winner, loser = names(first)
    decide(first, loser, winner)
    swept(event)
    replace(event, winner, "new")
    decide(first, "new", loser)
    swept(event)
    assert final_of(event).pk == final.pk
    assert final.game
    assert set(final.game.places.values_list("player__name", flat=True)) == {*names(final)} >= {"new"}
    assert SeatHandover.objects.get(game=final.game).successor == someone("new")
    assert tournament_state.get_entrant_name_at_pairing(entrant(event, "new"), final) == "new"
    assert tournament_state.get_entrant_name_at_pairing(entrant(event, "new"), first) == winner


def test_who_sat_at_a_void_game_takes_over_neither_side_of_it() -> None:
    """Else the table could not come back, and correcting to and fro would deal a new game."""
    event, first, _second, final = final_under_way()
    winner, loser = names(first)
    rival = next(name for name in names(final) if name != winner)
    replace(event, rival, "later")  # rival has seen a hand of the final, and leaves
    decide(first, loser, winner)
    swept(event)
    with pytest.raises(Conflict, match="sat at this table before"):
        replace(event, winner, rival)
    decide(first, winner, loser)
    swept(event)
    assert (final_of(event).pk, final_of(event).attempt) == (final.pk, 1)
    assert swept(event).trouble == ""


def test_a_friend_who_holds_a_place_for_a_while_buys_no_new_deal() -> None:
    """Replaced, made void, replaced back, corrected back: the same people, and the same game."""
    event, first, _second, final = final_under_way()
    winner, loser = names(first)
    games = Game.objects.count()
    replace(event, winner, "friend")
    decide(first, loser, "friend")
    swept(event)
    with pytest.raises(Conflict, match="sat at this table before"):
        replace(event, "friend", winner)
    decide(first, "friend", loser)
    swept(event)
    assert (final_of(event).pk, final_of(event).attempt) == (final.pk, 1)
    assert Game.objects.count() == games + 1, "the one that the other finalist has begun meanwhile"
    assert set(event.tables.filter(match="R2.1").values_list("attempt", flat=True)) == {1, 2}


def test_a_table_that_those_who_play_by_now_cannot_sit_at_is_decided_by_the_organiser() -> None:
    """However it came to that: no new game is dealt."""
    event, first, _second, final = final_under_way()
    winner, loser = names(first)
    rival = next(name for name in names(final) if name != winner)
    replace(event, rival, "later")
    decide(first, loser, winner)
    swept(event)
    event.members.filter(player__name=winner).update(player=someone(rival))  # no door allows it
    decide(first, rival, loser)
    swept(event)
    assert (final_of(event).pk, event.held, event.trouble) == (final.pk, "undecided-table", "")


# ------------------------------------------------------------------------------------- asked before the end


def test_an_end_that_throws_tables_away_waits_for_the_organiser() -> None:
    event = started("double", 2, ask=True)
    (opening,) = playing(event)
    upper, lower = names(opening)
    decide(opening, upper, lower)
    swept(event)
    (first_final,) = playing(event)
    decide(first_final, lower, upper)  # so that there is a second one
    swept(event)
    (second_final,) = playing(event)
    decide(first_final, upper, lower)  # and now none is needed
    swept(event)
    assert (event.status, event.held) == ("running", "stale-at-end")
    second_final.refresh_from_db()
    assert (second_final.void, second_final.settled_at) == (False, None)
    (told,) = FeedEntry.objects.filter(kind="event-held", player=host())
    assert told.data["warnings"][0]["match"] == second_final.match
    client = Client()
    client.force_login(host())
    at = f"/tournaments/{event.code}/organise/"
    page = client.get(at).content.decode()
    assert "The end waits for you" in page
    assert "Look at the pairings" not in page
    page = client.post(f"{at}proceed/", follow=True).content.decode()
    assert "The tournament ends in a moment." in page
    sweep.sweep_tournaments(now=timezone.now() + HOUR)
    event.refresh_from_db()
    second_final.refresh_from_db()
    assert (event.status, second_final.void) == ("finished", True)


def test_an_end_after_somebody_left_waits_for_nobody() -> None:
    """A rematch that nobody plays any more was no correction."""
    event = started("knockout", 2, ask=True)
    (table,) = playing(event)
    decisions.correct_result(by=host(), code=event.code, table=table.pk, ranks=[1, 1], now=NOW)
    swept(event)
    (again,) = playing(event)
    assert again.rematch == 2
    entries.withdraw_from_tournament(player=someone("p1"), code=event.code, now=NOW)
    swept(event)
    assert (event.status, event.held) == ("finished", "")
    assert entrant(event, "p2").rank == 1


# --------------------------------------------------------------------------------------- nobody in own case


def test_nobody_corrects_a_result_by_which_their_own_table_becomes_void() -> None:
    event, first, second, final = final_under_way()
    winner, loser = names(first)
    finalist = someone(names(second)[0])
    assert finalist.name in names(final)
    add_organiser(event, finalist.name)
    before = list(Pairing.objects.order_by("pk").values())
    body = {"table": first.pk, "ranks": ranks(first, loser, winner)}
    assert Program(finalist.name).refused(f"tournaments/{event.code}/correct/", body) == (403, "own-table")
    assert list(Pairing.objects.order_by("pk").values()) == before
    assert event.decisions.filter(by=finalist, what="correct").count() == 0
    decisions.correct_result(by=host(), code=event.code, **body, now=NOW)


def test_nobody_takes_back_a_correction_by_which_their_own_table_becomes_void() -> None:
    event, first, second, final = final_under_way()
    winner, loser = names(first)
    finalist = someone(names(second)[0])
    add_organiser(event, finalist.name)
    decide(first, loser, winner)
    swept(event)
    decide(first, winner, loser)
    swept(event)  # the first final is back, and no newer table has followed
    assert final_of(event).pk == final.pk
    made = event.decisions.order_by("-pk")[0]
    path = f"tournaments/{event.code}/decisions/{made.pk}/undo/"
    assert Program(finalist.name).refused(path) == (403, "own-table")
    decision_undo.undo_decision(by=host(), code=event.code, decision=made.pk, now=NOW)


def test_a_correction_of_a_game_that_was_played_on_is_not_taken_back() -> None:
    event = started("knockout", 4)
    first = playing(event)[0]
    assert first.game
    decide(first, *names(first))
    made = event.decisions.get()
    move(names(first)[1], first.game)  # for nothing: it must not count afterwards
    with pytest.raises(Conflict, match="cannot be taken back"):
        decision_undo.undo_decision(by=host(), code=event.code, decision=made.pk, now=NOW)
    first.refresh_from_db()
    assert first.result
    assert first.result["by"] == "organiser"

"""Results keep the names of their players after a replacement."""

from __future__ import annotations

import pytest
from django.test import Client

from accounts.services import players
from games.models import Seat
from games.services import seat_settings
from tests.factories.events import (
    NOW,
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
from tournaments.models import Pairing, Tournament
from tournaments.read_models.tournaments import FormerPlayer
from tournaments.selectors import TournamentState, tournament_page, tournament_read_models
from tournaments.services import decision_undo, sweep

pytestmark = pytest.mark.django_db


def list_names_at(table: Pairing) -> set[str]:
    read_pairing = tournament_page.get_pairing(table.tournament, table.pk)
    return {seat.name for seat in tournament_page.build_prefetched_pairing(read_pairing).seats}


def play_first_round(format: str = "swiss") -> tuple[Tournament, Pairing]:
    """Play the first round; return the tournament and p1's pairing of that round."""
    tournament = (
        create_started_tournament(format, 4, round_count=3)
        if format == "swiss"
        else create_started_tournament(format, 4)
    )
    first = Pairing.objects.get(
        tournament=tournament, bracket_round=1, pairing_seats__entrant=entrant(tournament, "p1")
    )
    for table in list_running_pairings(tournament):
        other_names = [
            pairing_seat.entrant.entrant_players.get().player.name
            for pairing_seat in table.pairing_seats.order_by("seat_no")
        ]
        winner = "p1" if "p1" in other_names else other_names[0]
        decide(table, winner, *(name for name in other_names if name != winner))
    sweep.sweep_tournaments(now=NOW)
    tournament.refresh_from_db()
    return tournament, first


def test_results_of_before_stay_with_whoever_played_them() -> None:
    tournament, first = play_first_round()
    now_playing = Pairing.objects.get(
        tournament=tournament, bracket_round=2, pairing_seats__entrant=entrant(tournament, "p1")
    )
    before = list_names_at(first)
    assert "p1" in before
    replace(tournament, "p1", "new")
    assert list_names_at(first) == before
    assert "new" in list_names_at(now_playing)
    pairing_data = tournament_page.build_prefetched_pairing(
        tournament_page.get_pairing(tournament, now_playing.pk)
    )
    seat = next(seat for seat in pairing_data.seats if seat.name == "new")
    assert seat.former_players == ["p1"]  # the game had begun before the replacement
    state = TournamentState(tournament)
    assert {seat.name for seat in tournament_read_models.build_pairing(state, state.pairings[0]).seats} | {
        seat.name for seat in tournament_read_models.build_pairing(state, state.pairings[1]).seats
    } == {"p1", "p2", "p3", "p4"}
    (line,) = [
        standing for standing in tournament_read_models.build_standings(state) if standing.name == "new"
    ]
    assert line.former_players == [FormerPlayer(1, "p1", 2)]


def test_a_bracket_shows_who_won_each_match() -> None:
    tournament, first = play_first_round("knockout")
    replace(tournament, "p1", "new")
    matches = {
        match.match: {seat.name for seat in match.seats}
        for match in tournament_read_models.build_bracket(TournamentState(tournament)).matches
    }
    assert "p1" in matches[first.match]
    assert "new" not in matches[first.match]
    assert "new" in matches["R2.1"]
    assert "p1" not in matches["R2.1"]


def test_pages_and_programs_say_since_when_and_who_was_before() -> None:
    tournament, first = play_first_round()
    replace(tournament, "p1", "new")
    client = Client()
    for part in ("standings/", "entrants/"):
        assert (
            "(since round 2, replacing p1)"
            in client.get(f"/tournaments/{tournament.code}/{part}").content.decode()
        )
    table = client.get(f"/tournaments/{tournament.code}/tables/{first.pk}/").content.decode()
    assert "/players/p1/" in table
    assert "/players/new/" not in table
    former_players = {
        entrant_row["name"]: entrant_row["former_players"]
        for entrant_row in Program(None).list_all(f"tournaments/{tournament.code}/entrants/")
    }
    assert former_players["new"] == [{"position": 1, "player": "p1", "since_round": 2}]
    assert former_players["p2"] == []


def test_a_second_replacement_keeps_all_three_apart() -> None:
    tournament, first = play_first_round()
    second = Pairing.objects.get(
        tournament=tournament, bracket_round=2, pairing_seats__entrant=entrant(tournament, "p1")
    )
    replace(tournament, "p1", "new")
    assert second.game
    seat_settings.take_seat(player=get_player("new"), code=second.game.code, now=NOW)
    for table in list_running_pairings(tournament):
        play(table)
    sweep.sweep_tournaments(now=NOW)
    third = Pairing.objects.get(
        tournament=tournament, bracket_round=3, pairing_seats__entrant=entrant(tournament, "new")
    )
    replace(tournament, "new", "newer")
    names_by_table = [list_names_at(table) & {"p1", "new", "newer"} for table in (first, second, third)]
    assert names_by_table == [{"p1"}, {"new"}, {"newer"}]
    assert second.game
    assert Seat.objects.filter(game=second.game, player=get_player("new")).exists()


def test_a_replacement_that_is_taken_back_leaves_no_trace_on_results() -> None:
    tournament, first = play_first_round()
    decision = replace(tournament, "p1", "new")
    decision_undo.undo_decision(by=get_host(), code=tournament.code, decision=decision.pk, now=NOW)
    assert "p1" in list_names_at(first)
    assert tournament_read_models.build_entrant(entrant(tournament, "p1")).former_players == []
    assert not entrant(tournament, "p1").was_replaced


def test_a_deleted_predecessor_is_a_former_player() -> None:
    tournament, first = play_first_round()
    replace(tournament, "p1", "new")
    players.remove_player(player=get_player("p1"), now=NOW)
    assert list_names_at(first) & {"p1", "new"} == set()
    assert (
        "replacing a former player"
        in Client().get(f"/tournaments/{tournament.code}/standings/").content.decode()
    )

"""Results keep who played them, whoever plays for the entrant later."""

from __future__ import annotations

import pytest
from django.test import Client

from games.models import Seat
from games.services import players, seat_settings
from tournaments.models import Pairing, Tournament
from tournaments.selectors import TournamentState, tournament_page, tournament_read_models
from tournaments.services import decision_undo, sweep

from .play import NOW, decide, entrant, host, play, playing, replace, someone, started
from .programs import Program

pytestmark = pytest.mark.django_db


def names_at(table: Pairing) -> set[str]:
    found = tournament_page.get_pairing(table.event, table.pk)
    return {seat["name"] for seat in tournament_page.build_prefetched_pairing(found)["seats"]}


def after_round_one(format: str = "swiss") -> tuple[Tournament, Pairing]:
    """An event whose second round runs; the table of p1 in the first."""
    event = started(format, 4, rounds=3) if format == "swiss" else started(format, 4)
    first = Pairing.objects.get(event=event, round=1, sittings__entrant=entrant(event, "p1"))
    for table in playing(event):
        others = [one.entrant.members.get().player.name for one in table.sittings.order_by("number")]
        winner = "p1" if "p1" in others else others[0]
        decide(table, winner, *(name for name in others if name != winner))
    sweep.sweep_tournaments(now=NOW)
    event.refresh_from_db()
    return event, first


def test_results_of_before_stay_with_whoever_played_them() -> None:
    event, first = after_round_one()
    now_playing = Pairing.objects.get(event=event, round=2, sittings__entrant=entrant(event, "p1"))
    before = names_at(first)
    assert "p1" in before
    replace(event, "p1", "new")
    assert names_at(first) == before
    assert "new" in names_at(now_playing)
    told = tournament_page.build_prefetched_pairing(tournament_page.get_pairing(event, now_playing.pk))
    seat = next(one for one in told["seats"] if one["name"] == "new")
    assert seat["before"] == ["p1"]  # the game had begun
    course = TournamentState(event)
    assert {
        one["name"] for one in tournament_read_models.build_pairing(course, course.pairings[0])["seats"]
    } | {
        one["name"] for one in tournament_read_models.build_pairing(course, course.pairings[1])["seats"]
    } == {"p1", "p2", "p3", "p4"}
    (line,) = [one for one in tournament_read_models.build_standings(course) if one["name"] == "new"]
    assert line["before"] == [{"number": 1, "player": "p1", "since_round": 2}]


def test_a_bracket_shows_who_won_each_match() -> None:
    event, first = after_round_one("knockout")
    replace(event, "p1", "new")
    matches = {
        one["match"]: {seat["name"] for seat in one["seats"]}
        for one in tournament_read_models.build_bracket(TournamentState(event))["matches"]
    }
    assert "p1" in matches[first.match]
    assert "new" not in matches[first.match]
    assert "new" in matches["R2.1"]
    assert "p1" not in matches["R2.1"]


def test_pages_and_programs_say_since_when_and_who_was_before() -> None:
    event, first = after_round_one()
    replace(event, "p1", "new")
    client = Client()
    for part in ("standings/", "entrants/"):
        assert (
            "(since round 2, before: p1)" in client.get(f"/tournaments/{event.code}/{part}").content.decode()
        )
    table = client.get(f"/tournaments/{event.code}/tables/{first.pk}/").content.decode()
    assert "/players/p1/" in table
    assert "/players/new/" not in table
    told = {one["name"]: one["before"] for one in Program(None).every(f"tournaments/{event.code}/entrants/")}
    assert told["new"] == [{"number": 1, "player": "p1", "since_round": 2}]
    assert told["p2"] == []


def test_a_second_replacement_keeps_all_three_apart() -> None:
    event, first = after_round_one()
    second = Pairing.objects.get(event=event, round=2, sittings__entrant=entrant(event, "p1"))
    replace(event, "p1", "new")
    assert second.game
    seat_settings.take_seat(player=someone("new"), code=second.game.code, now=NOW)
    for table in playing(event):
        play(table)
    sweep.sweep_tournaments(now=NOW)
    third = Pairing.objects.get(event=event, round=3, sittings__entrant=entrant(event, "new"))
    replace(event, "new", "newer")
    told = [names_at(table) & {"p1", "new", "newer"} for table in (first, second, third)]
    assert told == [{"p1"}, {"new"}, {"newer"}]
    assert second.game
    assert Seat.objects.filter(game=second.game, player=someone("new")).exists()


def test_a_replacement_that_is_taken_back_leaves_no_trace_on_results() -> None:
    event, first = after_round_one()
    decision = replace(event, "p1", "new")
    decision_undo.undo_decision(by=host(), code=event.code, decision=decision.pk, now=NOW)
    assert "p1" in names_at(first)
    assert tournament_read_models.build_entrant(entrant(event, "p1"))["before"] == []
    assert not entrant(event, "p1").was_replaced


def test_a_deleted_predecessor_is_a_former_player() -> None:
    event, first = after_round_one()
    replace(event, "p1", "new")
    players.remove_player(player=someone("p1"), now=NOW)
    assert names_at(first) & {"p1", "new"} == set()
    assert "before: a former player" in Client().get(f"/tournaments/{event.code}/standings/").content.decode()

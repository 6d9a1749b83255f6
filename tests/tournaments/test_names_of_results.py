"""Results keep who played them, whoever plays for the entrant later."""

from __future__ import annotations

import pytest
from django.test import Client

from games.models import Seat
from games.services import players, seats
from tournaments.models import Event, Table
from tournaments.selectors import Course, facts, page
from tournaments.services import sweep, undoing

from .play import NOW, decide, entrant, host, play, playing, replace, someone, started
from .programs import Program

pytestmark = pytest.mark.django_db


def names_at(table: Table) -> set[str]:
    found = page.table_for(table.event, table.pk)
    return {seat["name"] for seat in page.told(found)["seats"]}


def after_round_one(format: str = "swiss") -> tuple[Event, Table]:
    """An event whose second round runs; the table of p1 in the first."""
    event = started(format, 4, rounds=3) if format == "swiss" else started(format, 4)
    first = Table.objects.get(event=event, round=1, sittings__entrant=entrant(event, "p1"))
    for table in playing(event):
        others = [one.entrant.members.get().player.name for one in table.sittings.order_by("number")]
        winner = "p1" if "p1" in others else others[0]
        decide(table, winner, *(name for name in others if name != winner))
    sweep.sweep(now=NOW)
    event.refresh_from_db()
    return event, first


def test_results_of_before_stay_with_whoever_played_them() -> None:
    event, first = after_round_one()
    now_playing = Table.objects.get(event=event, round=2, sittings__entrant=entrant(event, "p1"))
    before = names_at(first)
    assert "p1" in before
    replace(event, "p1", "new")
    assert names_at(first) == before
    assert "new" in names_at(now_playing)
    told = page.told(page.table_for(event, now_playing.pk))
    seat = next(one for one in told["seats"] if one["name"] == "new")
    assert seat["before"] == ["p1"]  # the game had begun
    course = Course(event)
    assert {one["name"] for one in facts.table(course, course.tables[0])["seats"]} | {
        one["name"] for one in facts.table(course, course.tables[1])["seats"]
    } == {"p1", "p2", "p3", "p4"}
    (line,) = [one for one in facts.standings(course) if one["name"] == "new"]
    assert line["before"] == [{"number": 1, "player": "p1", "since_round": 2}]


def test_a_bracket_shows_who_won_each_match() -> None:
    event, first = after_round_one("knockout")
    replace(event, "p1", "new")
    matches = {
        one["match"]: {seat["name"] for seat in one["seats"]}
        for one in facts.bracket(Course(event))["matches"]
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
    second = Table.objects.get(event=event, round=2, sittings__entrant=entrant(event, "p1"))
    replace(event, "p1", "new")
    assert second.game
    seats.take_seat(player=someone("new"), code=second.game.code, now=NOW)
    for table in playing(event):
        play(table)
    sweep.sweep(now=NOW)
    third = Table.objects.get(event=event, round=3, sittings__entrant=entrant(event, "new"))
    replace(event, "new", "newer")
    told = [names_at(table) & {"p1", "new", "newer"} for table in (first, second, third)]
    assert told == [{"p1"}, {"new"}, {"newer"}]
    assert second.game
    assert Seat.objects.filter(game=second.game, player=someone("new")).exists()


def test_a_replacement_that_is_taken_back_leaves_no_trace_on_results() -> None:
    event, first = after_round_one()
    decision = replace(event, "p1", "new")
    undoing.undo(by=host(), code=event.code, decision=decision.pk, now=NOW)
    assert "p1" in names_at(first)
    assert facts.entrant(entrant(event, "p1"))["before"] == []
    assert not entrant(event, "p1").was_replaced


def test_a_deleted_predecessor_is_a_former_player() -> None:
    event, first = after_round_one()
    replace(event, "p1", "new")
    players.remove(player=someone("p1"), now=NOW)
    assert names_at(first) & {"p1", "new"} == set()
    assert "before: a former player" in Client().get(f"/tournaments/{event.code}/standings/").content.decode()

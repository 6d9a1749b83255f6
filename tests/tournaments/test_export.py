"""What is stored of a player around tournaments leaves with them, or with their export."""

from __future__ import annotations

import json

import pytest

from games.services import export, players
from tournaments.models import Decision, DivisionPlacement, EntrantPlayer, LeagueMember, Rating, Tournament
from tournaments.selectors import TournamentState, get_entrant_name
from tournaments.services import appeals, entries, leagues, ratings, sweep, tournaments

from .play import (
    NOW,
    QUICK,
    add_organiser,
    entrant,
    host,
    play_to_end,
    playing,
    published,
    replace,
    someone,
    started,
    table_of,
)

pytestmark = pytest.mark.django_db


def test_everything_around_tournaments_is_exported_and_nothing_of_others() -> None:
    event = published("swiss", 4, by_invitation=False, rounds=1)
    add_organiser(event, "p1")
    tournaments.invite_player(by=host(), code=event.code, player=someone("p1"), now=NOW)
    tournaments.start_tournament(by=someone("p1"), code=event.code, now=NOW)
    sweep.sweep_tournaments(now=NOW)
    mine = table_of(event, "p1")
    appeals.file_appeal(player=someone("p1"), code=event.code, pairing_id=mine.pk, text="too loud", now=NOW)
    other = event.tables.exclude(pk=mine.pk).get()
    who = other.sittings.first().entrant.members.get().player  # type: ignore[union-attr]
    asked = appeals.file_appeal(player=who, code=event.code, pairing_id=other.pk, text="a draught", now=NOW)
    appeals.answer_appeal(by=someone("p1"), code=event.code, appeal_id=asked.pk, text="quiet", now=NOW)
    duo = published("swiss", 0, mode="pairs")
    entries.ask_partner(player=someone("p1"), partner=someone("p3"), code=duo.code, now=NOW)
    play_to_end(event)
    ratings.rate_finished_games(now=NOW)
    league = leagues.create_league(organiser=someone("p1"), name="L", size=3, moves=1, now=NOW, **QUICK)
    for name in ("p1", "p2"):
        leagues.set_member_status(player=someone(name), code=league.code, now=NOW)
    leagues.start_league(by=someone("p1"), code=league.code, now=NOW)
    sweep.sweep_tournaments(now=NOW)
    told = export.export_player_data(player=someone("p1"), now=NOW)
    assert [line["event"] for line in told["event_entries"]] == [
        event.code,
        Tournament.objects.latest("pk").code,
    ]
    assert [line["event"] for line in told["proposals"]] == [event.code, duo.code]
    for part in ("events_organised", "event_invitations", "appeals", "appeals_answered", "leagues_organised"):
        assert told[part], part
    assert told["leagues"] == [
        {"league": league.code, "status": "member", "at": NOW.isoformat(), "client_seed": ""}
    ]
    assert [line["entry_number"] for line in told["event_entries"]] == [1, 1]
    assert told["seasons"] == [
        {"league": league.code, "season_number": 1, "division_number": 1, "rank": None}
    ]
    assert told["ratings"][0]["mode"] == "singles"
    assert told["rated_games"][0]["game"] == table_of(event, "p1").game.code  # type: ignore[union-attr]
    assert told["event_decisions"] == []
    assert "p2" not in json.dumps(told)


def test_a_seat_that_was_handed_over_is_in_the_export_of_both() -> None:
    event = started("knockout", 2)
    replace(event, "p1", "new")
    game = playing(event)[0].game
    assert game
    for name in ("p1", "new"):
        told = export.export_player_data(player=someone(name), now=NOW)
        assert [line["game"] for line in told["seats_handed_over"]] == [game.code]
        assert bool(told["event_replacements"]) == (name == "p1")


def test_who_deletes_their_account_leaves_a_place_without_a_name() -> None:
    event = started("swiss", 2)
    mine = entrant(event, "p1")
    play_to_end(event)
    ratings.rate_finished_games(now=NOW)
    add_organiser(event, "p2")
    players.remove_player(player=someone("p1"), now=NOW)
    players.remove_player(player=host(), now=NOW)
    course = TournamentState(Tournament.objects.get(pk=event.pk))
    assert get_entrant_name(course.entrants[mine.pk]) == "–"
    assert EntrantPlayer.objects.get(entrant=mine).player is None
    assert Decision.objects.get().by is None
    assert Tournament.objects.get().organiser is None
    assert Rating.objects.filter(player=None).count() == 1
    assert not LeagueMember.objects.exists()
    assert not DivisionPlacement.objects.exists()

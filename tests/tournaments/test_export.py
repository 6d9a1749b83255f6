"""Data of a player in tournaments are in their export, and are deleted with the account."""

from __future__ import annotations

import json

import pytest

from accounts.services import export, players
from common.instants import format_instant
from tests.factories.events import (
    NOW,
    QUICK,
    add_organiser,
    create_started_tournament,
    entrant,
    find_pairing_of,
    get_host,
    get_player,
    list_running_pairings,
    play_to_end,
    published,
    replace,
)
from tournaments.leagues.services import leagues
from tournaments.models import Decision, DivisionPlacement, EntrantPlayer, LeagueMember, Rating, Tournament
from tournaments.ratings import services as ratings
from tournaments.selectors import TournamentState, get_entrant_name
from tournaments.services import appeals, entries, sweep, tournaments

pytestmark = pytest.mark.django_db


def test_everything_around_tournaments_is_exported_and_nothing_of_others() -> None:
    tournament = published("swiss", 4, round_count=1)
    add_organiser(tournament, "p1")
    tournaments.invite_player(by=get_host(), code=tournament.code, player=get_player("p1"), now=NOW)
    tournaments.start_tournament(by=get_player("p1"), code=tournament.code, now=NOW)
    sweep.sweep_tournaments(now=NOW)
    own_table = find_pairing_of(tournament, "p1")
    appeals.file_appeal(
        player=get_player("p1"), code=tournament.code, pairing_id=own_table.pk, text="too loud", now=NOW
    )
    other = tournament.pairings.exclude(pk=own_table.pk).get()
    who = other.pairing_seats.first().entrant.entrant_players.get().player  # type: ignore[union-attr]
    appeal = appeals.file_appeal(
        player=who, code=tournament.code, pairing_id=other.pk, text="a draught", now=NOW
    )
    appeals.answer_appeal(
        by=get_player("p1"), code=tournament.code, appeal_id=appeal.pk, text="quiet", now=NOW
    )
    duo = published("swiss", 0, mode="pairs")
    entries.ask_partner(player=get_player("p1"), partner=get_player("p3"), code=duo.code, now=NOW)
    play_to_end(tournament)
    ratings.rate_finished_games(now=NOW)
    league = leagues.create_league(
        organiser=get_player("p1"), name="L", division_size=3, promotion_count=1, now=NOW, **QUICK
    )
    for name in ("p1", "p2"):
        leagues.set_member_status(player=get_player(name), code=league.code, now=NOW)
    leagues.start_league(by=get_player("p1"), code=league.code, now=NOW)
    sweep.sweep_tournaments(now=NOW)
    exported = export.export_player_data(player=get_player("p1"), now=NOW)
    assert [line["tournament"] for line in exported["tournament_entries"]] == [
        tournament.code,
        Tournament.objects.latest("pk").code,
    ]
    assert [line["tournament"] for line in exported["proposals"]] == [tournament.code, duo.code]
    for part in (
        *("tournaments_organised", "tournament_invitations", "appeals", "appeals_answered"),
        "leagues_organised",
    ):
        assert exported[part], part
    assert exported["leagues"] == [
        {
            "league": league.code,
            "status": "member",
            "status_changed_at": format_instant(NOW),
            "client_seed": "",
        }
    ]
    assert [line["entry_number"] for line in exported["tournament_entries"]] == [1, 1]
    assert exported["seasons"] == [
        {"league": league.code, "season_number": 1, "division_number": 1, "rank": None}
    ]
    assert exported["ratings"][0]["mode"] == "singles"
    assert exported["rated_games"][0]["game"] == find_pairing_of(tournament, "p1").game.code  # type: ignore[union-attr]
    assert exported["tournament_decisions"] == []
    assert "p2" not in json.dumps(exported)


def test_a_seat_that_was_handed_over_is_in_the_export_of_both() -> None:
    tournament = create_started_tournament("knockout", 2)
    replace(tournament, "p1", "new")
    game = list_running_pairings(tournament)[0].game
    assert game
    for name in ("p1", "new"):
        exported = export.export_player_data(player=get_player(name), now=NOW)
        assert [line["game"] for line in exported["seats_handed_over"]] == [game.code]
        assert bool(exported["tournament_replacements"]) == (name == "p1")


def test_who_deletes_their_account_leaves_a_place_without_a_name() -> None:
    tournament = create_started_tournament("swiss", 2)
    own_entrant = entrant(tournament, "p1")
    play_to_end(tournament)
    ratings.rate_finished_games(now=NOW)
    add_organiser(tournament, "p2")
    players.remove_player(player=get_player("p1"), now=NOW)
    players.remove_player(player=get_host(), now=NOW)
    state = TournamentState(Tournament.objects.get(pk=tournament.pk))
    assert get_entrant_name(state.entrants[own_entrant.pk]) == "–"
    assert EntrantPlayer.objects.get(entrant=own_entrant).player is None
    assert Decision.objects.get().created_by is None
    assert Tournament.objects.get().organiser is None
    assert Rating.objects.filter(player=None).count() == 1
    assert not LeagueMember.objects.exists()
    assert not DivisionPlacement.objects.exists()

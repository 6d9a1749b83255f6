"""After a withdrawal in the middle of a league season, a substitute plays on with the dealt hand."""

from __future__ import annotations

from typing import Any

import pytest

from accounts.services import players
from common.service_errors import Conflict, Denied
from games.models import Game, Seat
from games.selectors import load_view_for
from games.services import seat_settings
from notifications.models import FeedEntry
from tests.factories.events import (
    DAY,
    NOW,
    entrant,
    find_pairing_of,
    get_host,
    get_player,
    list_running_pairings,
)
from tests.factories.league_pairs import join, pair_of, pairs_of
from tests.factories.leagues import create_started_league, play_season, season
from tournaments.leagues.services import leagues
from tournaments.models import Decision, DivisionPlacement, Pairing, Tournament
from tournaments.services import decision_undo, entries, sweep

pytestmark = pytest.mark.django_db


def get_game_of(tournament: Tournament, name: str) -> Game:
    """Return the player's current game."""
    pairings = Pairing.objects.filter(
        tournament=tournament, settled_at=None, pairing_seats__entrant=entrant(tournament, name)
    )
    game = pairings.select_related("game")[0].game
    assert game
    return game


def get_seat(game: Game, name: str) -> Seat:
    return Seat.objects.get(game=game, player__name=name)


def get_hand(game: Game, name: str) -> Any:
    return load_view_for(get_player(name), game.code).view.get("you")


def test_who_waits_longest_takes_over_at_once_with_the_hand() -> None:
    league = create_started_league(3, all_rounds_at_once=True)
    tournament = Tournament.objects.get()
    for number, name in enumerate(("second", "first")):
        leagues.set_member_status(
            player=get_player(name), code=league.code, now=NOW - number * DAY, status="substitute"
        )
    game = get_game_of(tournament, "p1")
    seat, hand = get_seat(game, "p1").seat_no, get_hand(game, "p1")
    entries.withdraw_from_tournament(player=get_player("p1"), code=tournament.code, now=NOW)
    assert get_seat(game, "first").seat_no == seat
    assert (get_hand(game, "first")["hand"], get_hand(game, "first")["hand_hidden"]) == ([], True)
    seat_settings.take_seat(player=get_player("first"), code=game.code, now=NOW)
    assert get_hand(game, "first")["hand"] == hand["hand"]
    assert get_hand(game, "p1") is None
    assert load_view_for(get_player("p1"), game.code).seat_no is None
    line = tournament.decisions.get()
    assert (line.action, line.created_by, line.after["player"]) == ("replace", None, get_player("first").pk)
    feed_entries = FeedEntry.objects.filter(kind__in=("tournament-replaced", "tournament-out")).values_list(
        "player__name", "kind"
    )
    assert set(feed_entries) == {("first", "tournament-replaced"), ("p1", "tournament-out")}
    assert (pair_of(league, "p1")[0], pair_of(league, "first")[0]) == ("out", "member")
    with pytest.raises(Denied):
        entries.withdraw_from_tournament(player=get_player("p1"), code=tournament.code, now=NOW)
    assert not sweep.sweep_tournaments(now=NOW)["resigned"]
    play_season(league)
    assert DivisionPlacement.objects.filter(season=season(league), player=get_player("first")).exists()


def test_without_a_substitute_the_games_are_resigned() -> None:
    create_started_league(3, all_rounds_at_once=True)
    tournament = Tournament.objects.get()
    game = get_game_of(tournament, "p1")
    entries.withdraw_from_tournament(player=get_player("p1"), code=tournament.code, now=NOW)
    assert sweep.sweep_tournaments(now=NOW)["resigned"]
    game.refresh_from_db()
    assert game.status == "over"
    assert entrant(tournament, "p1").status == "withdrawn"
    assert not tournament.decisions.exists()


def test_who_plays_in_the_season_already_is_no_substitute_for_others() -> None:
    league = create_started_league(3, all_rounds_at_once=True)
    leagues.set_member_status(
        player=get_player("p2"), code=league.code, now=NOW, status="substitute"
    )  # applies from the next season on
    entries.withdraw_from_tournament(player=get_player("p1"), code=Tournament.objects.get().code, now=NOW)
    assert entrant(Tournament.objects.get(), "p1").status == "withdrawn"
    with pytest.raises(Conflict):
        leagues.replace_with_substitute(by=get_host(), code=league.code, leaver=get_player("p3"), now=NOW)


def test_a_substitute_plays_on_for_a_deleted_account() -> None:
    league = create_started_league(3, all_rounds_at_once=True)
    tournament = Tournament.objects.get()
    game = get_game_of(tournament, "p1")
    number = get_seat(game, "p1").seat_no
    leagues.set_member_status(player=get_player("spare"), code=league.code, now=NOW, status="substitute")
    players.remove_player(player=get_player("p1"), now=NOW)
    game.refresh_from_db()
    assert (game.status, get_seat(game, "spare").seat_no) == ("running", number)
    assert not tournament.entrants.filter(left_after_round__isnull=False).exists()
    decision = Decision.objects.get()
    with pytest.raises(Conflict):
        decision_undo.undo_decision(by=get_host(), code=tournament.code, decision=decision.pk, now=NOW)


def test_the_sweep_brings_a_substitute_for_who_was_erased() -> None:
    league = create_started_league(3, all_rounds_at_once=True)
    tournament = Tournament.objects.get()
    game = get_game_of(tournament, "p1")
    number = get_seat(game, "p1").seat_no
    leagues.set_member_status(player=get_player("spare"), code=league.code, now=NOW, status="substitute")
    get_player("p1").delete()
    Tournament.objects.update(next_sweep_at=NOW)
    assert not sweep.sweep_tournaments(now=NOW)["dropped"]
    assert get_seat(game, "spare").seat_no == number
    assert not sweep.sweep_tournaments(now=NOW)
    assert tournament.decisions.count() == 1


def test_in_pairs_a_substitute_sits_beside_the_partner_who_stays() -> None:
    league = pairs_of(3, all_rounds_at_once=True)
    tournament = Tournament.objects.get()
    game = get_game_of(tournament, "a1")
    number = get_seat(game, "b1").seat_no
    for name in ("spare", "other"):
        join(league, name, status="substitute")
    entries.withdraw_from_tournament(player=get_player("b1"), code=tournament.code, now=NOW)
    assert get_seat(game, "spare").seat_no == number
    assert get_seat(game, "a1").seat_no
    assert pair_of(league, "a1") == ("member", "spare")
    assert pair_of(league, "spare") == ("member", "a1")
    assert pair_of(league, "b1") == ("out", None)
    decision = Decision.objects.get()
    decision_undo.undo_decision(by=get_host(), code=tournament.code, decision=decision.pk, now=NOW)
    assert pair_of(league, "a1") == ("member", "b1")
    assert pair_of(league, "b1") == ("member", "a1")
    assert pair_of(league, "spare") == ("substitute", None)
    leagues.replace_with_substitute(
        by=get_host(), code=league.code, leaver=get_player("b1"), player=get_player("other"), now=NOW
    )
    place = DivisionPlacement.objects.get(entrant=entrant(tournament, "a1"))
    assert {place.player, place.partner} == {get_player("a1"), get_player("other")}
    play_season(league)
    next_placement = DivisionPlacement.objects.get(
        season=season(league), start_position__gt=0, player__in=(place.player, place.partner)
    )
    assert next_placement.reason["code"] == "stays"


def test_whose_partner_leaves_after_the_season_brings_no_new_one_into_the_next() -> None:
    league = pairs_of(3, all_rounds_at_once=True)
    tournament = Tournament.objects.get()
    join(league, "spare", status="substitute")
    join(league, "a1", status="out")
    entries.withdraw_from_tournament(player=get_player("b1"), code=tournament.code, now=NOW)
    assert pair_of(league, "spare") == ("substitute", None)
    assert pair_of(league, "a1") == pair_of(league, "b1") == ("out", None)
    assert find_pairing_of(tournament, "spare")
    # A substitute who already plays gets no second pairing.
    entries.withdraw_from_tournament(player=get_player("a2"), code=tournament.code, now=NOW)
    assert entrant(tournament, "a2").status == "withdrawn"
    assert list_running_pairings(tournament)

"""Whoever leaves a league in the middle of a season: a substitute plays on with the hand that is there."""

from __future__ import annotations

from typing import Any

import pytest

from games.models import FeedEntry, Game, Seat
from games.selectors import load_view_for
from games.services import players, seat_settings
from games.services.errors import Conflict, Denied
from tournaments.models import Decision, DivisionPlacement, Pairing, Tournament
from tournaments.services import decision_undo, entries, leagues, sweep

from .play import DAY, NOW, entrant, host, playing, someone, table_of
from .test_league_ways import join, pair_of, pairs_of
from .test_leagues import begun, played, season

pytestmark = pytest.mark.django_db


def game_of(event: Tournament, name: str) -> Game:
    """The game that somebody plays at the moment."""
    found = Pairing.objects.filter(event=event, settled_at=None, sittings__entrant=entrant(event, name))
    game = found.select_related("game")[0].game
    assert game
    return game


def seat_of(game: Game, name: str) -> Seat:
    return Seat.objects.get(game=game, player__name=name)


def hand_of(game: Game, name: str) -> Any:
    return load_view_for(someone(name), game.code).view.get("you")


def test_who_waits_longest_takes_over_at_once_with_the_hand() -> None:
    league = begun(3, at_once=True)
    event = Tournament.objects.get()
    for number, name in enumerate(("second", "first")):
        leagues.set_member_status(
            player=someone(name), code=league.code, now=NOW - number * DAY, status="substitute"
        )
    game = game_of(event, "p1")
    seat, hand = seat_of(game, "p1").number, hand_of(game, "p1")
    entries.withdraw_from_tournament(player=someone("p1"), code=event.code, now=NOW)
    assert seat_of(game, "first").number == seat
    assert (hand_of(game, "first")["hand"], hand_of(game, "first")["hand_hidden"]) == ([], True)
    seat_settings.take_seat(player=someone("first"), code=game.code, now=NOW)
    assert hand_of(game, "first")["hand"] == hand["hand"]
    assert hand_of(game, "p1") is None
    assert load_view_for(someone("p1"), game.code).seat_no is None
    line = event.decisions.get()
    assert (line.what, line.by, line.after["player"]) == ("replace", None, someone("first").pk)
    told = FeedEntry.objects.filter(kind__in=("event-replaced", "event-out")).values_list(
        "player__name", "kind"
    )
    assert set(told) == {("first", "event-replaced"), ("p1", "event-out")}
    assert (pair_of(league, "p1")[0], pair_of(league, "first")[0]) == ("out", "member")
    with pytest.raises(Denied):
        entries.withdraw_from_tournament(player=someone("p1"), code=event.code, now=NOW)
    assert not sweep.sweep_tournaments(now=NOW)["resigned"]
    played(league)
    assert DivisionPlacement.objects.filter(season=season(league), player=someone("first")).exists()


def test_without_a_substitute_the_games_are_resigned() -> None:
    begun(3, at_once=True)
    event = Tournament.objects.get()
    game = game_of(event, "p1")
    entries.withdraw_from_tournament(player=someone("p1"), code=event.code, now=NOW)
    assert sweep.sweep_tournaments(now=NOW)["resigned"]
    game.refresh_from_db()
    assert game.status == "over"
    assert entrant(event, "p1").status == "withdrawn"
    assert not event.decisions.exists()


def test_who_plays_in_the_season_already_is_no_substitute_for_others() -> None:
    league = begun(3, at_once=True)
    leagues.set_member_status(
        player=someone("p2"), code=league.code, now=NOW, status="substitute"
    )  # from the next one on
    entries.withdraw_from_tournament(player=someone("p1"), code=Tournament.objects.get().code, now=NOW)
    assert entrant(Tournament.objects.get(), "p1").status == "withdrawn"
    with pytest.raises(Conflict):
        leagues.replace_with_substitute(by=host(), code=league.code, leaver=someone("p3"), now=NOW)


def test_a_substitute_plays_on_for_a_deleted_account() -> None:
    league = begun(3, at_once=True)
    event = Tournament.objects.get()
    game = game_of(event, "p1")
    number = seat_of(game, "p1").number
    leagues.set_member_status(player=someone("spare"), code=league.code, now=NOW, status="substitute")
    players.remove_player(player=someone("p1"), now=NOW)
    game.refresh_from_db()
    assert (game.status, seat_of(game, "spare").number) == ("running", number)
    assert not event.entrants.filter(left__isnull=False).exists()
    decision = Decision.objects.get()
    with pytest.raises(Conflict):
        decision_undo.undo_decision(by=host(), code=event.code, decision=decision.pk, now=NOW)


def test_the_sweep_brings_a_substitute_for_who_was_erased() -> None:
    league = begun(3, at_once=True)
    event = Tournament.objects.get()
    game = game_of(event, "p1")
    number = seat_of(game, "p1").number
    leagues.set_member_status(player=someone("spare"), code=league.code, now=NOW, status="substitute")
    someone("p1").delete()
    Tournament.objects.update(due_at=NOW)
    assert not sweep.sweep_tournaments(now=NOW)["dropped"]
    assert seat_of(game, "spare").number == number
    assert not sweep.sweep_tournaments(now=NOW)
    assert event.decisions.count() == 1


def test_in_pairs_a_substitute_sits_beside_the_partner_who_stays() -> None:
    league = pairs_of(3, at_once=True)
    event = Tournament.objects.get()
    game = game_of(event, "a1")
    number = seat_of(game, "b1").number
    for name in ("spare", "other"):
        join(league, name, status="substitute")
    entries.withdraw_from_tournament(player=someone("b1"), code=event.code, now=NOW)
    assert seat_of(game, "spare").number == number
    assert seat_of(game, "a1").number
    assert pair_of(league, "a1") == ("member", "spare")
    assert pair_of(league, "spare") == ("member", "a1")
    assert pair_of(league, "b1") == ("out", None)
    decision = Decision.objects.get()
    decision_undo.undo_decision(by=host(), code=event.code, decision=decision.pk, now=NOW)
    assert pair_of(league, "a1") == ("member", "b1")
    assert pair_of(league, "b1") == ("member", "a1")
    assert pair_of(league, "spare") == ("substitute", None)
    leagues.replace_with_substitute(
        by=host(), code=league.code, leaver=someone("b1"), player=someone("other"), now=NOW
    )
    place = DivisionPlacement.objects.get(entrant=entrant(event, "a1"))
    assert {place.player, place.partner} == {someone("a1"), someone("other")}
    played(league)
    again = DivisionPlacement.objects.get(
        season=season(league), number__gt=0, player__in=(place.player, place.partner)
    )
    assert again.why["code"] == "stays"


def test_whose_partner_leaves_after_the_season_brings_no_new_one_into_the_next() -> None:
    league = pairs_of(3, at_once=True)
    event = Tournament.objects.get()
    join(league, "spare", status="substitute")
    join(league, "a1", status="out")
    entries.withdraw_from_tournament(player=someone("b1"), code=event.code, now=NOW)
    assert pair_of(league, "spare") == ("substitute", None)
    assert pair_of(league, "a1") == pair_of(league, "b1") == ("out", None)
    assert table_of(event, "spare")
    # And who plays already is not sent to another table.
    entries.withdraw_from_tournament(player=someone("a2"), code=event.code, now=NOW)
    assert entrant(event, "a2").status == "withdrawn"
    assert playing(event)

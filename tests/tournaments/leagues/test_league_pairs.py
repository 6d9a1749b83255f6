"""Leagues with Swiss rounds and pairs, with co-organisers, and with edited settings."""

from __future__ import annotations

from typing import Any

import pytest

from accounts.models import Player
from accounts.services import players
from common.service_errors import Conflict, Denied, Invalid
from notifications.models import FeedEntry
from tests.factories.events import DAY, NOW, add_organiser, get_host, get_player
from tests.factories.league_pairs import join, pair_of, pairs_of
from tests.factories.leagues import create_started_league, divisions, league_of, play_season, season
from tournaments.leagues.services import leagues
from tournaments.models import DivisionPlacement, League, Rating, Tournament
from tournaments.selectors import NoSuchTournament, get_league_for, list_leagues
from tournaments.services import co_organisers, decisions, sweep, tournaments

pytestmark = pytest.mark.django_db


def list_pairs(league: League) -> set[frozenset[str]]:
    names = DivisionPlacement.objects.filter(season=season(league)).values_list(
        "player__name", "partner__name"
    )
    return {frozenset(pair) for pair in names}


def test_a_season_may_be_played_in_swiss_rounds() -> None:
    league = create_started_league(4, format="swiss", round_count=2)
    tournament = Tournament.objects.get()
    assert (tournament.format, tournament.round_count) == ("swiss", 2)
    first = play_season(league)
    assert tournament.rounds.count() == 2
    assert sorted(first.placements.values_list("rank", flat=True)) == [1, 2, 3, 4]
    assert season(league).number == 2


def test_pairs_play_season_after_season_and_go_up_and_down() -> None:
    league = pairs_of(6)
    first = season(league)
    assert [len(division) for division in divisions(first)] == [3, 3]
    seated_names = Tournament.objects.get(division__number=1, division__season=first).pairings.filter(
        game__isnull=False
    )
    assert seated_names[0].game
    assert seated_names[0].game.seats.count() == 4
    assert FeedEntry.objects.filter(kind="league-partner", player=get_player("b1")).count() == 1
    play_season(league)
    assert FeedEntry.objects.filter(kind="league-season", player=get_player("b3")).count() == 2
    last_above = first.divisions.get(number=1).placements.get(rank=3)
    next_placement = DivisionPlacement.objects.get(season=season(league), player=last_above.player)
    assert (next_placement.partner, next_placement.division.number, next_placement.reason["code"]) == (
        last_above.partner,
        2,
        "relegated",
    )


def test_one_of_a_pair_leaves_for_both_and_both_may_come_again() -> None:
    league = pairs_of(4)
    for wrong in (("a1", "b2"), ("c", "b1"), ("c", "c")):
        with pytest.raises(Conflict):
            join(league, *wrong)
    with pytest.raises(Invalid):
        join(league, "c")
    join(league, "a1")  # already members, so that nothing changes
    assert pair_of(league, "b1") == ("member", "a1")
    for _ in range(2):
        join(league, "b1", status="out")
    assert pair_of(league, "a1") == pair_of(league, "b1") == ("out", None)
    assert FeedEntry.objects.filter(kind="league-parted").count() == 1
    join(league, "a1", "c")
    assert pair_of(league, "c") == ("member", "a1")
    play_season(league)
    assert {"a1", "c"} in list_pairs(league)
    assert not any("b1" in pair for pair in list_pairs(league))
    newcomers = DivisionPlacement.objects.filter(season=season(league), reason__code="newcomer")
    assert [place.player for place in newcomers] == [get_player("a1")]  # another pair counts as a newcomer


def test_whose_partner_is_gone_does_not_play_until_there_is_another() -> None:
    league = pairs_of(4)
    play_season(league)
    players.remove_player(player=get_player("b1"), now=NOW)
    assert pair_of(league, "a1") == ("member", None)
    sweep.sweep_tournaments(now=NOW)
    play_season(league)
    assert len(list_pairs(league)) == 3
    join(league, "a1", "c")
    play_season(league)
    assert {"a1", "c"} in list_pairs(league)


def test_new_pairs_may_come_in_where_their_ratings_fit() -> None:
    league = pairs_of(6, newcomer_policy="rating")
    for number in range(1, 7):
        Rating.objects.create(player=get_player(f"a{number}"), mode="pairs", mu=25, sigma=2, game_count=9)
    Rating.objects.create(player=get_player("strong"), mode="pairs", mu=40, sigma=2, game_count=9)
    Rating.objects.create(player=get_player("weak"), mode="pairs", mu=20, sigma=2, game_count=9)
    join(league, "strong", "weak")
    play_season(league)
    assert (
        DivisionPlacement.objects.get(
            season=season(league), player__name__in=("strong", "weak")
        ).division.number
        == 1
    )


def test_a_helper_runs_a_league_and_all_that_is_played_in_it() -> None:
    league = create_started_league(3)
    tournament = Tournament.objects.get()
    with pytest.raises(Denied):
        co_organisers.ask_league_co_organiser(
            by=get_player("h"), code=league.code, player=get_player("h"), now=NOW
        )
    add_organiser(league, "h")
    tournaments.edit_tournament(by=get_player("h"), code=tournament.code, now=NOW, round_length=2 * 86400)
    decisions.preview_next_round(by=get_player("h"), code=tournament.code, now=NOW)
    for by in ("h", "host"):
        co_organisers.remove_league_co_organiser(
            by=get_player(by), code=league.code, player=get_player("h"), now=NOW
        )
    with pytest.raises(Denied):
        decisions.preview_next_round(by=get_player("h"), code=tournament.code, now=NOW)
    with pytest.raises(Denied):
        leagues.close_league(by=get_player("h"), code=league.code, now=NOW)


def test_what_is_laid_down_anew_counts_from_the_next_season_on() -> None:
    league = create_started_league(6, season_pause=86400)

    def edit_league(**changes: Any) -> None:
        leagues.edit_league(by=get_host(), code=league.code, now=NOW, **changes)
        league.refresh_from_db()

    edit_league(name="New", format="swiss", round_count=1, division_size=6, time_control="live", target=2)
    assert set(Tournament.objects.values_list("format", "time_control")) == {("round-robin", "2d")}
    for change in (
        {"mode": "pairs"},
        {"season_limit": 0},
        {"division_size": 1},
        {"name": " "},
        {"format": "double"},
    ):
        with pytest.raises((Invalid, Conflict)):
            edit_league(**change)
    with pytest.raises(Denied):
        leagues.edit_league(by=get_player("p1"), code=league.code, now=NOW, name="mine")
    play_season(league)
    with pytest.raises(Conflict):
        edit_league(season_limit=1)
    edit_league(season_pause=2 * 86400)
    assert league.next_sweep_at == NOW + 2 * DAY
    sweep.sweep_tournaments(now=NOW + 2 * DAY)
    tournament = Tournament.objects.latest("pk")
    assert (tournament.name, tournament.format, tournament.time_control) == ("New 2.1", "swiss", "live")
    assert (tournament.target, tournament.allowance) == (2, 180)
    edit_league(season_limit=2)
    play_season(league, NOW + 2 * DAY)
    with pytest.raises(Conflict):
        edit_league(name="Newer")


def test_a_league_is_found_by_its_code() -> None:
    league = league_of(0)
    assert get_league_for(None, league.code) == league
    assert list(list_leagues()) == list(list_leagues("open")) == [league]
    assert not list_leagues("closed")
    with pytest.raises(NoSuchTournament):
        get_league_for(get_host(), "nothing")


def test_a_guest_is_nobodys_partner() -> None:
    league = league_of(0, mode="pairs")
    guest = Player.objects.create_user(email="g@guest.invalid", name="g", joined_at=NOW, is_guest=True)
    with pytest.raises(Denied):
        leagues.ask_partner(player=get_player("a1"), partner=guest, code=league.code, now=NOW)
    assert not league.proposals.exists()
    assert not league.league_members.exists()

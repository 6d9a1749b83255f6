"""Leagues in Swiss rounds and in pairs, with helpers, and laid down anew."""

from __future__ import annotations

from typing import Any

import pytest

from games.models import FeedEntry, Player
from games.services import players
from games.services.errors import Conflict, Denied, Invalid
from tournaments.models import DivisionPlacement, League, Rating, Tournament
from tournaments.selectors import NoSuchTournament, get_league_for, list_leagues
from tournaments.services import co_organisers, decisions, leagues, proposals, sweep, tournaments

from .play import DAY, NOW, add_organiser, host, someone
from .test_leagues import begun, divisions, league_of, played, season

pytestmark = pytest.mark.django_db


def pairs_of(count: int, **fields: Any) -> League:
    """A league of pairs: a1 and b1, a2 and b2 …"""
    league = league_of(0, **{"mode": "pairs", "size": 3} | fields)
    for number in range(1, count + 1):
        join(league, f"a{number}", f"b{number}")
    leagues.start_league(by=host(), code=league.code, now=NOW)
    for _ in range(2):
        sweep.sweep_tournaments(now=NOW)
    league.refresh_from_db()
    return league


def join(league: League, one: str, two: str | None = None, status: str = "member") -> None:
    if two is None:
        leagues.set_member_status(player=someone(one), code=league.code, now=NOW, status=status)
        return
    asked = leagues.ask_partner(player=someone(one), partner=someone(two), code=league.code, now=NOW)
    proposals.accept_proposal(player=someone(two), proposal_id=asked.pk, now=NOW)


def pair_of(league: League, name: str) -> tuple[str, str | None]:
    found = league.memberships.select_related("partner").get(player__name=name)
    return found.status, found.partner.name if found.partner else None


def pairs_in(league: League) -> set[frozenset[str]]:
    found = DivisionPlacement.objects.filter(season=season(league)).values_list(
        "player__name", "partner__name"
    )
    return {frozenset(pair) for pair in found}


def test_a_season_may_be_played_in_swiss_rounds() -> None:
    league = begun(4, format="swiss", rounds=2)
    event = Tournament.objects.get()
    assert (event.format, event.rounds) == ("swiss", 2)
    first = played(league)
    assert event.published.count() == 2
    assert sorted(first.places.values_list("rank", flat=True)) == [1, 2, 3, 4]
    assert season(league).number == 2


def test_pairs_play_season_after_season_and_go_up_and_down() -> None:
    league = pairs_of(6)
    first = season(league)
    assert [len(one) for one in divisions(first)] == [3, 3]
    seated = Tournament.objects.get(division__number=1, division__season=first).tables.filter(
        game__isnull=False
    )
    assert seated[0].game
    assert seated[0].game.places.count() == 4
    assert FeedEntry.objects.filter(kind="league-partner", player=someone("b1")).count() == 1
    played(league)
    assert FeedEntry.objects.filter(kind="league-season", player=someone("b3")).count() == 2
    last_above = first.divisions.get(number=1).places.get(rank=3)
    again = DivisionPlacement.objects.get(season=season(league), player=last_above.player)
    assert (again.partner, again.division.number, again.why["code"]) == (last_above.partner, 2, "relegated")


def test_one_of_a_pair_leaves_for_both_and_both_may_come_again() -> None:
    league = pairs_of(4)
    for wrong in (("a1", "b2"), ("c", "b1"), ("c", "c")):
        with pytest.raises(Conflict):
            join(league, *wrong)
    with pytest.raises(Invalid):
        join(league, "c")
    join(league, "a1")  # they are in it: nothing changes
    assert pair_of(league, "b1") == ("member", "a1")
    for _ in range(2):
        join(league, "b1", status="out")
    assert pair_of(league, "a1") == pair_of(league, "b1") == ("out", None)
    assert FeedEntry.objects.filter(kind="league-parted").count() == 1
    join(league, "a1", "c")
    assert pair_of(league, "c") == ("member", "a1")
    played(league)
    assert {"a1", "c"} in pairs_in(league)
    assert not any("b1" in pair for pair in pairs_in(league))
    newcomers = DivisionPlacement.objects.filter(season=season(league), why__code="newcomer")
    assert [place.player for place in newcomers] == [someone("a1")]  # another pair is a new one


def test_whose_partner_is_gone_does_not_play_until_there_is_another() -> None:
    league = pairs_of(4)
    played(league)
    players.remove_player(player=someone("b1"), now=NOW)
    assert pair_of(league, "a1") == ("member", None)
    sweep.sweep_tournaments(now=NOW)
    played(league)
    assert len(pairs_in(league)) == 3
    join(league, "a1", "c")
    played(league)
    assert {"a1", "c"} in pairs_in(league)


def test_new_pairs_may_come_in_where_their_ratings_fit() -> None:
    league = pairs_of(6, newcomers="rating")
    for number in range(1, 7):
        Rating.objects.create(player=someone(f"a{number}"), mode="pairs", mu=25, sigma=2, games=9)
    Rating.objects.create(player=someone("strong"), mode="pairs", mu=40, sigma=2, games=9)
    Rating.objects.create(player=someone("weak"), mode="pairs", mu=20, sigma=2, games=9)
    join(league, "strong", "weak")
    played(league)
    assert (
        DivisionPlacement.objects.get(
            season=season(league), player__name__in=("strong", "weak")
        ).division.number
        == 1
    )


def test_a_helper_runs_a_league_and_all_that_is_played_in_it() -> None:
    league = begun(3)
    event = Tournament.objects.get()
    with pytest.raises(Denied):
        co_organisers.ask_league_co_organiser(by=someone("h"), code=league.code, player=someone("h"), now=NOW)
    add_organiser(league, "h")
    tournaments.edit_tournament(by=someone("h"), code=event.code, now=NOW, round_length=2 * 86400)
    decisions.preview_next_round(by=someone("h"), code=event.code, now=NOW)
    for by in ("h", "host"):
        co_organisers.remove_league_co_organiser(
            by=someone(by), code=league.code, player=someone("h"), now=NOW
        )
    with pytest.raises(Denied):
        decisions.preview_next_round(by=someone("h"), code=event.code, now=NOW)
    with pytest.raises(Denied):
        leagues.close_league(by=someone("h"), code=league.code, now=NOW)


def test_what_is_laid_down_anew_counts_from_the_next_season_on() -> None:
    league = begun(6, pause=86400)

    def edit(**changes: Any) -> None:
        leagues.edit_league(by=host(), code=league.code, now=NOW, **changes)
        league.refresh_from_db()

    edit(name="New", format="swiss", rounds=1, size=6, clock_name="live", target=2)
    assert set(Tournament.objects.values_list("format", "clock")) == {("round-robin", "2d")}
    for change in ({"mode": "pairs"}, {"seasons": 0}, {"size": 1}, {"name": " "}, {"format": "double"}):
        with pytest.raises((Invalid, Conflict)):
            edit(**change)
    with pytest.raises(Denied):
        leagues.edit_league(by=someone("p1"), code=league.code, now=NOW, name="mine")
    played(league)
    with pytest.raises(Conflict):
        edit(seasons=1)
    edit(pause=2 * 86400)
    assert league.due_at == NOW + 2 * DAY
    sweep.sweep_tournaments(now=NOW + 2 * DAY)
    event = Tournament.objects.latest("pk")
    assert (event.name, event.format, event.clock, event.target, event.allowance) == (
        "New 2.1", "swiss", "live", 2, 180,
    )  # fmt: skip
    edit(seasons=2)
    played(league, NOW + 2 * DAY)
    with pytest.raises(Conflict):
        edit(name="Newer")


def test_a_league_is_found_by_its_code() -> None:
    league = league_of(0)
    assert get_league_for(None, league.code) == league
    assert list(list_leagues()) == list(list_leagues("open")) == [league]
    assert not list_leagues("closed")
    with pytest.raises(NoSuchTournament):
        get_league_for(host(), "nothing")


def test_a_guest_is_nobodys_partner() -> None:
    league = league_of(0, mode="pairs")
    guest = Player.objects.create_user(email="g@guest.invalid", name="g", joined_at=NOW, guest=True)
    with pytest.raises(Denied):
        leagues.ask_partner(player=someone("a1"), partner=guest, code=league.code, now=NOW)
    assert not league.proposals.exists()
    assert not league.memberships.exists()

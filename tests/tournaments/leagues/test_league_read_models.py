"""Read models of leagues: summaries, divisions in order, the calendar, honours."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from tests.factories.events import DAY, NOW, get_player
from tests.factories.leagues import create_started_league, league_of, play_season, season
from tournaments import text
from tournaments.leagues.read_models import DivisionData, LeagueHonours, TitleCount
from tournaments.leagues.selectors import division_standings
from tournaments.leagues.selectors import read_models as league_read_models
from tournaments.leagues.services import leagues
from tournaments.models import League
from tournaments.services import sweep

pytestmark = pytest.mark.django_db


def load_league(league: League, viewer: str = "") -> League:
    return league_read_models.with_counts(League.objects.all(), get_player(viewer) if viewer else None).get(
        pk=league.pk
    )


def build_divisions(league: League, number: int) -> list[DivisionData]:
    divisions = list(division_standings.list_divisions(league, number))
    return division_standings.DivisionStandings(
        league,
        divisions[0].season,
        divisions,
        [division.number for division in divisions],
        describe_placement=text.describe_placement,
    ).build_divisions()


def test_a_summary_counts_people_and_knows_who_looks() -> None:
    league = league_of(3)
    leagues.set_member_status(player=get_player("spare"), code=league.code, now=NOW, status="substitute")
    summary = league_read_models.build_summary(load_league(league, "spare"))
    assert (summary.members, summary.substitutes, summary.season) == (3, 1, None)
    assert summary.membership == "substitute"
    assert league_read_models.build_summary(load_league(league, "p1")).membership == "member"
    assert league_read_models.build_summary(load_league(league)).membership is None
    whole = league_read_models.build_league_details(load_league(league), None, NOW)
    assert whole.division_size == 4
    assert whole.seed is None
    assert "secret" not in str(whole)


def test_divisions_stand_in_order_with_who_would_go_up_and_down() -> None:
    league = create_started_league(12)
    top, middle, bottom = build_divisions(league, 1)
    assert [(division.up, division.down) for division in (top, middle, bottom)] == [
        (0, 1),
        (1, 1),
        (1, 0),
    ]
    assert [place.heading for place in middle.placements] == ["up", None, None, "down"]
    play_season(league)
    top, middle, bottom = build_divisions(league, 1)
    assert top.final
    places = middle.placements
    assert [place.name for place in places] == sorted(place.name for place in places)
    assert [(place.rank, place.points, place.played) for place in places] == [
        (1, 3, 3),
        (2, 2, 3),
        (3, 1, 3),
        (4, 0, 3),
    ]
    sweep.sweep_tournaments(now=NOW)
    reasons = {
        placement.player.name: placement.reason["code"]
        for placement in season(league).placements.all()
        if placement.player
    }
    assert (reasons[places[0].name], reasons[places[3].name]) == ("promoted", "relegated")
    assert set(reasons.values()) == {"promoted", "relegated", "stays"}


def test_as_many_queries_for_one_division_as_for_many() -> None:
    query_counts = []
    for count in (4, 16):
        league = create_started_league(count)
        with CaptureQueriesContext(connection) as queries:
            assert len(build_divisions(league, 1)) == count // 4
        query_counts.append(len(queries))
    assert query_counts[0] == query_counts[1] <= 6


def test_everybody_sees_what_they_play() -> None:
    league = create_started_league(4, all_rounds_at_once=True)
    [division] = division_standings.list_divisions(league, 1)
    standings = division_standings.DivisionStandings(
        league, division.season, [division], [1], describe_placement=text.describe_placement
    )
    own_pairings = standings.list_pairings_of(get_player("p1"))
    assert len(own_pairings) == 3
    assert all("p1" in {seat.name for seat in own.pairing.seats} for own in own_pairings)
    assert all(own.pairing.game for own in own_pairings)
    assert standings.list_pairings_of(get_player("stranger")) == []


def test_the_calendar_says_what_was_and_what_comes() -> None:
    league = league_of(4, season_pause=86400, season_limit=2, round_length=86400, time_control="12h")
    assert [date.kind for date in league_read_models.build_calendar(league, None, NOW)] == ["next-season"]
    leagues.start_league(by=league.organiser, code=league.code, now=NOW)
    sweep.sweep_tournaments(now=NOW)
    sweep.sweep_tournaments(now=NOW)
    league.refresh_from_db()
    during = league_read_models.build_calendar(league, season(league), NOW)
    assert [date.kind for date in during] == ["season-began", "round-ends", "season-ends", "next-season"]
    assert (during[1].round, during[1].at, during[1].past) == (1, NOW + DAY, False)
    play_season(league)
    league.refresh_from_db()
    between = league_read_models.build_calendar(league, season(league), NOW)
    assert [date.kind for date in between] == ["season-began", "season-ended", "next-season"]
    assert between[-1].at == NOW + DAY
    sweep.sweep_tournaments(now=NOW + DAY)
    sweep.sweep_tournaments(now=NOW + DAY)
    play_season(league, NOW + DAY)
    league.refresh_from_db()
    over = league_read_models.build_calendar(league, season(league), NOW + DAY)
    assert [date.kind for date in over] == ["season-began", "season-ended"]
    champions = league_read_models.list_champions(league)
    assert [line.season for line in champions] == [2, 1]
    assert {line.champion for line in champions} == {"p1"}
    assert league_read_models.list_champions(league, limit=1) == champions[:1]
    assert league_read_models.count_titles(champions) == [TitleCount("p1", 2)]
    assert league_read_models.list_honours(get_player("p1")) == [
        LeagueHonours(league.code, "The league", [1, 2])
    ]
    assert league_read_models.list_honours(get_player("p2")) == []

"""Leagues as plain facts: summaries, divisions in order, the calendar, honours."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from tournaments.models import League
from tournaments.selectors import division_standings, league_read_models
from tournaments.services import leagues, sweep

from .play import DAY, NOW, someone
from .test_leagues import begun, league_of, played, season

pytestmark = pytest.mark.django_db


def read(league: League, viewer: str = "") -> League:
    return league_read_models.with_counts(League.objects.all(), someone(viewer) if viewer else None).get(
        pk=league.pk
    )


def build_divisions(league: League, number: int) -> list[dict[str, object]]:
    found = list(division_standings.list_divisions(league, number))
    return division_standings.DivisionStandings(
        league, found[0].season, found, [one.number for one in found]
    ).build_divisions()


def test_a_summary_counts_people_and_knows_who_looks() -> None:
    league = league_of(3)
    leagues.set_member_status(player=someone("spare"), code=league.code, now=NOW, status="substitute")
    told = league_read_models.build_summary(read(league, "spare"))
    assert (told["members"], told["substitutes"], told["season"], told["you"]) == (3, 1, None, "substitute")
    assert league_read_models.build_summary(read(league, "p1"))["you"] == "member"
    assert league_read_models.build_summary(read(league))["you"] is None
    whole = league_read_models.build_league_details(read(league))
    assert whole["size"] == 4
    assert whole["seed"] is None
    assert "secret" not in str(whole)


def test_divisions_stand_in_order_with_who_would_go_up_and_down() -> None:
    league = begun(12)
    top, middle, bottom = build_divisions(league, 1)
    assert [(one["up"], one["down"]) for one in (top, middle, bottom)] == [(0, 1), (1, 1), (1, 0)]
    assert [place["heading"] for place in middle["places"]] == ["up", "", "", "down"]  # type: ignore[attr-defined]
    played(league)
    top, middle, bottom = build_divisions(league, 1)
    assert top["final"]
    places = middle["places"]
    assert isinstance(places, list)
    assert [place["name"] for place in places] == sorted(place["name"] for place in places)
    assert [(place["rank"], place["points"], place["played"]) for place in places] == [
        (1, 3, 3),
        (2, 2, 3),
        (3, 1, 3),
        (4, 0, 3),
    ]
    sweep.sweep_tournaments(now=NOW)
    why = {one.player.name: one.why["code"] for one in season(league).places.all() if one.player}
    assert (why[places[0]["name"]], why[places[3]["name"]]) == ("promoted", "relegated")
    assert set(why.values()) == {"promoted", "relegated", "stays"}


def test_as_many_queries_for_one_division_as_for_many() -> None:
    asked = []
    for count in (4, 16):
        league = begun(count)
        with CaptureQueriesContext(connection) as queries:
            assert len(build_divisions(league, 1)) == count // 4
        asked.append(len(queries))
    assert asked[0] == asked[1] <= 6


def test_everybody_sees_what_they_play() -> None:
    league = begun(4, at_once=True)
    [division] = division_standings.list_divisions(league, 1)
    standings = division_standings.DivisionStandings(league, division.season, [division], [1])
    mine = standings.list_pairings_of(someone("p1"))
    assert len(mine) == 3
    assert all("p1" in {seat["name"] for seat in table["seats"]} and table["game"] for table in mine)
    assert standings.list_pairings_of(someone("stranger")) == []


def test_the_calendar_says_what_was_and_what_comes() -> None:
    league = league_of(4, pause=86400, seasons=2, round_length=86400, clock_name="12h")
    assert [one["kind"] for one in league_read_models.build_calendar(league, None, NOW)] == ["next-season"]
    leagues.start_league(by=league.organiser, code=league.code, now=NOW)
    sweep.sweep_tournaments(now=NOW)
    sweep.sweep_tournaments(now=NOW)
    league.refresh_from_db()
    during = league_read_models.build_calendar(league, season(league), NOW)
    assert [one["kind"] for one in during] == ["season-began", "round-ends", "season-ends", "next-season"]
    assert (during[1]["round"], during[1]["at"], during[1]["past"]) == (1, NOW + DAY, False)
    played(league)
    league.refresh_from_db()
    between = league_read_models.build_calendar(league, season(league), NOW)
    assert [one["kind"] for one in between] == ["season-began", "season-ended", "next-season"]
    assert between[-1]["at"] == NOW + DAY
    sweep.sweep_tournaments(now=NOW + DAY)
    sweep.sweep_tournaments(now=NOW + DAY)
    played(league, NOW + DAY)
    league.refresh_from_db()
    over = league_read_models.build_calendar(league, season(league), NOW + DAY)
    assert [one["kind"] for one in over] == ["season-began", "season-ended"]
    won = league_read_models.list_champions(league)
    assert [line["season"] for line in won] == [2, 1]
    assert {line["champion"] for line in won} == {"p1"}
    assert league_read_models.list_champions(league, limit=1) == won[:1]
    assert league_read_models.count_titles(won) == [{"player": "p1", "titles": 2}]
    assert league_read_models.list_honours(someone("p1")) == [
        {"league": league.code, "name": "The league", "seasons": [1, 2]}
    ]
    assert league_read_models.list_honours(someone("p2")) == []

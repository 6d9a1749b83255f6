"""Leagues over several seasons: promotion and relegation, joining and leaving."""

from __future__ import annotations

from itertools import chain
from typing import Any

import pytest

from common.service_errors import Conflict, Denied, Invalid, NotFound
from notifications.models import FeedEntry
from tests.factories.events import DAY, NOW, get_host, get_player
from tests.factories.leagues import (
    create_started_league,
    divisions,
    finish_games,
    league_of,
    play_season,
    season,
)
from tournaments.leagues.services import leagues
from tournaments.models import DivisionPlacement, League, Pairing, Season, Tournament
from tournaments.services import decision_undo, decisions, replacements, sweep, sweep_steps, tournaments

pytestmark = pytest.mark.django_db


def list_final_divisions(season: Season) -> list[list[str]]:
    """List the divisions in the final order."""
    return [
        [place.player.name if place.player else "" for place in division.placements.order_by("rank")]
        for division in season.divisions.order_by("number")
    ]


def test_a_season_is_played_and_the_next_one_follows_with_ups_and_downs() -> None:
    league = create_started_league(9, season_pause=86400)
    first = season(league)
    assert [len(division) for division in divisions(first)] == [4, 5]
    assert Tournament.objects.filter(division__season=first, status="running").count() == 2
    play_season(league)
    top, bottom = list_final_divisions(first)
    assert top == sorted(top)
    assert bottom == sorted(bottom)
    assert not sweep.sweep_tournaments(now=NOW + DAY / 2)
    assert sweep.sweep_tournaments(now=NOW + DAY)["season-began"] == 1
    second = season(league)
    assert second.number == 2
    assert divisions(second) == [[*top[:-1], bottom[0]], [top[-1], *bottom[1:]]]
    codes = {place.player.name: place.reason["code"] for place in second.placements.all() if place.player}
    assert codes[bottom[0]] == "promoted"
    assert codes[top[-1]] == "relegated"
    assert codes[top[0]] == "stays"
    assert FeedEntry.objects.filter(kind="league-season", dedup_key__endswith=":2").count() == 9


def test_one_stays_in_until_one_says_otherwise_and_newcomers_begin_below() -> None:
    league = create_started_league(8)
    first = play_season(league)
    top, _bottom = list_final_divisions(first)
    before = divisions(season(league))
    # The next season has begun by then, so that these changes apply to the season after it.
    leagues.set_member_status(player=get_player(top[0]), code=league.code, now=NOW, status="out")
    leagues.set_member_status(player=get_player("a0"), code=league.code, now=NOW)
    assert divisions(season(league)) == before
    sweep.sweep_tournaments(now=NOW)
    play_season(league)
    third = divisions(season(league))
    assert top[0] not in chain(*third)
    assert "a0" in third[-1]
    assert (
        DivisionPlacement.objects.get(season=season(league), player=get_player("a0")).reason["code"]
        == "newcomer"
    )
    leagues.set_member_status(player=get_player(top[0]), code=league.code, now=NOW)
    assert league.league_members.get(player=get_player(top[0])).status == "member"


def test_a_substitute_takes_over_in_the_middle_of_a_season() -> None:
    league = create_started_league(4)
    with pytest.raises(Conflict):
        leagues.replace_with_substitute(by=get_host(), code=league.code, leaver=get_player("p2"), now=NOW)
    leagues.set_member_status(player=get_player("spare"), code=league.code, now=NOW, status="substitute")
    with pytest.raises(Denied):
        leagues.replace_with_substitute(
            by=get_player("p1"), code=league.code, leaver=get_player("p2"), now=NOW
        )
    with pytest.raises(NotFound):
        leagues.replace_with_substitute(by=get_host(), code=league.code, leaver=get_player("p9"), now=NOW)
    replacement = leagues.replace_with_substitute(
        by=get_host(), code=league.code, leaver=get_player("p2"), now=NOW
    )
    decision_undo.undo_decision(
        by=get_host(), code=replacement.tournament.code, decision=replacement.pk, now=NOW
    )
    status = {
        league_member.player.name: league_member.status
        for league_member in league.league_members.select_related("player")
    }
    assert (status["p2"], status["spare"]) == ("member", "substitute")
    assert set(chain(*divisions(season(league)))) == {"p1", "p2", "p3", "p4"}
    replacement = leagues.replace_with_substitute(
        by=get_host(), code=league.code, leaver=get_player("p2"), now=NOW
    )
    assert replacement.action == "replace"
    status = {
        league_member.player.name: league_member.status
        for league_member in league.league_members.select_related("player")
    }
    assert (status["p2"], status["spare"]) == ("out", "member")
    games = [table.game for table in Pairing.objects.filter(settled_at=None).select_related("game")]
    names = {place.player.name for game in games if game for place in game.seats.all() if place.player}
    assert names == {"p1", "p3", "p4", "spare"}
    sweep.sweep_tournaments(now=NOW)
    play_season(league)
    assert set(chain(*divisions(season(league)))) == {"p1", "p3", "p4", "spare"}


def test_nobody_plays_in_two_divisions() -> None:
    league = create_started_league(8)
    upper, lower = divisions(season(league))
    place = DivisionPlacement.objects.get(season=season(league), player=get_player(upper[0]))
    assert place.entrant
    with pytest.raises(Conflict):
        replacements.propose_replacement(
            by=get_host(),
            code=place.entrant.tournament.code,
            entrant=place.entrant.pk,
            player=get_player(lower[0]),
            now=NOW,
        )


def test_groups_and_tables_of_three_are_played_as_well() -> None:
    league = create_started_league(6, division_size=6, groups_per_division=2)
    assert Tournament.objects.count() == 2
    play_season(league)
    assert len(list_final_divisions(league.seasons.get(number=1))[0]) == 6
    league = create_started_league(6, division_size=6, table_size=3, season_limit=1)
    done = play_season(league)
    assert done.placements.filter(rank=None).count() == 0
    league.refresh_from_db()
    assert (league.status, league.next_sweep_at, league.seed) == ("closed", None, ""), "games are played on"
    finish_games(league, NOW + DAY)
    league.refresh_from_db()
    assert (league.status, league.next_sweep_at, len(league.seed)) == ("closed", None, 64)
    with pytest.raises(Conflict):
        leagues.set_member_status(player=get_player("late"), code=league.code, now=NOW)


def test_a_league_that_is_closed_plays_its_season_to_the_end() -> None:
    league = create_started_league(4)
    leagues.close_league(by=get_host(), code=league.code, now=NOW)
    play_season(league)
    sweep.sweep_tournaments(now=NOW)
    league.refresh_from_db()
    assert league.status == "closed"
    assert league.seasons.count() == 1


def test_a_league_waits_for_people() -> None:
    league = create_started_league(1)
    assert not league.seasons.exists()
    assert (league.next_sweep_at, league.last_error) == (None, "too-few")
    leagues.set_member_status(player=get_player("p2"), code=league.code, now=NOW)
    assert sweep.sweep_tournaments(now=NOW)["season-began"] == 1


def test_a_result_is_not_corrected_once_the_next_season_was_made_of_it() -> None:
    league = create_started_league(4)
    done = play_season(league)
    table = Pairing.objects.filter(tournament__division__season=done)[0]
    with pytest.raises(Conflict):
        decisions.correct_result(
            by=get_host(), code=table.tournament.code, pairing_id=table.pk, ranks=[1, 2], now=NOW
        )


def test_nothing_is_taken_back_in_a_season_that_is_over() -> None:
    league = create_started_league(4, season_pause=86400)
    tournament = Tournament.objects.get()
    play_season(league)
    correction = tournament.decisions.order_by("-pk")[0]
    with pytest.raises(Conflict):
        decision_undo.undo_decision(by=get_host(), code=tournament.code, decision=correction.pk, now=NOW)
    tournament.refresh_from_db()
    assert tournament.status == "finished"
    assert not sweep.sweep_tournaments(now=NOW + DAY / 2)  # nothing is due during the pause


def test_a_season_ends_when_the_last_of_its_events_is_given_up() -> None:
    league = create_started_league(8)
    first, second = Tournament.objects.filter(division__season=season(league)).order_by("pk")
    tournaments.cancel_tournament(by=get_host(), code=second.code, now=NOW)
    assert not sweep.sweep_tournaments(now=NOW)
    tournaments.cancel_tournament(by=get_host(), code=first.code, now=NOW)
    assert sweep.sweep_tournaments(now=NOW)["season-ended"] == 1


def test_who_has_another_place_by_now_does_not_get_the_old_one_back() -> None:
    league = create_started_league(8)
    leagues.set_member_status(player=get_player("spare"), code=league.code, now=NOW, status="substitute")
    upper, lower = divisions(season(league))
    replacement = leagues.replace_with_substitute(
        by=get_host(), code=league.code, leaver=get_player(upper[0]), now=NOW
    )
    leagues.set_member_status(player=get_player(upper[0]), code=league.code, now=NOW, status="substitute")
    leagues.replace_with_substitute(by=get_host(), code=league.code, leaver=get_player(lower[0]), now=NOW)
    with pytest.raises(Conflict):
        decision_undo.undo_decision(
            by=get_host(), code=replacement.tournament.code, decision=replacement.pk, now=NOW
        )


@pytest.mark.parametrize(
    "wrong",
    [{"division_size": 2}, {"promotion_count": 3}, {"groups_per_division": 3}, {"mode": "solo"},
     {"newcomer_policy": "top"}, {"cycles": 0}, {"season_limit": 0}, {"name": ""}, {"season_pause": -1},
     {"format": "knockout"}, {"round_count": 0}],
    ids=str,
)  # fmt: skip
def test_a_league_that_cannot_be_played_cannot_be_made(wrong: dict[str, Any]) -> None:
    with pytest.raises(Invalid):
        league_of(0, **wrong)


def test_a_broken_league_is_tried_later(caplog: pytest.LogCaptureFixture) -> None:
    league = league_of(4)
    leagues.start_league(by=get_host(), code=league.code, now=NOW)
    League.objects.filter(pk=league.pk).update(promotion_count=9)
    assert sweep.sweep_tournaments(now=NOW)["failed"] == 1
    league.refresh_from_db()
    assert league.next_sweep_at == NOW + sweep_steps.RETRY_AFTER
    assert "could not be updated" in caplog.text

"""Leagues: season after season, up and down, in and out."""

from __future__ import annotations

import random
from itertools import chain
from typing import Any

import pytest

from games.models import FeedEntry, Game
from games.services import system_games
from games.services.errors import Conflict, Denied, Invalid, NotFound
from tournaments.models import DivisionPlacement, League, Pairing, Season, Tournament
from tournaments.services import (
    decision_undo,
    decisions,
    leagues,
    replacements,
    seasons,
    simulation,
    sweep,
    tournaments,
)

from .play import DAY, NOW, QUICK, host, name_at, someone

pytestmark = pytest.mark.django_db


def league_of(count: int, **fields: Any) -> League:
    """A league that so many play in: p1, p2 …"""
    wanted = {"organiser": host(), "name": "The league", "size": 4, "moves": 1, "now": NOW}
    league = leagues.create_league(**wanted | QUICK | fields)
    for number in range(1, count + 1):
        leagues.set_member_status(player=someone(f"p{number}"), code=league.code, now=NOW)
    return league


def begun(count: int, **fields: Any) -> League:
    league = league_of(count, **fields)
    leagues.start_league(by=host(), code=league.code, now=NOW)
    sweep.sweep_tournaments(now=NOW)  # the season, then its events
    sweep.sweep_tournaments(now=NOW)
    league.refresh_from_db()
    return league


def divisions(season: Season) -> list[list[str]]:
    """Who plays where, from the top."""
    return [
        [place.player.name if place.player else "" for place in one.places.order_by("number")]
        for one in season.divisions.order_by("number")
    ]


def final(season: Season) -> list[list[str]]:
    """The same in the final order."""
    return [
        [place.player.name if place.player else "" for place in one.places.order_by("rank")]
        for one in season.divisions.order_by("number")
    ]


def season(league: League) -> Season:
    return league.played.order_by("-number")[0]


def played(league: League, now: Any = NOW) -> Season:
    """Play the present season: whoever comes first in the alphabet wins."""
    current = season(league)
    for _ in range(20):
        tables = Pairing.objects.filter(event__division__season=current, settled_at=None)
        for table in tables.select_related("event"):
            names = [name_at(table, place) for place in range(table.sittings.count())]
            ranks = [sorted(names).index(name) + 1 for name in names]
            decisions.correct_result(by=host(), code=table.event.code, table=table.pk, ranks=ranks, now=now)
        sweep.sweep_tournaments(now=now)
        current.refresh_from_db()
        if current.finished_at:
            return current
    raise AssertionError("the season does not end")


def finish_games(league: League, now: Any) -> None:
    """What is played on for nothing comes to its end, too, and the sweep finds that."""
    games = Game.objects.filter(
        table__event__division__season__league=league, status__in=system_games.PLAYING_STATUSES
    )
    for game in games:
        simulation.play_game(game.code, policy="random", rng=random.Random(1), now=now)
    sweep.sweep_tournaments(now=now)


def test_a_season_is_played_and_the_next_one_follows_with_ups_and_downs() -> None:
    league = begun(9, pause=86400)
    first = season(league)
    assert [len(one) for one in divisions(first)] == [4, 5]
    assert Tournament.objects.filter(division__season=first, status="running").count() == 2
    played(league)
    top, bottom = final(first)
    assert top == sorted(top)
    assert bottom == sorted(bottom)
    assert not sweep.sweep_tournaments(now=NOW + DAY / 2)
    assert sweep.sweep_tournaments(now=NOW + DAY)["season-began"] == 1
    second = season(league)
    assert second.number == 2
    assert divisions(second) == [[*top[:-1], bottom[0]], [top[-1], *bottom[1:]]]
    codes = {place.player.name: place.why["code"] for place in second.places.all() if place.player}
    assert codes[bottom[0]] == "promoted"
    assert codes[top[-1]] == "relegated"
    assert codes[top[0]] == "stays"
    assert FeedEntry.objects.filter(kind="league-season", reason__endswith=":2").count() == 9


def test_one_stays_in_until_one_says_otherwise_and_newcomers_begin_below() -> None:
    league = begun(8)
    first = played(league)
    top, _bottom = final(first)
    before = divisions(season(league))
    # The next season has begun by then, so that this counts for the one after.
    leagues.set_member_status(player=someone(top[0]), code=league.code, now=NOW, status="out")
    leagues.set_member_status(player=someone("a0"), code=league.code, now=NOW)
    assert divisions(season(league)) == before
    sweep.sweep_tournaments(now=NOW)
    played(league)
    third = divisions(season(league))
    assert top[0] not in chain(*third)
    assert "a0" in third[-1]
    assert (
        DivisionPlacement.objects.get(season=season(league), player=someone("a0")).why["code"] == "newcomer"
    )
    leagues.set_member_status(player=someone(top[0]), code=league.code, now=NOW)
    assert league.memberships.get(player=someone(top[0])).status == "member"


def test_a_substitute_takes_over_in_the_middle_of_a_season() -> None:
    league = begun(4)
    with pytest.raises(Conflict):
        leagues.replace_with_substitute(by=host(), code=league.code, leaver=someone("p2"), now=NOW)
    leagues.set_member_status(player=someone("spare"), code=league.code, now=NOW, status="substitute")
    with pytest.raises(Denied):
        leagues.replace_with_substitute(by=someone("p1"), code=league.code, leaver=someone("p2"), now=NOW)
    with pytest.raises(NotFound):
        leagues.replace_with_substitute(by=host(), code=league.code, leaver=someone("p9"), now=NOW)
    made = leagues.replace_with_substitute(by=host(), code=league.code, leaver=someone("p2"), now=NOW)
    decision_undo.undo_decision(by=host(), code=made.event.code, decision=made.pk, now=NOW)
    status = {one.player.name: one.status for one in league.memberships.select_related("player")}
    assert (status["p2"], status["spare"]) == ("member", "substitute")
    assert set(chain(*divisions(season(league)))) == {"p1", "p2", "p3", "p4"}
    made = leagues.replace_with_substitute(by=host(), code=league.code, leaver=someone("p2"), now=NOW)
    assert made.what == "replace"
    status = {one.player.name: one.status for one in league.memberships.select_related("player")}
    assert (status["p2"], status["spare"]) == ("out", "member")
    games = [table.game for table in Pairing.objects.filter(settled_at=None).select_related("game")]
    seated = {place.player.name for game in games if game for place in game.places.all() if place.player}
    assert seated == {"p1", "p3", "p4", "spare"}
    sweep.sweep_tournaments(now=NOW)
    played(league)
    assert set(chain(*divisions(season(league)))) == {"p1", "p3", "p4", "spare"}


def test_nobody_plays_in_two_divisions() -> None:
    league = begun(8)
    upper, lower = divisions(season(league))
    place = DivisionPlacement.objects.get(season=season(league), player=someone(upper[0]))
    assert place.entrant
    with pytest.raises(Conflict):
        replacements.propose_replacement(
            by=host(),
            code=place.entrant.event.code,
            entrant=place.entrant.pk,
            player=someone(lower[0]),
            now=NOW,
        )


def test_groups_and_tables_of_three_are_played_as_well() -> None:
    league = begun(6, size=6, groups=2)
    assert Tournament.objects.count() == 2
    played(league)
    assert len(final(league.played.get(number=1))[0]) == 6
    league = begun(6, size=6, table=3, seasons=1)
    done = played(league)
    assert done.places.filter(rank=None).count() == 0
    league.refresh_from_db()
    assert (league.status, league.due_at, league.seed) == ("closed", None, ""), "games are played on"
    finish_games(league, NOW + DAY)
    league.refresh_from_db()
    assert (league.status, league.due_at, len(league.seed)) == ("closed", None, 64)
    with pytest.raises(Conflict):
        leagues.set_member_status(player=someone("late"), code=league.code, now=NOW)


def test_a_league_that_is_closed_plays_its_season_to_the_end() -> None:
    league = begun(4)
    leagues.close_league(by=host(), code=league.code, now=NOW)
    played(league)
    sweep.sweep_tournaments(now=NOW)
    league.refresh_from_db()
    assert league.status == "closed"
    assert league.played.count() == 1


def test_a_league_waits_for_people() -> None:
    league = begun(1)
    assert not league.played.exists()
    assert (league.due_at, league.trouble) == (None, "too-few")
    leagues.set_member_status(player=someone("p2"), code=league.code, now=NOW)
    assert sweep.sweep_tournaments(now=NOW)["season-began"] == 1


def test_a_result_is_not_corrected_once_the_next_season_was_made_of_it() -> None:
    league = begun(4)
    done = played(league)
    table = Pairing.objects.filter(event__division__season=done)[0]
    with pytest.raises(Conflict):
        decisions.correct_result(by=host(), code=table.event.code, table=table.pk, ranks=[1, 2], now=NOW)


def test_nothing_is_taken_back_in_a_season_that_is_over() -> None:
    league = begun(4, pause=86400)
    event = Tournament.objects.get()
    played(league)
    correction = event.decisions.order_by("-pk")[0]
    with pytest.raises(Conflict):
        decision_undo.undo_decision(by=host(), code=event.code, decision=correction.pk, now=NOW)
    event.refresh_from_db()
    assert event.status == "finished"
    assert not sweep.sweep_tournaments(now=NOW + DAY / 2)  # the pause is a pause


def test_a_season_ends_when_the_last_of_its_events_is_given_up() -> None:
    league = begun(8)
    first, second = Tournament.objects.filter(division__season=season(league)).order_by("pk")
    tournaments.cancel_tournament(by=host(), code=second.code, now=NOW)
    assert not sweep.sweep_tournaments(now=NOW)
    tournaments.cancel_tournament(by=host(), code=first.code, now=NOW)
    assert sweep.sweep_tournaments(now=NOW)["season-ended"] == 1


def test_who_has_another_place_by_now_does_not_get_the_old_one_back() -> None:
    league = begun(8)
    leagues.set_member_status(player=someone("spare"), code=league.code, now=NOW, status="substitute")
    upper, lower = divisions(season(league))
    made = leagues.replace_with_substitute(by=host(), code=league.code, leaver=someone(upper[0]), now=NOW)
    leagues.set_member_status(player=someone(upper[0]), code=league.code, now=NOW, status="substitute")
    leagues.replace_with_substitute(by=host(), code=league.code, leaver=someone(lower[0]), now=NOW)
    with pytest.raises(Conflict):
        decision_undo.undo_decision(by=host(), code=made.event.code, decision=made.pk, now=NOW)


@pytest.mark.parametrize(
    "wrong",
    [{"size": 2}, {"moves": 3}, {"groups": 3}, {"mode": "solo"}, {"newcomers": "top"}, {"laps": 0},
     {"seasons": 0}, {"name": ""}, {"pause": -1}, {"format": "knockout"}, {"rounds": 0}],
    ids=str,
)  # fmt: skip
def test_a_league_that_cannot_be_played_cannot_be_made(wrong: dict[str, Any]) -> None:
    with pytest.raises(Invalid):
        league_of(0, **wrong)


def test_a_broken_league_is_tried_later(caplog: pytest.LogCaptureFixture) -> None:
    league = league_of(4)
    leagues.start_league(by=host(), code=league.code, now=NOW)
    League.objects.filter(pk=league.pk).update(moves=9)
    assert sweep.sweep_tournaments(now=NOW)["trouble"] == 1
    league.refresh_from_db()
    assert league.due_at == NOW + seasons.RETRY_AFTER
    assert "could not be settled" in caplog.text

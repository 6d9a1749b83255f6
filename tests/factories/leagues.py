"""Leagues with members, and seasons that start and end."""

from __future__ import annotations

import random
from datetime import datetime
from typing import Any

from accounts.models import Player
from games.models import Game
from games.models.games import PLAYING_STATUSES
from tests.factories.events import NOW, QUICK, get_host, get_player, name_at
from tournaments.leagues.services import leagues, seasons
from tournaments.models import League, Pairing, Season
from tournaments.services import decisions, simulation, sweep


def join_league(*people: Player, organiser: Player, now: datetime, **fields: Any) -> League:
    """Create a league with these members, before its first season."""
    wanted = {"name": "The league", "division_size": 4, "promotion_count": 1}
    league = leagues.create_league(organiser=organiser, now=now, **wanted | fields)
    for player in people:
        leagues.set_member_status(player=player, code=league.code, now=now)
    return league


def start_league(league: League, now: datetime) -> League:
    """Start a league and its first season."""
    assert league.organiser
    leagues.start_league(by=league.organiser, code=league.code, now=now)
    seasons.process_league(league.pk, now)
    league.refresh_from_db()
    return league


def league_of(count: int, **fields: Any) -> League:
    """Create a league with so many members: p1, p2 …"""
    people = [get_player(f"p{number}") for number in range(1, count + 1)]
    return join_league(*people, **{"organiser": get_host(), "now": NOW} | QUICK | fields)


def create_started_league(count: int, **fields: Any) -> League:
    league = league_of(count, **fields)
    leagues.start_league(by=get_host(), code=league.code, now=NOW)
    sweep.sweep_tournaments(now=NOW)  # first the season, then its tournaments
    sweep.sweep_tournaments(now=NOW)
    league.refresh_from_db()
    return league


def divisions(season: Season) -> list[list[str]]:
    """List the players of each division, from the top."""
    return [
        [
            place.player.name if place.player else ""
            for place in division.placements.order_by("start_position")
        ]
        for division in season.divisions.order_by("number")
    ]


def season(league: League) -> Season:
    return league.seasons.order_by("-number")[0]


def play_season(league: League, now: Any = NOW) -> Season:
    """Play the current season; the alphabetically first player of each pairing wins."""
    current = season(league)
    for _ in range(20):
        tables = Pairing.objects.filter(tournament__division__season=current, settled_at=None)
        for table in tables.select_related("tournament"):
            names = [name_at(table, place) for place in range(table.pairing_seats.count())]
            ranks = [sorted(names).index(name) + 1 for name in names]
            decisions.correct_result(
                by=get_host(), code=table.tournament.code, pairing_id=table.pk, ranks=ranks, now=now
            )
        sweep.sweep_tournaments(now=now)
        current.refresh_from_db()
        if current.finished_at:
            return current
    raise AssertionError("the season does not end")


def finish_games(league: League, now: Any) -> None:
    """Play the games that no longer count to their end, and sweep."""
    games = Game.objects.filter(
        pairing__tournament__division__season__league=league, status__in=PLAYING_STATUSES
    )
    for game in games:
        simulation.play_game(game.code, policy="random", rng=random.Random(1), now=now)
    sweep.sweep_tournaments(now=now)

"""Events of a fixed cast, played by bots on a clock that is moved by hand."""

from __future__ import annotations

import random
from datetime import UTC, datetime, timedelta
from typing import Any

from games.models import Game, Player
from games.services import system_games
from tournaments.models import Decision, Entrant, League, Pairing, Tournament
from tournaments.selectors import TournamentState, list_players_of_entrant
from tournaments.services import (
    co_organisers,
    decisions,
    entries,
    proposals,
    replacements,
    simulation,
    sweep,
    tournaments,
)

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
DAY, HOUR = timedelta(days=1), timedelta(hours=1)
QUICK = {"target": 1, "cards": False}  # short games


def host() -> Player:
    """Who organises everything."""
    found = Player.objects.filter(name="host").first()
    return found or Player.objects.create_user(email="host@example.org", name="host", joined_at=NOW)


def someone(name: str) -> Player:
    """A player of that name."""
    found = Player.objects.filter(name=name).first()
    return found or Player.objects.create_user(email=f"{name}@example.org", name=name, joined_at=NOW)


def published(format: str, count: int, **fields: Any) -> Tournament:
    """An event that so many have entered: p1, p2 …, in pairs a1 and b1, a2 and b2 …"""
    event = tournaments.create_tournament(
        organiser=host(), name="The cup", format=format, now=NOW, **QUICK | {"ask": False} | fields
    )
    # Every lot and shuffle is the same whenever a test runs: no game ends level by chance.
    simulation.set_seed_from_rng(
        event, random.Random(f"{format}/{count}/{fields}/{Tournament.objects.count()}")
    )
    tournaments.publish_tournament(by=host(), code=event.code, now=NOW)
    for number in range(1, count + 1):
        if event.mode == "pairs":
            enter_pair(event, f"a{number}", f"b{number}")
        else:
            entries.enter_tournament(player=someone(f"p{number}"), code=event.code, now=NOW)
    event.refresh_from_db()
    return event


def enter_pair(event: Tournament, one: str, other: str, now: datetime = NOW) -> Entrant:
    """Two enter as a pair: the second agrees."""
    asked = entries.ask_partner(player=someone(one), partner=someone(other), code=event.code, now=now)
    proposals.accept_proposal(player=someone(other), proposal_id=asked.pk, now=now)
    return entrant(event, one)


def add_organiser(about: Tournament | League, name: str, *, by: str = "host", now: datetime = NOW) -> None:
    """Somebody is asked to organise an event or a league, too, and agrees."""
    ask = (
        co_organisers.ask_tournament_co_organiser
        if isinstance(about, Tournament)
        else co_organisers.ask_league_co_organiser
    )
    asked = ask(by=someone(by), code=about.code, player=someone(name), now=now)
    proposals.accept_proposal(player=someone(name), proposal_id=asked.pk, now=now)


def replace(event: Tournament, old: str, new: str, now: datetime = NOW, *, number: int = 1) -> Decision:
    """The organiser asks somebody to play on for another, and they agree."""
    asked = replacements.propose_replacement(
        by=host(),
        code=event.code,
        entrant=entrant(event, old).pk,
        player=someone(new),
        number=number,
        now=now,
    )
    proposals.accept_proposal(player=someone(new), proposal_id=asked.pk, now=now)
    return event.decisions.order_by("-pk")[0]


def started(format: str, count: int, **fields: Any) -> Tournament:
    """The same, with its first round under way."""
    event = published(format, count, **fields)
    tournaments.start_tournament(by=host(), code=event.code, now=NOW)
    sweep.sweep_tournaments(now=NOW)
    event.refresh_from_db()
    return event


def playing(event: Tournament) -> list[Pairing]:
    """Tables whose game runs."""
    found = event.tables.filter(settled_at=None, game__status__in=system_games.PLAYING_STATUSES)
    return list(found.select_related("game").prefetch_related("sittings").order_by("pk"))


def play(table: Pairing, now: datetime = NOW) -> Game:
    """Play a table's game to its end."""
    assert table.game
    simulation.play_game(
        table.game.code, policy="random", rng=random.Random(f"{table.match}/{table.rematch}"), now=now
    )
    table.game.refresh_from_db()
    return table.game


def play_round(event: Tournament, now: datetime) -> None:
    """Play all games that run, and settle."""
    for table in playing(event):
        play(table, now)
    sweep.sweep_tournaments(now=now)
    event.refresh_from_db()


def play_to_end(event: Tournament, now: datetime = NOW, *, patience: int = 60) -> datetime:
    """Round after round; gives the time at the end."""
    for _ in range(patience):
        if event.status == "finished":
            return now
        now += DAY
        play_round(event, now)
        if event.held:
            decisions.approve_round(by=host(), code=event.code, now=now)
            sweep.sweep_tournaments(now=now)
            event.refresh_from_db()
    raise AssertionError("it does not end")


def decide(table: Pairing, *order: str, now: datetime = NOW) -> None:
    """The result as the organiser writes it, whatever places change by it: names, the first the best."""
    names = [name_at(table, place) for place in range(table.sittings.count())]
    ranks = [order.index(name) + 1 for name in names]
    decisions.correct_result(
        by=host(), code=table.event.code, table=table.pk, ranks=ranks, now=now, confirmed=True
    )


def name_at(table: Pairing, place: int) -> str:
    """Who sits in a place of a table, from 0; of a pair the first."""
    sitting = table.sittings.get(number=place + 1)
    return list_players_of_entrant(sitting.entrant)[0].name


def entrant(event: Tournament, name: str) -> Entrant:
    """The entrant that somebody plays for."""
    return event.entrants.get(members__player__name=name)


def table_of(event: Tournament, name: str) -> Pairing:
    """The newest table that somebody sits at."""
    found = event.tables.filter(sittings__entrant__members__player__name=name)
    return found.select_related("game").order_by("-pk")[0]


def ranking(event: Tournament) -> list[str]:
    """Everybody in the order of the standings."""
    course = TournamentState(event)
    return [
        list_players_of_entrant(course.entrants[int(line.entrant)])[0].name
        for line in course.build_standings()
    ]

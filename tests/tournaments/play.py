"""Events of a fixed cast, played by bots on a clock that is moved by hand."""

from __future__ import annotations

import random
from datetime import UTC, datetime, timedelta
from typing import Any

from games.models import Game, Player
from games.services import house
from tournaments.models import Decision, Entrant, Event, League, Table
from tournaments.selectors import Course, people
from tournaments.services import (
    co_organisers,
    decisions,
    entries,
    events,
    proposals,
    replacements,
    simulation,
    sweep,
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


def published(format: str, count: int, **fields: Any) -> Event:
    """An event that so many have entered: p1, p2 …, in pairs a1 and b1, a2 and b2 …"""
    event = events.create(
        organiser=host(), name="The cup", format=format, now=NOW, **QUICK | {"ask": False} | fields
    )
    # Every lot and shuffle is the same whenever a test runs: no game ends level by chance.
    simulation.same_lots(event, random.Random(f"{format}/{count}/{fields}/{Event.objects.count()}"))
    events.publish(by=host(), code=event.code, now=NOW)
    for number in range(1, count + 1):
        if event.mode == "pairs":
            enter_pair(event, f"a{number}", f"b{number}")
        else:
            entries.enter(player=someone(f"p{number}"), code=event.code, now=NOW)
    event.refresh_from_db()
    return event


def enter_pair(event: Event, one: str, other: str, now: datetime = NOW) -> Entrant:
    """Two enter as a pair: the second agrees."""
    asked = entries.ask_partner(player=someone(one), partner=someone(other), code=event.code, now=now)
    proposals.accept(player=someone(other), proposal=asked.pk, now=now)
    return entrant(event, one)


def add_organiser(about: Event | League, name: str, *, by: str = "host", now: datetime = NOW) -> None:
    """Somebody is asked to organise an event or a league, too, and agrees."""
    ask = co_organisers.ask_for_event if isinstance(about, Event) else co_organisers.ask_for_league
    asked = ask(by=someone(by), code=about.code, player=someone(name), now=now)
    proposals.accept(player=someone(name), proposal=asked.pk, now=now)


def replace(event: Event, old: str, new: str, now: datetime = NOW, *, number: int = 1) -> Decision:
    """The organiser asks somebody to play on for another, and they agree."""
    asked = replacements.propose_replacement(
        by=host(),
        code=event.code,
        entrant=entrant(event, old).pk,
        player=someone(new),
        number=number,
        now=now,
    )
    proposals.accept(player=someone(new), proposal=asked.pk, now=now)
    return event.decisions.order_by("-pk")[0]


def started(format: str, count: int, **fields: Any) -> Event:
    """The same, with its first round under way."""
    event = published(format, count, **fields)
    events.start(by=host(), code=event.code, now=NOW)
    sweep.sweep(now=NOW)
    event.refresh_from_db()
    return event


def playing(event: Event) -> list[Table]:
    """Tables whose game runs."""
    found = event.tables.filter(settled_at=None, game__status__in=house.PLAYING)
    return list(found.select_related("game").prefetch_related("sittings").order_by("pk"))


def play(table: Table, now: datetime = NOW) -> Game:
    """Play a table's game to its end."""
    assert table.game
    simulation.play_out(
        table.game.code, policy="random", rng=random.Random(f"{table.match}/{table.rematch}"), now=now
    )
    table.game.refresh_from_db()
    return table.game


def play_round(event: Event, now: datetime) -> None:
    """Play all games that run, and settle."""
    for table in playing(event):
        play(table, now)
    sweep.sweep(now=now)
    event.refresh_from_db()


def play_to_end(event: Event, now: datetime = NOW, *, patience: int = 60) -> datetime:
    """Round after round; gives the time at the end."""
    for _ in range(patience):
        if event.status == "finished":
            return now
        now += DAY
        play_round(event, now)
        if event.held:
            decisions.proceed(by=host(), code=event.code, now=now)
            sweep.sweep(now=now)
            event.refresh_from_db()
    raise AssertionError("it does not end")


def decide(table: Table, *order: str, now: datetime = NOW) -> None:
    """The result as the organiser writes it, whatever places change by it: names, the first the best."""
    names = [name_at(table, place) for place in range(table.sittings.count())]
    ranks = [order.index(name) + 1 for name in names]
    decisions.correct(by=host(), code=table.event.code, table=table.pk, ranks=ranks, now=now, confirmed=True)


def name_at(table: Table, place: int) -> str:
    """Who sits in a place of a table, from 0; of a pair the first."""
    sitting = table.sittings.get(number=place + 1)
    return people(sitting.entrant)[0].name


def entrant(event: Event, name: str) -> Entrant:
    """The entrant that somebody plays for."""
    return event.entrants.get(members__player__name=name)


def table_of(event: Event, name: str) -> Table:
    """The newest table that somebody sits at."""
    found = event.tables.filter(sittings__entrant__members__player__name=name)
    return found.select_related("game").order_by("-pk")[0]


def ranking(event: Event) -> list[str]:
    """Everybody in the order of the standings."""
    course = Course(event)
    return [people(course.entrants[int(line.entrant)])[0].name for line in course.standings()]

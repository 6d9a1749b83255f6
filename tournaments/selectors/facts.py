"""Events as anybody may see them: plain facts, the same for pages and for programs.

Nothing here is secret: pairings are told once they are published, and the seed at the end.
"""

from __future__ import annotations

from typing import Any

from django.db.models import Count, Q, QuerySet

from tournaments.models import Entrant, Event, Table
from tournaments.pairing import Id, Match, Standing

from .course import (
    Course,
    name_at,
    name_of,
    people,
    predecessors_at,
    replacements_of,
    seats_of,
)
from .seeds import client_seeds_of

ENTERED = Count("entrants", filter=Q(entrants__status=Entrant.Status.ENTERED))
WAITING = Count("entrants", filter=Q(entrants__status=Entrant.Status.WAITING))
TERMS = (
    *("mode", "table", "edition", "cards", "obligation", "target", "clock", "allowance", "bank"),
    *("blind_allowance", "short_allowance", "short_bank", "timeouts", "weekends", "nights", "vacation"),
    *("chat", "rated", "private", "round_length"),
)
SHAPE = ("rounds", "laps", "at_once", "advance", "third_place")
ENTRY = (
    *("opens_at", "closes_at", "starts_at", "when_full", "capacity", "confirmation", "by_invitation"),
    *("late", "least_rating", "most_rating", "seeding", "ask", "review"),
)


def counted(found: QuerySet[Event]) -> QuerySet[Event]:
    """Events with the number of their entrants, in the one query that reads them."""
    return found.select_related("organiser").annotate(entered=ENTERED)


def summary(event: Event) -> dict[str, Any]:
    """An event in a list; it comes from `counted`."""
    return {
        "id": event.code,
        "name": event.name,
        "format": event.format,
        "status": event.status,
        "mode": event.mode,
        "table": event.table,
        "clock": event.clock,
        "rated": event.rated,
        "organiser": event.organiser.name if event.organiser else None,
        "entered": event.entered,  # type: ignore[attr-defined]
        "capacity": event.capacity,
        "created_at": event.created_at,
        "opens_at": event.opens_at,
        "closes_at": event.closes_at,
        "starts_at": event.starts_at,
        "started_at": event.started_at,
        "finished_at": event.finished_at,
    }


def laid_down(event: Event) -> dict[str, Any]:
    """All that its organiser has chosen."""
    return {name: getattr(event, name) for name in ("name", "text", "format", *SHAPE, *ENTRY, *TERMS)}


def entrant(one: Entrant) -> dict[str, Any]:
    """A player or a pair in an event; `members__player` is fetched."""
    return {
        "id": one.pk,
        "name": name_of(one),
        "players": [player.name for player in people(one)],
        "status": one.status,
        "seed": one.seed,
        "joined": one.joined,
        "left": one.left,
        "absent": one.absent,
        "confirmed": one.confirmed_at is not None,
        "client_seeds": client_seeds_of(one),
        "rank": one.rank,
        "before": before(one),
    }


def before(one: Entrant) -> list[dict[str, Any]]:
    """Who played for an entrant until others did, oldest first, and from which round on those have played."""
    return [
        {
            "number": former.number,
            "player": former.predecessor.name if former.predecessor else None,
            "since_round": former.since_round,
        }
        for former in replacements_of(one)
    ]


def table(course: Course, found: Table) -> dict[str, Any]:
    """A pairing as it was published: who sits where, why, and how it ended."""
    return table_of(found, {pk: course.entrants[pk] for pk in seats_of(found)})


def table_of(found: Table, entrants: dict[int, Entrant]) -> dict[str, Any]:
    """The same, with the entrants who sit there; the names are those of who played, whoever plays now."""
    told = found.result or {}
    seats = seats_of(found)

    def value(name: str, place: int) -> Any:
        return told[name][place] if told.get(name) else None

    bye = len(seats) == 1
    return {
        "id": found.pk,
        "match": found.match,
        "round": found.round,
        "rematch": found.rematch > 1,
        "game_number": found.rematch,
        "attempt": found.attempt,
        "state": "bye" if bye else "over" if found.settled_at else "playing",
        "game": found.game.code if found.game else None,
        "ends_at": found.published.ends_at,
        "settled_at": found.settled_at,
        "by": None if bye else told.get("by"),
        "seats": [
            {
                "entrant": pk,
                "name": name_at(entrants[pk], found),
                "before": predecessors_at(entrants[pk], found),
                "rank": value("ranks", place),
                "points": value("points", place),
                "eights": value("eights", place),
                "forfeit": pk in told.get("forfeits", ()),
                "timeout": pk in told.get("timeouts", ()),
            }
            for place, pk in enumerate(seats)
        ],
        "reasons": found.reasons,
    }


def tables(course: Course, round: int | None = None) -> list[dict[str, Any]]:
    """The tables of an event, or of one of its rounds, in the order in which they were published."""
    return [table(course, one) for one in course.tables if round is None or one.round == round]


def standing(line: Standing, names: dict[Id, str]) -> dict[str, Any]:
    """A line of the standings, with every tie-break, and by which one it is behind the line above."""
    return {
        "rank": line.rank,
        "entrant": line.entrant,
        "name": names[line.entrant],
        "played": line.played,
        "byes": line.byes,
        "withdrawn": line.withdrawn,
        "criteria": [{"key": one.key, "value": one.value} for one in line.criteria],
        "parted_by": line.parted_by,
    }


def names(course: Course) -> dict[Id, str]:
    """Entrants by their numbers."""
    return {pk: name_of(one) for pk, one in course.entrants.items()}


def standings(course: Course) -> list[dict[str, Any]]:
    """Who is ahead, and by what; empty before the start."""
    if course.event.started_at is None:
        return []
    called = names(course)
    return [
        standing(line, called) | {"before": before(course.entrants[int(line.entrant)])}
        for line in course.standings()
    ]


def match(
    one: Match,
    called: dict[Id, str],
    played: dict[str, list[str]],
    sat: dict[tuple[str, Id], str],
    *,
    pending: bool = False,
) -> dict[str, Any]:
    """A match of the bracket; a seat without an entrant says where it is filled from.

    `sat` are the names of those who played where somebody else plays for the entrant by now. `pending`:
    others are to play it since a correction, and the table that was there before is not given up yet.
    """
    seats = one.seats or (None,) * len(one.sources)
    return {
        "match": one.id,
        "bracket": one.bracket,
        "round": one.round,
        "stage": one.stage,
        "state": one.state,
        "pending": pending,
        "advance": one.advance,
        "seats": [
            {
                "entrant": pk,
                "name": sat.get((one.id, pk), called[pk]) if pk is not None else None,
                "place": one.order.index(pk) + 1 if pk in one.order else None,
                "source": {"seed": source.seed, "match": source.match, "place": source.place},
            }
            for pk, source in zip(seats, one.sources, strict=True)
        ],
        "notes": [note.as_dict() for note in one.notes],
        "games": played.get(one.id, []),
    }


def bracket(course: Course) -> dict[str, Any]:
    """Everything there is to draw; empty before the start."""
    if course.event.started_at is None:
        return {"matches": [], "champion": None}
    called, drawn = names(course), course.bracket()
    played: dict[str, list[str]] = {}
    sat: dict[tuple[str, Id], str] = {}
    stale = {table.pk for table in course.stale()}
    pending = {
        table.match
        for table in course.tables
        if table.pk in stale and all(course.entrants[pk].left is None for pk in seats_of(table))
    }
    for one in course.tables:
        if one.pk in stale:
            continue
        if one.game:
            played.setdefault(one.match, []).append(one.game.code)
        for pk in seats_of(one):
            if course.entrants[pk].was_replaced:
                sat[one.match, pk] = name_at(course.entrants[pk], one)
    return {
        "matches": [match(one, called, played, sat, pending=one.id in pending) for one in drawn.matches],
        "champion": called[drawn.champion] if drawn.champion is not None else None,
    }

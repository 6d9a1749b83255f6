"""What pages of an event read besides its course: its setting, whoever looks, and some of its tables."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.db.models import (
    Case,
    Count,
    Exists,
    F,
    OuterRef,
    Prefetch,
    QuerySet,
    When,
    prefetch_related_objects,
)

from games.models import Player, Seat
from tournaments import pairing
from tournaments.models import Appeal, Division, Entrant, Event, Member, Sitting, Table
from tournaments.pairing import Id, elimination

from . import facts
from .course import MEMBERS, UNTOLD, name_at, name_of
from .events import NoSuchEvent, event_for, may_organise
from .seeds import member_of

SITTINGS = Prefetch(
    "sittings",
    Sitting.objects.select_related("entrant").prefetch_related(
        Prefetch("entrant__members", MEMBERS.queryset)
    ),
)


@dataclass(frozen=True)
class Seen:
    """An event, and what it is to whoever looks at it."""

    event: Event
    viewer: Player | None
    organises: bool
    member: Member | None  # the viewer's own place

    @property
    def mine(self) -> Entrant | None:
        """Whom the viewer plays for."""
        return self.member.entrant if self.member else None


def seen(viewer: Player | None, code: str) -> Seen:
    """An event as a viewer comes to it. Raises NoSuchEvent."""
    event = event_for(viewer, code)
    member = None if viewer is None or viewer.guest else member_of(event, viewer)
    return Seen(event, viewer, may_organise(viewer, event), member)


def places(event: Event) -> dict[str, int]:
    """How many there are of each status."""
    counted = played_for(event).order_by().values_list("status").annotate(n=Count("pk"))
    return dict.fromkeys(Entrant.Status.values, 0) | dict(counted)


def division_of(event: Event) -> Division | None:
    """Where an event belongs that is part of a league."""
    if event.division_id is None:
        return None
    return Division.objects.select_related("season__league").get(pk=event.division_id)


def place_in_line(event: Event, mine: Entrant) -> int:
    """The place in the waiting list, from 1."""
    return event.entrants.filter(status=Entrant.Status.WAITING, pk__lt=mine.pk).count() + 1


def played_for(event: Event) -> QuerySet[Entrant]:
    """Entrants that somebody plays for, or did: not those whose players came in anew."""
    return event.entrants.filter(Exists(Member.objects.filter(entrant=OuterRef("pk"))))


def entrants(event: Event) -> QuerySet[Entrant]:
    """Everybody who entered, in the order of the draw, then as they came; who waits comes last.

    An entrant whose players forgot to confirm and came in anew is told of once, as the newer one.
    """
    waits = Case(When(status=Entrant.Status.WAITING, then=1), default=0)
    return played_for(event).order_by(waits, F("seed").asc(nulls_last=True), "pk").prefetch_related(MEMBERS)


def first_entrants(event: Event, limit: int) -> tuple[list[Entrant], list[Entrant]]:
    """The first of those who entered, and the first of those who wait, with their players."""
    found = entrants(event).prefetch_related(None)
    entered = list(found.exclude(status=Entrant.Status.WAITING)[:limit])
    waiting = list(found.filter(status=Entrant.Status.WAITING)[:limit])
    prefetch_related_objects([*entered, *waiting], MEMBERS)
    return entered, waiting


def waiting_names(event: Event, limit: int) -> list[str]:
    """Who waits for a place, the longest first."""
    found = entrants(event).filter(status=Entrant.Status.WAITING).order_by("pk")[:limit]
    return [name_of(one) for one in found]


def tables(event: Event, mine: Entrant | None = None) -> QuerySet[Table]:
    """The tables of an event that mean something, with all that a line about them tells; one's own first."""
    found = event.tables.filter(void=False).select_related("game", "published").defer(*UNTOLD)
    if mine:
        found = found.order_by(
            Exists(Sitting.objects.filter(table=OuterRef("pk"), entrant=mine)).desc(), "pk"
        )
    else:
        found = found.order_by("pk")
    return found.prefetch_related(SITTINGS)


def table_for(event: Event, pk: int) -> Table:
    """One of them. Raises NoSuchEvent."""
    found = event.tables.filter(pk=pk).select_related("game", "published").defer(*UNTOLD)
    table = found.prefetch_related(SITTINGS).first()
    if table is None:
        raise NoSuchEvent(pk)
    return table


def called(found: Table) -> dict[Id, str]:
    """The names of those at a table."""
    return {one.entrant_id: name_at(one.entrant, found) for one in found.sittings.all()}


def told(found: Table) -> dict[str, Any]:
    """A table as plain facts, if it was read here."""
    return facts.table_of(found, {one.entrant_id: one.entrant for one in found.sittings.all()})


def appeals(found: Table, seen: Seen) -> list[Appeal]:
    """What was objected to at a table: for whoever did, and the organisers."""
    if seen.viewer is None:
        return []
    all_of_table = found.appeals.select_related("by", "answered_by").order_by("pk")
    return list(all_of_table if seen.organises else all_of_table.filter(by=seen.viewer))


def rounds(event: Event) -> int | None:
    """How many rounds the main bracket of a knock-out has; None where there is no final to count from."""
    if event.format != Event.Format.KNOCKOUT or event.started_at is None:
        return None
    inside = event.entrants.exclude(status=Entrant.Status.WAITING).filter(joined__lte=1).exclude(left=0)
    entrants = inside.count()
    if entrants < 2:
        return None
    plan = elimination.plan(
        pairing.Event(
            "knockout",
            tuple(pairing.Entrant(number, number) for number in range(entrants)),
            bytes(32),
            table=event.table,
            advance=event.advance,
        )
    )
    return max(match.round for match in plan)


def turns(viewer: Player | None, events: list[int]) -> set[int]:
    """The events of these in which a game waits for the viewer."""
    if viewer is None or not events:
        return set()
    seats = Seat.objects.filter(player=viewer, game__table__event__in=events, game__table__settled_at=None)
    found = seats.values_list("game__table__event_id", "number", "game__to_act")
    return {event for event, number, to_act in found if number and to_act >> number & 1}

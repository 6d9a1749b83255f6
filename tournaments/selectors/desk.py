"""What an organiser looks at: a part of an event at a time, in few queries however large it is."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from django.db.models import Count, Exists, F, OuterRef, Q, QuerySet

from games.models import Player
from tournaments.models import Appeal, Decision, Entrant, Event, Member, Round, Sitting, Table

from . import page


def rounds_in_play(event: Event) -> list[Round]:
    """Rounds with tables that are not over: `tables_in_all`, `tables_open`."""
    alive = Q(tables__void=False)
    counted = event.published.annotate(
        tables_in_all=Count("tables", filter=alive),
        tables_open=Count("tables", filter=alive & Q(tables__settled_at=None)),
    )
    return list(counted.filter(tables_open__gt=0).order_by("number"))


def entrants(event: Event, name: str = "") -> QuerySet[Entrant]:
    """Everybody who entered, or those with such a name."""
    found = page.entrants(event)
    return found.filter(pk__in=named(event, name)) if name else found


def named(event: Event, name: str) -> QuerySet[Member, int]:
    """Entrants with something like it in their name."""
    return event.members.filter(player__name__icontains=name).values_list("entrant", flat=True)


def confirmed(event: Event) -> int:
    """How many of those who have a place have confirmed."""
    return event.entrants.filter(status=Entrant.Status.ENTERED, confirmed_at__isnull=False).count()


def tables(event: Event, name: str = "", playing: bool = False) -> QuerySet[Table]:
    """Tables that still mean something, the newest round first."""
    found = page.tables(event).order_by("-published__number", "pk")
    if playing:
        found = found.filter(settled_at=None)
    if name:
        # Whom it means is asked first: a planner that has not counted yet may walk all three tables in loops.
        sat = Sitting.objects.filter(table=OuterRef("pk"), entrant__in=list(named(event, name)))
        found = found.filter(Exists(sat))
    return found


def appeals(event: Event) -> QuerySet[Appeal]:
    """What players ask to have looked at: those without an answer first."""
    found = Appeal.objects.filter(table__event=event).select_related("by", "answered_by", "table")
    return found.order_by(F("answered_at").asc(nulls_first=True), "pk")


def log(event: Event) -> QuerySet[Decision]:
    """What was decided, the latest first."""
    return event.decisions.select_related("by", "undone_by", "event").order_by("-pk")


# --------------------------------------------------------------------------------------------------- names


def names_of(entrants: Iterable[int]) -> dict[Any, str]:
    """What some entrants are called, in one query; a former player has no name."""
    wanted = set(entrants)
    if not wanted:
        return {}
    found: dict[Any, list[str]] = {one: [] for one in wanted}
    members = Member.objects.filter(entrant__in=wanted).order_by("number")
    for entrant, name in members.values_list("entrant_id", "player__name"):
        found[entrant] += [name] if name else []
    return {one: " & ".join(called) or "–" for one, called in found.items()}


def names_in(notes: Iterable[Mapping[str, Any]]) -> dict[Any, str]:
    """What everybody is called whom reasons or warnings speak of."""
    ids: set[int] = set()
    for note in notes:
        for name, value in note.items():
            if name in ("entrant", "first"):
                ids.add(value)
            elif name in ("entrants", "gone", "had", "rematch") and isinstance(value, list | tuple):
                ids.update(value)
    return names_of(ids)


def names_at(tables: Sequence[Table]) -> list[dict[Any, str]]:
    """For each table the names of those who sit there and of whoever its reasons speak of, in one query."""
    others = names_in(note for one in tables for note in one.reasons)
    return [{**others, **page.called(one)} for one in tables]


def players_in(decisions: Iterable[Decision]) -> dict[Any, str]:
    """The names of players whom decisions speak of."""
    sides = [side for one in decisions for side in (one.before, one.after)]
    ids = {side.get("player") for side in sides} - {None}
    ids.update(pk for side in sides for pk in side.get("players", ()))
    return dict(Player.objects.filter(pk__in=ids).values_list("pk", "name")) if ids else {}


def matches_in(decisions: Iterable[Decision]) -> dict[int, str]:
    """The matches of tables that decisions speak of."""
    ids = {side.get("table") for one in decisions for side in (one.before, one.after)} - {None}
    return dict(Table.objects.filter(pk__in=ids).values_list("pk", "match")) if ids else {}


def entrants_in(decisions: Iterable[Decision]) -> dict[Any, str]:
    """The names of entrants whom decisions speak of."""
    ids = {side.get("entrant") for one in decisions for side in (one.before, one.after)} - {None}
    return names_of(pk for pk in ids if pk is not None)

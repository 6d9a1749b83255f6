"""One event in full, as plain facts: how far it is, parts of its tables, what was decided, what for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from django.db.models import Count, Q, QuerySet

from games.models import Player
from tournaments.models import Appeal, Decision, Event, Invite, Round, Table
from tournaments.pairing import Finished, Waiting
from tournaments.pairing import Round as Paired

from . import desk, facts, seeding
from .course import MEMBERS, Course, name_of, seats_of
from .events import may_organise
from .may import you
from .seeds import client_seeds_of


def whole(event: Event, viewer: Player | None, now: datetime) -> dict[str, Any]:
    """All that can be said of an event in one go, and what the viewer may do."""
    inside = facts.counted(Event.objects.filter(pk=event.pk)).annotate(waiting=facts.WAITING)
    found = inside.select_related("division__season__league").get()
    mine = you(found, viewer, now)
    return (
        facts.summary(found)
        | facts.laid_down(found)
        | {
            "waiting": found.waiting,
            "helpers": list(found.helpers.order_by("name").values_list("name", flat=True)),
            "held": found.held if mine["organiser"] else "",
            "waits_for_organiser": bool(found.held),
            "warnings": found.warnings if mine["organiser"] else [],
            "round": next(reversed(rounds(found)), None) if found.started_at else None,
            "champions": champions(found),
            "commitment": found.commitment,
            "event_commitment": found.commitment,
            "event_seed": found.seed or None,
            "league": of_league(found),
            "you": mine,
        }
    )


def of_league(event: Event) -> dict[str, Any] | None:
    """Which part of which league an event is, if it is one."""
    if event.division is None:
        return None
    season = event.division.season
    return {
        "id": season.league.code,
        "name": season.league.name,
        "season": season.number,
        "division": event.division.number,
        "group": event.group,
    }


def champions(event: Event) -> list[str]:
    """Who came first; nobody while it is played."""
    if event.status != Event.Status.FINISHED:
        return []
    return [name_of(one) for one in event.entrants.filter(rank=1).prefetch_related(MEMBERS)]


def rounds(event: Event) -> list[dict[str, Any]]:
    """What was published together, and how far it is played."""
    counts = {
        "tables_made": Count("tables", filter=Q(tables__void=False)),
        "still_played": Count("tables", filter=Q(tables__void=False, tables__settled_at=None)),
    }
    found: QuerySet[Round, Any] = event.published.annotate(**counts).order_by("number")
    return [
        {
            "number": one.number,
            "made_at": one.made_at,
            "ends_at": one.ends_at,
            "tables": one.tables_made,
            "playing": one.still_played,
            "warnings": one.warnings,
        }
        for one in found
    ]


# -------------------------------------------------------------------------------------------------- pairings


def coming(found: Paired | Waiting | Finished) -> dict[str, Any]:
    """What comes next in an event, with names."""
    told: dict[str, Any] = {
        "state": "round",
        "round": None,
        "pairings": [],
        "warnings": [],
        "matches": [],
        "champion": None,
    }
    if isinstance(found, Waiting):
        return told | {"state": "waiting", "round": found.round, "matches": list(found.matches)}
    if isinstance(found, Finished):
        called = desk.names_of([int(found.champion)] if found.champion is not None else [])
        return told | {"state": "finished", "champion": called.get(found.champion)}
    called = desk.names_of(int(id) for one in found.pairings for id in one.seats)
    return told | {
        "round": found.number,
        "pairings": [
            {
                "match": one.match,
                "round": one.round,
                "rematch": one.rematch,
                "seats": [{"entrant": id, "name": called[id]} for id in one.seats],
                "reasons": [note.as_dict() for note in one.reasons],
            }
            for one in found.pairings
        ],
        "warnings": [note.as_dict() for note in found.warnings],
    }


def proof(course: Course) -> dict[str, Any]:
    """All that the pairings of an event follow from; its seed once it is over."""
    event = course.event
    return {
        "code": event.code,
        "commitment": event.commitment,
        "seed": event.seed or None,
        "event_commitment": event.commitment,
        "event_seed": event.seed or None,
        "format": event.format,
        "table": event.table,
        **{name: getattr(event, name) for name in facts.SHAPE},
        "entrants": [
            {
                "id": one.pk,
                "seed": one.seed,
                "joined": one.joined,
                "left": one.left,
                "absent": one.absent,
                "client_seeds": client_seeds_of(one),
            }
            for one in course.entrants.values()
        ],
        "results": [result(one) for one in course.tables],
        **seeding.read_seeding(event),
        "corrections": seeding.read_corrections(event),
    }


def result(table: Table) -> dict[str, Any]:
    """How a table that was published ended, by its seats; without ranks it is a bye, or still played."""
    told = table.result or {}
    return {
        "published": table.published.number,
        "match": table.match,
        "round": table.round,
        "game": table.rematch,
        "attempt": table.attempt,
        "seats": seats_of(table),
        "ranks": told.get("ranks"),
        "points": told.get("points", []),
        "eights": told.get("eights", []),
        "forfeits": told.get("forfeits", []),
    }


# --------------------------------------------------------------------------------- decisions and objections


def decided(found: Sequence[Decision], *, organises: bool) -> list[dict[str, Any]]:
    """These decisions, with the names of those whom they are about.

    Reasons are for those who organise; a note for everybody is theirs alone once its decision was undone.
    """
    about = {one.pk: {**one.before, **one.after} for one in found}
    names = desk.players_in(found)
    seen = any(one.what in seeding.CHANGES_OF_DRAW for one in found)
    looked = seeding.first_preview(found[0].event_id) if seen else None

    return [
        {
            "id": one.pk,
            "at": one.at,
            "by": one.by.name if one.by else None,
            "what": one.what,
            "why": one.why if organises else None,
            "public_note": one.public_note if organises else public_note_of(one),
            "table": about[one.pk].get("table"),
            "entrant": about[one.pk].get("entrant"),
            "player": names.get(one.after.get("player")),
            "was": names.get(one.before.get("player")) or removed_names(one, names),
            "result": one.after.get("result"),
            "result_before": one.before.get("result"),
            "until": one.after.get("ends_at"),
            "changed": one.after if one.what == "edit" else None,
            "seeds": one.after["order"] if one.what == seeding.SEEDS else None,
            "after_preview": seeding.came_after_preview(one, looked, started_at=one.event.started_at),
            "undoes": one.undoes_id,
            "undone": hasattr(one, "undone_by"),
        }
        for one in found
    ]


def removed_names(decision: Decision, names: Mapping[Any, str]) -> str | None:
    """Who was taken off the list of entrants by a decision, if that is what it was."""
    found = [names[pk] for pk in decision.before.get("players", ()) if pk in names]
    return " & ".join(found) or None


def public_note_of(one: Decision) -> str:
    """What everybody may read of a decision: nothing more once it was undone."""
    return "" if hasattr(one, "undone_by") else one.public_note


def appeals(event: Event, viewer: Player) -> QuerySet[Appeal]:
    """All appeals for those who organise the event, and their own for the others."""
    found = Appeal.objects.filter(table__event=event).select_related("table", "by", "answered_by")
    return found if may_organise(viewer, event) else found.filter(by=viewer)


def appeal(one: Appeal) -> dict[str, Any]:
    """What somebody asked an organiser to look at, and the answer."""
    return {
        "id": one.pk,
        "table": one.table_id,
        "match": one.table.match,
        "by": one.by.name if one.by else None,
        "at": one.at,
        "text": one.text,
        "answer": one.answer,
        "answered_by": one.answered_by.name if one.answered_by else None,
        "answered_at": one.answered_at,
    }


def invites(event: Event, viewer: Player) -> QuerySet[Invite]:
    """Whom the event is open to, if it is by invitation; for those who organise it."""
    found = event.invites.select_related("player")
    return found if may_organise(viewer, event) else found.filter(player=viewer)

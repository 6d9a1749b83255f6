"""Where the numbers of a draw come from: seeds set by hand, ratings, lots; and who saw the draw before."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from django.db.models import Q

from tournaments.models import Decision, Entrant, Event

SEEDS, PREVIEW, EDIT = "seeds", "preview", "edit"  # kinds of decisions that are about the draw
# Decisions that change what the draw follows from: its settings, or who takes part.
CHANGES_OF_DRAW = (SEEDS, EDIT, "remove", "replace", "undo-replace")
MAX_LISTED_CHANGES = 100  # the newest; the log of decisions has all of them, in pages
CORRECTIONS = ("correct", "undo-correct")


def read_seeding(event: Event) -> dict[str, Any]:
    """Who set which seeds and when, who looked at the draw before the start, and what holds now."""
    # An order may name thousands: what it was before is not needed, nor are changes that are not listed.
    newest = event.decisions.filter(what=SEEDS).order_by("-pk").values("pk")[:MAX_LISTED_CHANGES]
    listed = event.decisions.filter(Q(what=PREVIEW) | Q(pk__in=newest)).select_related("by").defer("before")
    logged = list(listed.order_by("pk"))
    looks = [one for one in logged if one.what == PREVIEW]
    set_by_hand = [one for one in logged if one.what == SEEDS]
    return {
        "seeding": seeding_of(event),
        "seeds_logged": event.seeding_logged,
        "seeded_by_hand": seeded_by_hand(event, set_by_hand),
        "seed_changes": [
            {
                "decision": one.pk,
                "at": one.at,
                "by": one.by.name if one.by else None,
                "count": len(one.after["order"]),
                "after_preview": any(look.pk < one.pk for look in looks),
            }
            for one in set_by_hand
        ],
        "previews": [
            {"at": one.at, "by": one.by.name if one.by else None}
            for number, one in enumerate(looks)
            if one.by is None or one.by_id not in {look.by_id for look in looks[:number]}
        ],
    }


def seeding_of(event: Event) -> str:
    """What numbers those who are not seeded by hand: the order of a league's division, ratings, or lots."""
    return "division" if event.division_id else event.seeding


def seeded_by_hand(event: Event, set_by_hand: Sequence[Decision]) -> list[int]:
    """The entrants whose seeds somebody chose, the first seed first."""
    if set_by_hand:
        order = set_by_hand[-1].after["order"]
        staying = set(event.entrants.filter(pk__in=order).values_list("pk", flat=True))
        return [pk for pk in order if pk in staying]
    if event.seeding_logged or seeding_of(event) != Event.Seeding.LOT:
        return []
    # Set before such a thing was logged: where lots number the others, no seed is written for them.
    return list(event.entrants.filter(seed__isnull=False).order_by("seed").values_list("pk", flat=True))


def numbering_of(event: Event, entrants: Iterable[Entrant] | None = None) -> str:
    """What numbers the entrants of a draw, who may be read already: "hand" if somebody chose some of it."""
    if event.division_id:
        return seeding_of(event)
    if entrants is not None and event.seeding == Event.Seeding.LOT:  # lots are not written down as seeds
        return "hand" if any(one.seed for one in entrants) else seeding_of(event)
    last = event.decisions.filter(what=SEEDS).defer("before").order_by("-pk").first()
    return "hand" if seeded_by_hand(event, [last] if last else []) else seeding_of(event)


def first_preview(event_id: int) -> int | None:
    """The first decision to look at the draw of an event before its start."""
    looks = Decision.objects.filter(event=event_id, what=PREVIEW).order_by("pk")
    return looks.values_list("pk", flat=True).first()


def came_after_preview(one: Decision, looked: int | None, started_at: Any) -> bool:
    """Whether somebody who could have seen the draw changed what it follows from."""
    before_start = started_at is None or one.at < started_at
    return looked is not None and one.what in CHANGES_OF_DRAW and one.pk > looked and before_start


def read_corrections(event: Event) -> list[dict[str, Any]]:
    """Results that were written anew, oldest first, and what they were before: rounds were paired by that."""
    found = event.decisions.filter(what__in=CORRECTIONS).order_by("pk")
    return [
        {
            "decision": one.pk,
            "at": one.at,
            "table": one.before.get("table", one.after.get("table")),
            "before": one.before.get("result"),
            "after": one.after.get("result"),
        }
        for one in found
    ]

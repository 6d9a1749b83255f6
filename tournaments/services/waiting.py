"""Places and the waiting list of an event; the caller holds its row."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from games.models import Player
from tournaments.models import Entrant, Event, Member
from tournaments.selectors.caps import count_places
from tournaments.selectors.may import first_round

from .notices import tell_of_places, tell_partners


def taken(event: Event) -> int:
    """How many places are taken."""
    return event.entrants.filter(status=Entrant.Status.ENTERED).count()


def move_up(event: Event, now: datetime) -> None:
    """Whoever waits longest takes a place that is free, if one can still come in."""
    if not first_round(event):
        return
    waiting = event.entrants.filter(status=Entrant.Status.WAITING).order_by("pk")
    free = max(count_places(event) - taken(event), 0)
    lucky = list(waiting.values_list("pk", flat=True)[:free])
    if lucky:
        event.entrants.filter(pk__in=lucky).update(status=Entrant.Status.ENTERED, joined=first_round(event))
        if event.confirmation and event.status == Event.Status.PUBLISHED:
            Event.objects.filter(pk=event.pk).update(due_at=now)  # they are asked, too
        tell_of_places(event, lucky, now)


# ------------------------------------------------------------------------------- substitutes from the list


def entry_on_list(event: Event, player: Player) -> Entrant | None:
    """The entry with which somebody waits for a place, if they do."""
    return event.entrants.filter(status=Entrant.Status.WAITING, members__player=player).first()


def take_off_list(event: Event, player: Player, now: datetime) -> dict[str, Any]:
    """Somebody from the waiting list plays for an entrant: gives what it takes to put them back, or nothing.

    A partner with whom they waited is told; the pair waits no more.
    """
    entrant = entry_on_list(event, player)
    if entrant is None:
        return {}
    facts = {
        "entrant": entrant.pk,
        "entered_at": entrant.entered_at.isoformat(),
        "confirmed_at": entrant.confirmed_at.isoformat() if entrant.confirmed_at else None,
        "members": list(
            entrant.members.order_by("number").values("player_id", "number", "client_seed", "entry_number")
        ),
    }
    tell_partners(event, [entrant], now, but=player)
    entrant.delete()
    return {"waited": facts}


def put_back_on_list(event: Event, facts: Mapping[str, Any]) -> None:
    """Whoever came from the waiting list waits again where they stood, unless they entered since or left."""
    waited = facts.get("waited")
    people = [one["player_id"] for one in waited["members"]] if waited else []
    if not waited or event.members.filter(player__in=people).exists():
        return
    removed = event.removals.filter(lifted_at=None).values("player")
    able = Player.objects.filter(pk__in=people, is_active=True).exclude(pk__in=removed)
    if able.count() < len(people):  # a pair waits with both of its players, or not at all
        return
    confirmed_at = waited["confirmed_at"]
    entrant = Entrant.objects.create(
        pk=waited["entrant"],  # the order of the list is that of the numbers
        event=event,
        status=Entrant.Status.WAITING,
        entered_at=datetime.fromisoformat(waited["entered_at"]),
        confirmed_at=datetime.fromisoformat(confirmed_at) if confirmed_at else None,
    )
    Member.objects.bulk_create([Member(event=event, entrant=entrant, **one) for one in waited["members"]])

"""What somebody may do with an event as it stands: what the services would not refuse."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.db.models import Max

from games.models import Player
from tournaments.models import Entrant, Event, League, Membership
from tournaments.pairing import swiss

from .course import planned
from .events import may_organise, may_run
from .ratings import rating_of

BEFORE = (Event.Status.DRAFT, Event.Status.PUBLISHED)
OVER = (Event.Status.FINISHED, Event.Status.CANCELLED)


def you(event: Event, viewer: Player | None, now: datetime) -> dict[str, Any]:
    """Who the viewer is to an event, and the deeds that are open to them, by the names of the API."""
    if viewer is None:
        return {"organiser": False, "entrant": None, "status": None, "confirmed": None, "may": []}
    organiser = may_organise(viewer, event)
    found = Entrant.objects.filter(event=event, members__player=viewer).first()
    return {
        "organiser": organiser,
        "entrant": found.pk if found else None,
        "status": found.status if found else None,
        "confirmed": found.confirmed_at is not None if found else None,
        "may": [*as_player(event, viewer, found, now), *(as_organiser(event) if organiser else ())],
    }


def as_player(event: Event, player: Player, entrant: Entrant | None, now: datetime) -> list[str]:
    """What is open to whoever plays, or could."""
    if entrant is None:
        return ["enter"] if may_enter(event, player, now) else []
    playing = event.status == Event.Status.RUNNING and entrant.left is None
    to_confirm = event.confirmation and entrant.confirmed_at is None
    told = {
        "leave": event.status in BEFORE or entrant.status == Entrant.Status.WAITING,
        "confirm": event.status in BEFORE and to_confirm,
        "withdraw": playing and entrant.status == Entrant.Status.ENTERED,
        "sit-out": event.format == Event.Format.SWISS and (event.status in BEFORE or playing),
        "appeal": event.started_at is not None,
    }
    return [deed for deed, open in told.items() if open]


def may_enter(event: Event, player: Player, now: datetime) -> bool:
    """Whether the event is open, and open to this player."""
    if event.division_id or player.guest or not (event.status == Event.Status.PUBLISHED or still_open(event)):
        return False
    if (event.opens_at and now < event.opens_at) or (event.closes_at and now >= event.closes_at):
        return False
    if event.by_invitation and not event.invites.filter(player=player).exists():
        return False
    if event.least_rating is None and event.most_rating is None:
        return True
    rating = rating_of(player, event.mode)
    return (event.least_rating or 0) <= rating <= (event.most_rating or rating)


def still_open(event: Event) -> bool:
    """Whether somebody can come in while it runs: in Swiss rounds, if there is one that has not begun."""
    if event.status != Event.Status.RUNNING or not event.late:
        return False
    begun = event.tables.aggregate(last=Max("round"))["last"] or 0
    entrants = event.entrants.exclude(status=Entrant.Status.WAITING)
    return begun < swiss.rounds(planned(event, entrants, bytes(32)))


def as_organiser(event: Event) -> list[str]:
    """What is open to those who organise it."""
    before, running = event.status in BEFORE, event.status == Event.Status.RUNNING
    told = {
        "change": event.status not in OVER,
        "delete": event.status == Event.Status.DRAFT,
        "publish": event.status == Event.Status.DRAFT,
        "start": event.status == Event.Status.PUBLISHED,
        "cancel": event.status not in OVER,
        "seed": before,
        "invite": event.status not in OVER,
        "add-helper": True,
        "preview": running or event.status == Event.Status.PUBLISHED,
        "proceed": running and bool(event.held),
        "extend": running,
        "correct": event.status in (Event.Status.RUNNING, Event.Status.FINISHED),
        "disqualify": running,
        "replace": event.status in (Event.Status.PUBLISHED, Event.Status.RUNNING),
    }
    return [deed for deed, open in told.items() if open]


# -------------------------------------------------------------------------------------------------- leagues


def you_in(league: League, viewer: Player | None) -> dict[str, Any]:
    """Who the viewer is to a league, and the deeds that are open to them."""
    if viewer is None:
        return {"organiser": False, "status": None, "may": []}
    organiser = may_run(viewer, league)
    mine = league.memberships.filter(player=viewer).first()
    status = mine.status if mine else Membership.Status.OUT
    alive = league.status != League.Status.CLOSED and not viewer.guest
    told = {
        "join": alive and status != Membership.Status.MEMBER,
        "leave": alive and status != Membership.Status.OUT,
        "substitute": alive and status != Membership.Status.SUBSTITUTE,
        "change": organiser and alive,
        "start": organiser and league.status == League.Status.OPEN,
        "close": organiser and alive,
        "replace": organiser and league.status == League.Status.RUNNING,
        "add-helper": organiser,
    }
    return {
        "organiser": organiser,
        "status": mine.status if mine else None,
        "may": [deed for deed, open in told.items() if open],
    }

"""What somebody may do with an event as it stands, before they say with whom or with what."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from django.db.models import Max

from games.models import Player
from tournaments.models import Entrant, Event, League, Membership, Proposal
from tournaments.pairing import swiss

from .course import planned
from .events import may_organise, may_run
from .evidence import has_left_tables_of
from .proposals import open_proposals
from .ratings import rating_of
from .removals import is_removed
from .seeds import may_change_seed, member_of
from .undecided import UNDECIDED

BEFORE = (Event.Status.DRAFT, Event.Status.PUBLISHED)
OVER = (Event.Status.FINISHED, Event.Status.CANCELLED)
AFTERWARDS = timedelta(days=14)  # how long an event that is over may still be appealed


def you(event: Event, viewer: Player | None, now: datetime) -> dict[str, Any]:
    """Who the viewer is to an event, and the deeds that are open to them, by the names of the API."""
    if viewer is None:
        nobody: dict[str, Any] = dict.fromkeys(("entrant", "status", "confirmed", "client_seed"))
        return {"organiser": False, **nobody, "proposals": [], "may": []}
    organiser = may_organise(viewer, event)
    member = member_of(event, viewer)
    found = member.entrant if member else None
    asked = [one for one in open_proposals(viewer, event) if one.kind == Proposal.Kind.PARTNER]
    deeds = as_player(event, viewer, found, now)
    if found is None and event.started_at and has_left_tables_of(event, viewer):
        deeds += [] if too_late_to_appeal(event, now) else ["appeal"]
    if may_change_seed(event, member):
        deeds.append("client-seed")
    return {
        "organiser": organiser,
        "entrant": found.pk if found else None,
        "status": found.status if found else None,
        "confirmed": found.confirmed_at is not None if found else None,
        "client_seed": member.effective_client_seed if member else None,
        "proposals": [one.pk for one in asked],
        "may": [
            *deeds,
            *(["leave"] if found is None and any(one.by_id == viewer.pk for one in asked) else ()),
            *(as_organiser(event) if organiser else ()),
        ],
    }


def as_player(event: Event, player: Player, entrant: Entrant | None, now: datetime) -> list[str]:
    """What is open to whoever plays, or could."""
    can_enter = entrant is None or is_silent(entrant, event)
    if can_enter and not bars(event, player, now):
        return ["enter"]
    if entrant is None:
        return []
    playing = event.status == Event.Status.RUNNING and entrant.left is None
    to_confirm = event.confirmation and entrant.confirmed_at is None
    told = {
        "leave": event.status in BEFORE or entrant.status == Entrant.Status.WAITING,
        "confirm": event.status in BEFORE and to_confirm,
        "withdraw": playing and entrant.status == Entrant.Status.ENTERED,
        "sit-out": event.format == Event.Format.SWISS and (event.status in BEFORE or playing),
        "appeal": event.started_at is not None and not too_late_to_appeal(event, now),
    }
    return [deed for deed, open in told.items() if open]


def is_silent(entrant: Entrant, event: Event) -> bool:
    """Whether an event began without an entrant because nobody had confirmed."""
    return (
        event.confirmation
        and entrant.status == Entrant.Status.WITHDRAWN
        and entrant.left == 0
        and entrant.confirmed_at is None
    )


def too_late_to_appeal(event: Event, now: datetime) -> str:
    """Why an answer could change nothing any more: a code, or ""."""
    if event.status == Event.Status.CANCELLED:
        return "over"
    if season_over(event):
        return "season"
    return "late" if event.finished_at and now >= event.finished_at + AFTERWARDS else ""


def season_over(event: Event) -> bool:
    """Whether the season of a league that an event is a part of is over."""
    return event.division is not None and event.division.season.finished_at is not None


def bars(event: Event, viewer: Player | None, now: datetime, *, still_open: bool | None = None) -> str:
    """Why somebody cannot enter: a code, or "" if they can.

    `still_open`, if that is known: it runs, and takes people.
    """
    if still_open is None:
        still_open = event.status == Event.Status.RUNNING and first_round(event) > 0
    if (event.status != Event.Status.PUBLISHED and not still_open) or event.division_id:
        return "over"
    if event.opens_at and now < event.opens_at:
        return "early"
    if event.closes_at and now >= event.closes_at:
        return "late"
    return unfit(event, viewer)


def unfit(event: Event, player: Player | None) -> str:
    """Why an event is not for somebody, whenever they come: a code, or ""."""
    if player is None or player.guest or not player.is_active:
        return "stranger"
    if is_removed(player, event):
        return "removed"
    if event.by_invitation and not event.invites.filter(player=player).exists():
        return "invitation"
    if event.least_rating is not None or event.most_rating is not None:
        rating = rating_of(player, event.mode)
        least = rating if event.least_rating is None else event.least_rating
        most = rating if event.most_rating is None else event.most_rating
        return "" if least <= rating <= most else "rating"
    return ""


def first_round(event: Event) -> int:
    """The round in which somebody who comes in now plays first; 0 if nobody can."""
    if event.status in BEFORE:
        return 1
    if event.status != Event.Status.RUNNING or not event.late:
        return 0
    begun = event.tables.aggregate(last=Max("round"))["last"] or 0
    entrants = event.entrants.exclude(status=Entrant.Status.WAITING)
    return begun + 1 if begun < swiss.rounds(planned(event, entrants, bytes(32))) else 0


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
        "add-helper": event.status != Event.Status.CANCELLED,
        "preview": running or event.status == Event.Status.PUBLISHED,
        "proceed": running and event.held not in ("", UNDECIDED),
        "extend": running,
        "correct": event.status in (Event.Status.RUNNING, Event.Status.FINISHED) and not season_over(event),
        "disqualify": running,
        "replace": event.status in (Event.Status.PUBLISHED, Event.Status.RUNNING),
        "remove": event.status == Event.Status.PUBLISHED and event.division_id is None,
    }
    return [deed for deed, open in told.items() if open]


# -------------------------------------------------------------------------------------------------- leagues


def you_in(league: League, viewer: Player | None) -> dict[str, Any]:
    """Who the viewer is to a league, and the deeds that are open to them."""
    if viewer is None:
        return {"organiser": False, "status": None, "client_seed": None, "may": []}
    organiser = may_run(viewer, league)
    mine = league.memberships.filter(player=viewer).first()
    status = mine.status if mine else Membership.Status.OUT
    alive = league.status != League.Status.CLOSED and not viewer.guest
    welcome = alive and (status != Membership.Status.OUT or not is_removed(viewer, league))
    told = {
        "join": welcome and status != Membership.Status.MEMBER,
        "leave": alive and status != Membership.Status.OUT,
        "substitute": welcome and status != Membership.Status.SUBSTITUTE,
        "client-seed": alive and status != Membership.Status.OUT,
        "change": organiser and alive,
        "start": organiser and league.status == League.Status.OPEN,
        "close": organiser and alive,
        "replace": organiser and league.status == League.Status.RUNNING,
        "remove": organiser and alive,
        "add-helper": organiser and alive,
    }
    return {
        "organiser": organiser,
        "status": mine.status if mine else None,
        "client_seed": mine.client_seed if mine else None,
        "may": [deed for deed, open in told.items() if open],
    }

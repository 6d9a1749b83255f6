"""Making an event, and bringing it to its start or to nothing."""

from __future__ import annotations

import secrets
from datetime import datetime
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from games.engine import fairness
from games.models import Player
from games.services import house
from games.services.errors import Conflict, Denied, Invalid, NotFound
from tournaments.models import Decision, Event, EventSecret, Invite
from tournaments.selectors.course import planned
from tournaments.selectors.events import may_organise

from . import terms as game_terms
from .notices import members, tell

SHAPE = ("rounds", "laps", "at_once", "advance", "third_place")
ENTRY = (
    *("opens_at", "closes_at", "starts_at", "when_full", "capacity", "confirmation", "by_invitation"),
    *("least_rating", "most_rating", "seeding", "ask"),
)
LARGEST = 4096


@transaction.atomic
def create(
    *,
    organiser: Player | None,
    name: str,
    format: str,
    now: datetime,
    text: str = "",
    **fields: Any,
) -> Event:
    """An event in preparation; its seed is drawn and its commitment public before anyone can enter.

    Further fields are those of SHAPE and ENTRY, and the terms of its games. Raises Invalid.
    """
    chosen = {key: fields.pop(key) for key in (*SHAPE, *ENTRY) if key in fields}
    if organiser and organiser.guest:
        raise Denied(_("Sign up to organise something."))
    if not name.strip():
        raise Invalid(_("An event needs a name."))
    if format not in Event.Format.values:
        raise Invalid(_("format is one of %(words)s") % {"words": ", ".join(Event.Format.values)})
    event = Event(
        organiser=organiser,
        name=name.strip()[:80],
        text=text[:5000],
        format=format,
        created_at=now,
        **chosen,
        **game_terms.checked(**fields),
    )
    check(event)
    return store(event)


def store(event: Event) -> Event:
    """Draw the seed of a new event and write both down."""
    seed = secrets.token_bytes(fairness.SEED_BYTES)
    event.commitment = fairness.commitment(seed)
    event.save(force_insert=True)
    EventSecret.objects.create(event=event, seed=seed)
    return event


def check(event: Event) -> None:
    """Raise Invalid on an event that cannot be played."""
    if event.format == Event.Format.DOUBLE and event.table != 2:
        raise Invalid(_("Double elimination is played at tables of two."))
    if event.seeding not in Event.Seeding.values:
        raise Invalid(_("seeding is one of %(words)s") % {"words": ", ".join(Event.Seeding.values)})
    if event.capacity is not None and not 2 <= event.capacity <= LARGEST:
        raise Invalid(_("An event has 2 to %(most)d places.") % {"most": LARGEST})
    if event.when_full and event.capacity is None:
        raise Invalid(_("What starts when it is full needs a number of places."))
    times = [at for at in (event.opens_at, event.closes_at, event.starts_at) if at]
    if times != sorted(times):
        raise Invalid(_("Entries open, then they close, then it starts."))
    if None not in (event.least_rating, event.most_rating) and event.least_rating > event.most_rating:  # type: ignore[operator]
        raise Invalid(_("The least rating is above the highest."))
    try:
        planned(event, (), bytes(32))
    except ValueError:
        raise Invalid(_("Rounds, laps or those who go on do not fit this format and its tables.")) from None


def organised(*, by: Player | None, code: str) -> Event:
    """An event with its row locked, for who organises it. Raises NotFound or Denied."""
    event = Event.objects.select_for_update().filter(code=code).first()
    if event is None or (event.status == Event.Status.DRAFT and not may_organise(by, event)):
        raise NotFound(_("There is no such event."))
    if not may_organise(by, event):
        raise Denied(_("Only who organises this event can do that."))
    return event


def before_start(event: Event) -> None:
    """Raise Conflict unless an event waits for its start."""
    if event.status not in (Event.Status.DRAFT, Event.Status.PUBLISHED):
        raise Conflict(_("The event has started already, or is over."))


def look_again(event: Event, now: datetime) -> None:
    """Things have changed: the sweep looks at the event, and asks anew if there is something to ask."""
    event.due_at = now
    if event.status == Event.Status.RUNNING:
        event.held, event.warnings, event.accepted = "", [], 0
    event.save(update_fields=["due_at", "held", "warnings", "accepted"])


@transaction.atomic
def publish(*, by: Player, code: str, now: datetime) -> Event:
    """Let people enter. Raises NotFound, Denied or Conflict."""
    event = organised(by=by, code=code)
    if event.status != Event.Status.DRAFT:
        raise Conflict(_("The event is published already."))
    event.status = Event.Status.PUBLISHED
    event.due_at = event.starts_at
    event.save(update_fields=["status", "due_at"])
    return event


@transaction.atomic
def start(*, by: Player, code: str, now: datetime) -> Event:
    """Start it now, with whoever has entered; the sweep does it. Raises NotFound, Denied or Conflict."""
    event = organised(by=by, code=code)
    if event.status != Event.Status.PUBLISHED:
        raise Conflict(_("Only an event that is open for entries can start."))
    event.starts_at = event.due_at = now
    event.held = ""
    event.save(update_fields=["starts_at", "due_at", "held"])
    return event


@transaction.atomic
def cancel(*, by: Player, code: str, now: datetime, why: str = "") -> Event:
    """Give an event up; its running games are then played for nothing. Raises NotFound, Denied, Conflict."""
    event = organised(by=by, code=code)
    if event.status in (Event.Status.FINISHED, Event.Status.CANCELLED):
        raise Conflict(_("The event is over."))
    Decision.objects.create(
        event=event, by=by, at=now, what="cancel", why=why, before={"status": event.status}
    )
    for table in event.tables.filter(settled_at=None, game__isnull=False).select_related("game"):
        assert table.game
        house.release(code=table.game.code, now=now)
    event.tables.filter(settled_at=None).update(settled_at=now, void=True)
    event.status = Event.Status.CANCELLED
    event.finished_at, event.due_at, event.held = now, None, ""
    event.seed = bytes(EventSecret.objects.get(event=event).seed).hex()
    event.save(update_fields=["status", "finished_at", "due_at", "held", "seed"])
    tell(event, "event-cancelled", "cancelled", members(event), now)
    return event


@transaction.atomic
def invite(*, by: Player, code: str, player: Player, now: datetime) -> Invite:
    """Somebody may enter an event by invitation. Raises NotFound or Denied."""
    event = organised(by=by, code=code)
    found, _new = Invite.objects.get_or_create(event=event, player=player, defaults={"at": now})
    tell(event, "event-invited", "invited", [player.pk], now)
    return found


@transaction.atomic
def add_helper(*, by: Player, code: str, player: Player, now: datetime) -> Event:
    """Somebody organises it, too. Raises NotFound or Denied."""
    event = organised(by=by, code=code)
    event.helpers.add(player)
    Decision.objects.create(event=event, by=by, at=now, what="helper", after={"player": player.pk})
    return event

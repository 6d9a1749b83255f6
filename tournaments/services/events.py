"""Making an event, and bringing it to its start or to nothing."""

from __future__ import annotations

import secrets
from collections.abc import Iterable
from contextlib import suppress
from datetime import UTC, datetime
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from games.engine import fairness
from games.models import Player
from games.services import house, names
from games.services.errors import Conflict, Denied, Invalid, NotFound
from tournaments.models import Decision, Event, EventSecret, Invite
from tournaments.models.limits import (
    MAX_PLACES_PER_EVENT,
    MAX_REASON_LENGTH,
    MAX_TEXT_LENGTH,
    MAX_TITLE_LENGTH,
)
from tournaments.selectors.conflicts import plays_now
from tournaments.selectors.course import planned
from tournaments.selectors.events import may_organise
from tournaments.selectors.undecided import undecided_tables

from . import caps
from . import terms as game_terms
from .confirming import next_look
from .conflicts import refuse_own_table
from .dates import check_dates_of_draft, check_dates_to_come
from .event_seeds import PUBLISH_RETRY, publish_event_seed
from .field_limits import check_field_limits
from .invites import tell_invited, write_invite
from .lapsing import lapse_of_event
from .notices import members, tell
from .of_league import wake_league
from .round_ends import update_round_ends
from .waiting import move_up, taken

SHAPE = ("rounds", "laps", "at_once", "advance", "third_place")
ENTRY = (
    *("opens_at", "closes_at", "starts_at", "when_full", "capacity", "confirmation", "by_invitation"),
    *("late", "least_rating", "most_rating", "seeding", "ask", "review"),
)
WHILE_RUNNING = {"name", "text", "round_length", "chat", "ask", "review", "late", "closes_at"}
TOO_MANY_GAMES = "too-many-games"  # why an event is held that would begin more games than it may
# Times that no arithmetic with zones can push out of the calendar.
EARLIEST, LATEST = datetime(2000, 1, 1, tzinfo=UTC), datetime(2999, 12, 31, tzinfo=UTC)


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

    Further fields are those of SHAPE and ENTRY, and the terms of its games. Raises Invalid, Denied, or
    Conflict if the organiser has too many of them.
    """
    chosen = {key: fields.pop(key) for key in (*SHAPE, *ENTRY) if key in fields}
    if organiser and organiser.guest:
        raise Denied(_("Sign up to organise something."))
    if organiser:
        caps.check_drafts(organiser)
    event = Event(
        organiser=organiser,
        name=name.strip()[:MAX_TITLE_LENGTH],
        text=text[:MAX_TEXT_LENGTH],
        format=format,
        created_at=now,
        **chosen,
        **game_terms.checked(**fields),
    )
    check(event)
    check_dates_to_come(event, now, chosen)
    names.check_mailed_title(event.name)
    caps.check_event_size(event)
    return store(event)


def store(event: Event, seed: bytes | None = None) -> Event:
    """Write a new event and its seed down; the seed is drawn, or follows from that of a league's season."""
    seed = seed or secrets.token_bytes(fairness.SEED_BYTES)
    event.commitment = fairness.commitment(seed)
    event.save(force_insert=True)
    EventSecret.objects.create(event=event, seed=seed)
    return event


def check(event: Event, names_to_check: Iterable[str] = (*SHAPE, *ENTRY)) -> None:
    """Raise Invalid on an event that cannot be played; fields are held to their limits by name."""
    if not event.name:
        raise Invalid(_("An event needs a name."))
    if event.format not in Event.Format.values:
        raise Invalid(_("format is one of %(words)s") % {"words": ", ".join(Event.Format.values)})
    if event.format == Event.Format.DOUBLE and event.table != 2:
        raise Invalid(_("Double elimination is played at tables of two."))
    if event.seeding not in Event.Seeding.values:
        raise Invalid(_("seeding is one of %(words)s") % {"words": ", ".join(Event.Seeding.values)})
    if event.capacity is not None and not 2 <= event.capacity <= MAX_PLACES_PER_EVENT:
        raise Invalid(_("An event has 2 to %(most)d places.") % {"most": MAX_PLACES_PER_EVENT})
    if event.when_full and event.capacity is None:
        raise Invalid(_("What starts when it is full needs a number of places."))
    if event.late and event.format != Event.Format.SWISS:
        raise Invalid(_("People may come in later in Swiss rounds only."))
    order = [(event.opens_at, event.closes_at), (event.opens_at, event.starts_at)]
    if not event.late:
        order.append((event.closes_at, event.starts_at))
    if any(one and other and one > other for one, other in order):
        raise Invalid(_("Entries open, then they close, then it starts."))
    if None not in (event.least_rating, event.most_rating) and event.least_rating > event.most_rating:  # type: ignore[operator]
        raise Invalid(_("The least rating is above the highest."))
    checked = set(names_to_check)
    if "laps" in checked:
        caps.check_laps(event.laps)
    check_field_limits(event, checked)
    try:
        planned(event, (), bytes(32))
    except ValueError:
        raise Invalid(_("Rounds, laps or those who go on do not fit this format and its tables.")) from None


@transaction.atomic
def edit(*, by: Player, code: str, now: datetime, **changes: Any) -> Event:
    """Lay something down anew, by the same words as `create`; before the start nearly everything.

    Once somebody has entered, what is played stays; once it runs, what counts for rounds to come can still be
    changed. Raises NotFound, Denied, Invalid or Conflict.
    """
    if unknown := changes.keys() - {"name", "text", "format", *SHAPE, *ENTRY, *game_terms.CHOICES}:
        raise TypeError(f"not of an event: {', '.join(sorted(unknown))}")
    event = organised(by=by, code=code)
    if event.status in (Event.Status.FINISHED, Event.Status.CANCELLED):
        raise Conflict(_("The event is over."))
    before = laid_down(event)
    played = {name: changes.pop(name) for name in game_terms.CHOICES & changes.keys()}
    keeps_obligation = event.status != Event.Status.DRAFT
    terms = game_terms.changed(event, played, keeps_obligation=keeps_obligation) if played else {}
    for name, value in (changes | terms).items():
        setattr(event, name, value)
    event.name, event.text = event.name.strip()[:MAX_TITLE_LENGTH], event.text[:MAX_TEXT_LENGTH]
    check(event, changes)
    if event.name != before["name"]:
        names.check_mailed_title(event.name)
    after = laid_down(event)
    new = {name for name in after if after[name] != before[name]}
    if not new:
        return event
    if event.status == Event.Status.RUNNING and new - WHILE_RUNNING:
        raise Conflict(_("The event has started already."))
    if new & {"format", *game_terms.FIELDS} - WHILE_RUNNING and event.entrants.exists():
        raise Conflict(_("Somebody has entered: what is played stays as it is."))
    check_dates_to_come(event, now, new)
    if new & caps.SHAPE:
        caps.check_event_size(event, entrants=taken(event))
    event.save(update_fields=new)
    if "name" in new:
        update_round_ends(event, now)
    if event.status != Event.Status.DRAFT:
        edited(event, {name: before[name] for name in new}, {name: after[name] for name in new}, by, now)
    return event


def laid_down(event: Event) -> dict[str, Any]:
    """All that an organiser chooses."""
    return {
        name: getattr(event, name) for name in ("name", "text", "format", *SHAPE, *ENTRY, *game_terms.FIELDS)
    }


def edited(
    event: Event, before: dict[str, Any], after: dict[str, Any], by: Player | None, now: datetime
) -> None:
    """What follows from a change that others may have seen otherwise: a line of the log, a place, a start."""
    Decision.objects.create(event=event, by=by, at=now, what="edit", before=plain(before), after=plain(after))
    if event.status == Event.Status.RUNNING:
        return look_again(event, now) if after.keys() & {"ask", "review"} else None
    move_up(event, now)
    if "starts_at" in after or (event.held == TOO_MANY_GAMES and after.keys() & caps.SHAPE):
        event.due_at, event.held = next_look(event, now), ""
    full = event.when_full and event.capacity and taken(event) >= event.capacity
    if full or event.confirmation:
        event.due_at = now
    event.save(update_fields=["due_at", "held"])
    return None


def plain(values: dict[str, Any]) -> dict[str, Any]:
    """Values as a log keeps them."""
    return {
        name: value.isoformat() if isinstance(value, datetime) else value for name, value in values.items()
    }


@transaction.atomic
def delete(*, by: Player, code: str, now: datetime) -> None:
    """A draft that nobody needs is gone, and so it is the second time. Raises Denied or Conflict."""
    with suppress(NotFound):
        event = organised(by=by, code=code)
        if event.status != Event.Status.DRAFT:
            raise Conflict(_("Only what is in preparation can be deleted."))
        event.delete()


def organised(*, by: Player | None, code: str, lock: bool = True) -> Event:
    """An event with its row locked, for who organises it. Raises NotFound or Denied."""
    events = Event.objects.select_for_update() if lock else Event.objects.all()
    event = events.filter(code=code).first()
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
    """Let people enter, and tell those who are invited. Raises NotFound, Denied, Invalid or Conflict."""
    event = organised(by=by, code=code)
    if event.status != Event.Status.DRAFT:
        raise Conflict(_("The event is published already."))
    check_dates_of_draft(event, now)
    game_terms.check_terms(event)
    if event.organiser:
        caps.check_active_events(event.organiser)
    event.status = Event.Status.PUBLISHED
    event.due_at = next_look(event, now)
    event.save(update_fields=["status", "due_at"])
    tell_invited(event, by=by, now=now)
    return event


@transaction.atomic
def start(*, by: Player, code: str, now: datetime) -> Event:
    """Start it now, with whoever has entered; the sweep does it. Raises NotFound, Denied or Conflict."""
    event = organised(by=by, code=code)
    if event.status != Event.Status.PUBLISHED:
        raise Conflict(_("Only an event that is open for entries can start."))
    event.starts_at = event.due_at = now
    event.opens_at = min(event.opens_at, now) if event.opens_at else None
    if event.closes_at and not event.late:
        event.closes_at = min(event.closes_at, now)
    event.held = ""
    event.save(update_fields=["starts_at", "opens_at", "closes_at", "due_at", "held"])
    return event


@transaction.atomic
def cancel(*, by: Player, code: str, now: datetime, why: str = "", public_note: str = "") -> Event:
    """Give an event up; its running games are then played for nothing. Raises NotFound, Denied, Conflict."""
    event = organised(by=by, code=code)
    if event.status in (Event.Status.FINISHED, Event.Status.CANCELLED):
        raise Conflict(_("The event is over."))
    refuse_own_table(plays_now(by, event))
    public_note = public_note[:MAX_REASON_LENGTH]
    Decision.objects.create(
        event=event,
        by=by,
        at=now,
        what="cancel",
        why=why[:MAX_REASON_LENGTH],
        public_note=public_note,
        before={"status": event.status},
    )
    for table in event.tables.filter(settled_at=None, game__isnull=False).select_related("game"):
        assert table.game
        house.release(code=table.game.code, now=now)
    event.tables.filter(settled_at=None).update(settled_at=now, void=True)
    undecided_tables(event).update(void=True)
    event.status = Event.Status.CANCELLED
    publish_event_seed(event, now)
    event.finished_at, event.held = now, ""
    event.due_at = None if event.seed else now + PUBLISH_RETRY
    event.save(update_fields=["status", "finished_at", "due_at", "held"])
    lapse_of_event(event, now)
    tell(event, "event-cancelled", "cancelled", members(event), now, text=public_note)
    wake_league(event, now)
    return event


@transaction.atomic
def invite(*, by: Player, code: str, player: Player, now: datetime) -> Invite:
    """Somebody may enter an event by invitation, also who was removed from it; twice is the same as once.

    They are told at once, or when a draft is published. Raises NotFound, Denied, Conflict or LimitReached.
    """
    event = organised(by=by, code=code)
    event.removals.filter(player=player, lifted_at=None).update(lifted_at=now)
    return write_invite(event, by=by, player=player, now=now)


@transaction.atomic
def uninvite(*, by: Player, code: str, player: Player, now: datetime) -> Event:
    """An invitation is taken back from who has not entered. Raises NotFound, Denied or Conflict."""
    event = organised(by=by, code=code)
    if event.members.filter(player=player).exists():
        raise Conflict(_("They take part already."), code="already-joined")
    event.invites.filter(player=player).delete()
    return event

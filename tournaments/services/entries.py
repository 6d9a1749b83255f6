"""Who takes part: entering, leaving, the waiting list, and withdrawing in the middle."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress
from datetime import datetime

from django.db import transaction
from django.db.models import Max
from django.utils.translation import gettext as _

from games.models import Player
from games.services import contacts
from games.services.contacts import Contact
from games.services.errors import Conflict, Denied, Invalid, NotFound, Refusal
from games.services.lobby import check_client_seed
from tournaments.models import Entrant, Event, Member, Proposal
from tournaments.models.limits import MAX_ROUNDS
from tournaments.selectors import may
from tournaments.selectors.caps import count_places
from tournaments.selectors.ratings import rating_of
from tournaments.selectors.seeding import SEEDS

from . import caps
from .client_seeds import next_entry_number
from .events import before_start, look_again, organised
from .lapsing import check_not_pestered, lapse_of_entrants
from .notices import tell, tell_partners
from .record import logged
from .substitutes import take_over
from .waiting import move_up, taken


def open_event(code: str) -> Event:
    """An event that one can see, with its row locked. Raises NotFound."""
    event = Event.objects.select_for_update().filter(code=code).exclude(status=Event.Status.DRAFT).first()
    if event is None:
        raise NotFound(_("There is no such event."))
    return event


@transaction.atomic
def enter(*, player: Player, code: str, now: datetime, client_seed: str = "") -> Entrant:
    """Take part alone; if it is full, wait in a list. A pair enters when the partner agrees: `ask_partner`.

    A Swiss event may let people in while it runs: they play from the next round on that is not published yet.
    Raises NotFound, Denied, Invalid or Conflict.
    """
    check_client_seed(client_seed)
    event = open_event(code)
    check_entry(event, [player], now)
    return enter_together(event, [player], now, [client_seed])


@transaction.atomic
def ask_partner(
    *, player: Player, partner: Player, code: str, now: datetime, client_seed: str = ""
) -> Proposal:
    """Ask somebody to play as a pair: nothing counts, and no place is taken, until they agree.

    Whom one had asked before is asked no more. Raises NotFound, Denied, Invalid, Conflict or LimitReached.
    """
    check_client_seed(client_seed)
    event = open_event(code)
    check_entry(event, [player, partner], now)
    requests = Proposal.objects.filter(event=event, by=player, kind=Proposal.Kind.PARTNER)
    asked = requests.filter(status=Proposal.Status.OPEN)
    if same := asked.filter(player=partner).first():
        asked.update(client_seed=client_seed)
        return same
    check_not_pestered(requests, partner)
    contacts.count_contacts(kind=Contact.PARTNER, sender=player, recipients=[partner], now=now)
    asked.update(status=Proposal.Status.WITHDRAWN, answered_at=now)
    made = Proposal.objects.create(
        kind=Proposal.Kind.PARTNER, event=event, by=player, player=partner, client_seed=client_seed, at=now
    )
    tell(event, "event-partner", f"proposal:{made.pk}", [partner.pk], now, proposal=made.pk)
    return made


def check_entry(event: Event, people: Sequence[Player], now: datetime) -> None:
    """Raise Denied, Invalid or Conflict unless these can enter together now."""
    if not may.first_round(event) or event.division_id:
        raise Conflict(_("Nobody can enter this event now."))
    if (event.opens_at and now < event.opens_at) or (event.closes_at and now >= event.closes_at):
        raise Conflict(_("Nobody can enter this event now."))
    if len(people) != (2 if event.mode == Event.Mode.PAIRS else 1):
        raise Invalid(_("In pairs one enters with a partner, and otherwise alone."))
    for one in people:
        admit(event, one)
    here = event.members.filter(player__in=people).select_related("entrant")
    taken_part = any(not may.is_silent(member.entrant, event) for member in here)
    if taken_part or len({one.pk for one in people}) < len(people):
        raise Conflict(_("You take part already, or your partner does."), code="already-joined")
    caps.check_players(*people)


def enter_together(
    event: Event, people: Sequence[Player], now: datetime, client_seeds: Sequence[str] = ()
) -> Entrant:
    """Let those in who want to play, all of whom have agreed; the caller holds the event."""
    # Whoever forgot to confirm comes in anew. The entrant that began without them stays as it was, as the
    # lots of the start were drawn over it as well.
    for member in event.members.filter(player__in=people).select_related("entrant"):
        if may.is_silent(member.entrant, event):
            member.delete()
    entrant = add(event, people, now, joined=may.first_round(event), client_seeds=client_seeds)
    # Whoever plays is asked by nobody else, and asks nobody.
    asked = Proposal.objects.filter(event=event, kind=Proposal.Kind.PARTNER, status=Proposal.Status.OPEN)
    asked.filter(by__in=people).update(status=Proposal.Status.WITHDRAWN, answered_at=now)
    if event.status == Event.Status.RUNNING:
        Entrant.objects.filter(pk=entrant.pk).update(confirmed_at=now)
        look_again(event, now)
    full = event.when_full and event.capacity and taken(event) >= event.capacity
    if full or (event.confirmation and event.status == Event.Status.PUBLISHED):
        Event.objects.filter(pk=event.pk).update(due_at=now)
    return entrant


def admit(event: Event, player: Player) -> None:
    """Raise Denied unless the event is open to a player."""
    why = may.unfit(event, player)
    if why == "stranger":
        raise Denied(_("Sign up to take part."))
    if why == "invitation":
        raise Denied(_("This event is by invitation."))
    if why == "removed":
        raise Denied(_("The organiser has removed this player from the event."), code="removed")
    if why == "rating":
        rating = rating_of(player, event.mode)
        raise Denied(_("This event is for other ratings than %(rating)d.") % {"rating": rating})


def add(
    event: Event,
    people: Sequence[Player],
    now: datetime,
    seed: int | None = None,
    joined: int = 1,
    client_seeds: Sequence[str] = (),
) -> Entrant:
    """Write an entrant down, with the client seeds that its players bring; the caller holds the event."""
    # Those of a league are placed already; how many they are is looked at when it starts.
    full = event.division_id is None and taken(event) >= count_places(event)
    status = Entrant.Status.WAITING if full else Entrant.Status.ENTERED
    entrant = Entrant.objects.create(event=event, status=status, entered_at=now, seed=seed, joined=joined)
    entry, seeds = next_entry_number(event), [*client_seeds, *[""] * len(people)]
    Member.objects.bulk_create(
        [
            Member(
                event=event,
                entrant=entrant,
                player=one,
                number=number,
                client_seed=seeds[number - 1],
                entry_number=entry + number - 1,
            )
            for number, one in enumerate(people, 1)
        ]
    )
    return entrant


def mine(event: Event, player: Player) -> Entrant:
    """The entrant that a player plays for. Raises Denied."""
    found = Entrant.objects.filter(event=event, members__player=player).first()
    if found is None:
        raise Denied(_("You do not take part in this event."))
    return found


@transaction.atomic
def leave(*, player: Player, code: str, now: datetime) -> None:
    """Leave before the start, or the waiting list; who waits longest moves up.

    Raises NotFound, Denied or Conflict.
    """
    event = open_event(code)
    asked = Proposal.objects.filter(
        event=event, by=player, kind=Proposal.Kind.PARTNER, status=Proposal.Status.OPEN
    )
    if asked.update(status=Proposal.Status.WITHDRAWN, answered_at=now):
        return  # who waits for a partner's answer has not entered yet
    entrant = mine(event, player)
    if entrant.status != Entrant.Status.WAITING:
        before_start(event)
    tell_partners(event, [entrant], now, but=player)
    entrant.delete()
    move_up(event, now)


@transaction.atomic
def confirm(*, player: Player, code: str, now: datetime) -> Entrant:
    """Say that one will be there. Raises NotFound, Denied or Conflict."""
    event = open_event(code)
    before_start(event)
    entrant = mine(event, player)
    entrant.confirmed_at = entrant.confirmed_at or now
    entrant.save(update_fields=["confirmed_at"])
    if event.when_full and event.status == Event.Status.PUBLISHED:  # this may have been the last one
        Event.objects.filter(pk=event.pk).update(due_at=now)
    return entrant


@transaction.atomic
def withdraw(*, player: Player, code: str, now: datetime) -> Entrant:
    """Leave in the middle: in a league a substitute takes the seat over, if one is there.

    Otherwise running games are resigned by the sweep. Raises NotFound, Denied or Conflict.
    """
    event = open_event(code)
    if event.status != Event.Status.RUNNING:
        raise Conflict(_("The event is not running."))
    entrant = mine(event, player)
    if entrant.status == Entrant.Status.WAITING:
        raise Conflict(_("You are on the waiting list."))
    if entrant.left is not None:
        raise Conflict(_("You have left this event already."))
    if not take_over(event, entrant.members.get(player=player), now):
        tell_partners(event, [entrant], now, but=player)
        drop(event, [entrant], Entrant.Status.WITHDRAWN, now)
    return entrant


def leave_events(*, player: Player, now: datetime) -> None:
    """Whose account goes leaves a place to who waits, league games to substitutes; the rest is resigned.

    What they have asked others is withdrawn.
    """
    asked = Proposal.objects.filter(by=player, status=Proposal.Status.OPEN)
    asked.update(status=Proposal.Status.WITHDRAWN, answered_at=now)
    coming = Event.objects.filter(members__player=player, status=Event.Status.PUBLISHED, division=None)
    for code in coming.values_list("code", flat=True):
        with suppress(Refusal):  # it has begun in this very moment
            leave(player=player, code=code, now=now)
    mine = Entrant.objects.filter(
        members__player=player,
        left=None,
        status=Entrant.Status.ENTERED,
        event__status=Event.Status.RUNNING,
        event__division__isnull=False,
    )
    for code in mine.values_list("event__code", flat=True):
        with suppress(Refusal):  # it has ended in this very moment
            withdraw(player=player, code=code, now=now)


def drop(event: Event, entrants: Iterable[Entrant], status: str, now: datetime) -> None:
    """Entrants are out from here on; the caller holds the event, and the sweep does the rest."""
    last = event.tables.aggregate(last=Max("round"))["last"] or 0
    entrants = list(entrants)
    for entrant in entrants:
        entrant.status, entrant.left = status, last
        entrant.save(update_fields=["status", "left"])
    lapse_of_entrants([one.pk for one in entrants], now)
    move_up(event, now)
    look_again(event, now)


@transaction.atomic
def sit_out(*, player: Player, code: str, round: int, now: datetime) -> Entrant:
    """Say beforehand that one is away in a round of a Swiss event. Raises NotFound, Denied or Conflict."""
    event = open_event(code)
    if event.format != Event.Format.SWISS or event.status in (
        Event.Status.FINISHED,
        Event.Status.CANCELLED,
    ):
        raise Conflict(_("One can sit out a round of a Swiss event only."))
    last = event.tables.aggregate(last=Max("round"))["last"] or 0
    if not last < round <= MAX_ROUNDS:
        raise Conflict(_("This round has begun already."))
    entrant = mine(event, player)
    entrant.absent = sorted({*entrant.absent, round})
    entrant.save(update_fields=["absent"])
    if event.status == Event.Status.RUNNING:
        look_again(event, now)
    return entrant


@transaction.atomic
def seed(*, by: Player, code: str, order: Sequence[int], now: datetime) -> None:
    """The organiser's own order of entrants, the strongest first; the others are drawn in behind them.

    Raises NotFound, Denied, Invalid or Conflict.
    """
    event = organised(by=by, code=code)
    before_start(event)
    known = {one.pk: one for one in event.entrants.all()}
    if len(set(order)) != len(order) or not set(order) <= set(known):
        raise Invalid(_("An order names entrants of this event, each once."))
    before = list(event.entrants.filter(seed__isnull=False).order_by("seed").values_list("pk", flat=True))
    if before == list(order):
        return
    event.entrants.update(seed=None)
    for number, pk in enumerate(order, 1):
        known[pk].seed = number
    Entrant.objects.bulk_update([known[pk] for pk in order], ["seed"])
    logged(event, by, SEEDS, now, before={"order": before}, after={"order": list(order)})

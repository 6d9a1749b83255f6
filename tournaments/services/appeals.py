"""A player asks the organiser to look at a table, and gets an answer."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction
from django.db.models import Exists, OuterRef, Q
from django.utils.translation import gettext as _

from games.models import Player
from games.services import contacts
from games.services.contacts import Contact
from games.services.errors import Conflict, Denied, Invalid, NotFound
from tournaments.models import Appeal, Event, Member, Replacement
from tournaments.models.limits import MAX_APPEAL_LENGTH
from tournaments.selectors.conflicts import sits_at
from tournaments.selectors.evidence import has_left_table
from tournaments.selectors.may import AFTERWARDS, too_late_to_appeal

from .conflicts import refuse_own_table
from .entries import mine, open_event
from .events import organised
from .notices import tell, tell_organisers
from .of_league import in_season, wake_league


@transaction.atomic
def appeal(*, player: Player, code: str, table: int, text: str, now: datetime) -> Appeal:
    """Ask for a look at a table of one's own, once, also for some time after the end of the event.

    Who played there and was replaced since may ask, too: what is decided about that time concerns them.
    Raises NotFound, Denied, Invalid or Conflict.
    """
    event = open_event(code)
    found = event.tables.filter(pk=table).first()
    left = found is not None and has_left_table(found, player)
    entrant = None if left else mine(event, player)
    check_time(event, now)
    if found is None:
        raise NotFound(_("There is no such table."))
    if entrant is not None and not found.sittings.filter(entrant=entrant).exists():
        raise Denied(_("You did not play at this table."))
    if not text.strip():
        raise Invalid(_("Say what is wrong."))
    if found.appeals.filter(by=player).exists():
        raise Conflict(_("You have appealed already."))
    asked = [event.organiser] if event.organiser else []
    contacts.count_contacts(kind=Contact.APPEAL, sender=player, recipients=asked, now=now)
    made = Appeal.objects.create(table=found, by=player, text=text.strip()[:MAX_APPEAL_LENGTH], at=now)
    tell_organisers(event, "event-appeal", f"appeal:{made.pk}", now, match=found.match, appeal=made.pk)
    wake_league(event, now)  # the season waits for an answer
    return made


def check_time(event: Event, now: datetime) -> None:
    """Raise Conflict where an answer could change nothing any more."""
    in_season(event)
    why = too_late_to_appeal(event, now)
    if why == "late":
        days = AFTERWARDS.days
        raise Conflict(_("One can appeal until %(days)d days after the end.") % {"days": days})
    if why:
        raise Conflict(_("The event is over."))


@transaction.atomic
def answer(*, by: Player, code: str, appeal: int, text: str, now: datetime) -> Appeal:
    """The organiser answers; a correction is a decision of its own. Raises NotFound, Denied or Conflict."""
    event = organised(by=by, code=code)
    found = Appeal.objects.filter(pk=appeal, table__event=event).select_related("table").first()
    if found is None:
        raise NotFound(_("There is no such appeal."))
    refuse_own_table(sits_at(by, event, [found.table_id]))
    if found.answered_at:
        raise Conflict(_("This appeal was answered already."))
    found.answer, found.answered_by, found.answered_at = text.strip()[:MAX_APPEAL_LENGTH], by, now
    found.save(update_fields=["answer", "answered_by", "answered_at"])
    match, reason = found.table.match, f"answer:{found.pk}"
    tell(event, "event-appeal", reason, [found.by_id], now, match=match, appeal=found.pk, answered=True)
    wake_league(event, now)
    return found


def may_be_asked_for(*, now: datetime) -> Exists:
    """Whether a delivery may be evidence: made in an event of its player's that can still be appealed.

    Also while an appeal waits for its answer, however long that takes; and for who was replaced there.
    """
    running = Q(finished_at=None) & ~Q(status=Event.Status.CANCELLED)
    lately = Q(finished_at__gt=now - AFTERWARDS)
    asked = Exists(Appeal.objects.filter(table__event=OuterRef("pk"), answered_at=None))
    open_events = Event.objects.filter(running | lately | asked, started_at__isnull=False)
    player = OuterRef(OuterRef("player"))
    plays = Exists(Member.objects.filter(event=OuterRef("pk"), player=player))
    played = Exists(Replacement.objects.filter(entrant__event=OuterRef("pk"), predecessor=player))
    return Exists(open_events.filter(plays | played, started_at__lte=OuterRef("made_at")))

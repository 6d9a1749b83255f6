"""Who is invited to an event; those invited to a draft are told when it is published."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _

from games.models import Event as Line
from games.models import Player
from games.selectors.contacts import have_met
from games.services import contacts
from games.services.contacts import Contact
from games.services.errors import Conflict, Denied, LimitReached
from tournaments.models import Event, Invite

from .notices import lines, tell, write

# As many as one may invite in a day: so all of them can be told when the draft is published.
MAX_INVITED_PER_DRAFT = contacts.LIMITS[Contact.TOURNAMENT_INVITATION].per_sender


def write_invite(event: Event, *, by: Player, player: Player, now: datetime) -> Invite:
    """Invite somebody, and tell them unless they were told; of a draft nobody is told before it is published.

    The caller holds the event. Raises Denied, Conflict or LimitReached.
    """
    found = event.invites.filter(player=player).first()
    if event.status == Event.Status.DRAFT:
        return found or write_draft_invite(event, by=by, player=player, now=now)
    found = found or Invite.objects.create(event=event, player=player, at=now)
    told = Line.objects.filter(player=player, reason=f"{event.code}:{reason_of_line(found)}")
    if not told.exists():
        contacts.count_contacts(kind=Contact.TOURNAMENT_INVITATION, sender=by, recipients=[player], now=now)
        tell(event, "event-invited", reason_of_line(found), [player.pk], now)
    return found


def write_draft_invite(event: Event, *, by: Player, player: Player, now: datetime) -> Invite:
    """Note whom to invite when a draft is published. Raises Denied or Conflict."""
    if not have_met(by, player):
        contacts.check_open_to_strangers(player)
    if event.invites.count() >= MAX_INVITED_PER_DRAFT:
        text = _("You can invite %(limit)d players before it is published, and more of them afterwards.")
        raise Conflict(
            text % {"limit": MAX_INVITED_PER_DRAFT}, code="too-many-invited", limit=MAX_INVITED_PER_DRAFT
        )
    return Invite.objects.create(event=event, player=player, at=now)


def tell_invited(event: Event, *, by: Player, now: datetime) -> None:
    """Tell all who were invited to a draft, which is published now; the caller holds the event.

    Each counts as an invitation of today. Whoever has had too many of them reads it in their feed, without
    a mail; whoever wants to hear from no strangers by now is not told.
    """
    for invite in event.invites.select_related("player").order_by("pk"):
        told = lines(event, "event-invited", reason_of_line(invite), [invite.player_id], now)
        try:
            with transaction.atomic():
                contacts.count_contacts(
                    kind=Contact.TOURNAMENT_INVITATION, sender=by, recipients=[invite.player], now=now
                )
        except LimitReached:
            for line in told:
                line.due_at = None
        except Denied:
            continue
        write(told)


def reason_of_line(invite: Invite) -> str:
    """What tells one invitation from another."""
    return f"invited:{invite.pk}"

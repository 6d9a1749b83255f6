"""Who is invited to an event; those invited to a draft are told when it is published."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _

from games.models import FeedEntry, Player
from games.selectors.contacts import have_met
from games.services import contact_limits
from games.services.contact_limits import ContactKind
from games.services.errors import Conflict, Denied, LimitReached
from tournaments.models import Invite, Tournament

from .notices import build_feed_entries, notify_players, write_feed_entries

# As many as one may invite in a day: so all of them can be told when the draft is published.
MAX_INVITED_PER_DRAFT = contact_limits.DAILY_LIMITS[ContactKind.TOURNAMENT_INVITATION].per_sender


def invite_and_notify(tournament: Tournament, *, by: Player, player: Player, now: datetime) -> Invite:
    """Invite somebody, and tell them unless they were told; of a draft nobody is told before it is published.

    The caller holds the event. Raises Denied, Conflict or LimitReached.
    """
    invite = tournament.invites.filter(player=player).first()
    if tournament.status == Tournament.Status.DRAFT:
        return invite or save_draft_invite(tournament, by=by, player=player, now=now)
    invite = invite or Invite.objects.create(event=tournament, player=player, at=now)
    entries = FeedEntry.objects.filter(player=player, reason=f"{tournament.code}:{reason_of_line(invite)}")
    if not entries.exists():
        contact_limits.count_contacts(
            kind=ContactKind.TOURNAMENT_INVITATION, sender=by, recipients=[player], now=now
        )
        notify_players(tournament, "event-invited", reason_of_line(invite), [player.pk], now)
    return invite


def save_draft_invite(tournament: Tournament, *, by: Player, player: Player, now: datetime) -> Invite:
    """Note whom to invite when a draft is published. Raises Denied or Conflict."""
    if not have_met(by, player):
        contact_limits.check_open_to_strangers(player)
    if tournament.invites.count() >= MAX_INVITED_PER_DRAFT:
        text = _("You can invite %(limit)d players before it is published, and more of them afterwards.")
        raise Conflict(
            text % {"limit": MAX_INVITED_PER_DRAFT}, code="too-many-invited", limit=MAX_INVITED_PER_DRAFT
        )
    return Invite.objects.create(event=tournament, player=player, at=now)


def tell_invited(tournament: Tournament, *, by: Player, now: datetime) -> None:
    """Tell all who were invited to a draft, which is published now; the caller holds the event.

    Each counts as an invitation of today. Whoever has had too many of them reads it in their feed, without
    a mail; whoever wants to hear from no strangers by now is not told.
    """
    for invite in tournament.invites.select_related("player").order_by("pk"):
        entries = build_feed_entries(
            tournament, "event-invited", reason_of_line(invite), [invite.player_id], now
        )
        try:
            with transaction.atomic():
                contact_limits.count_contacts(
                    kind=ContactKind.TOURNAMENT_INVITATION, sender=by, recipients=[invite.player], now=now
                )
        except LimitReached:
            for entry in entries:
                entry.due_at = None
        except Denied:
            continue
        write_feed_entries(entries)


def reason_of_line(invite: Invite) -> str:
    """What tells one invitation from another."""
    return f"invited:{invite.pk}"

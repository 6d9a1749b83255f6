"""Invites to a tournament; players invited to a draft are notified when it is published."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _

from accounts.models import Player
from accounts.selectors.contacts import have_met
from accounts.services import contact_limits
from common.service_errors import Conflict, Denied, LimitReached
from notifications.models import FeedEntry
from tournaments.contact_kinds import INVITATION_LIMIT, TournamentContactKind
from tournaments.models import Invite, Tournament
from tournaments.notice_kinds import TournamentNoticeKind

from .notices import build_feed_entries, keep_mails, notify_players, write_feed_entries

# As many as one may invite in a day: so all of them can be told when the draft is published.
MAX_INVITED_PER_DRAFT = INVITATION_LIMIT.per_sender


def invite_and_notify(tournament: Tournament, *, by: Player, player: Player, now: datetime) -> Invite:
    """Invite somebody, and tell them unless they were told; of a draft nobody is told before it is published.

    The caller holds the lock of the tournament. Raises Denied, Conflict or LimitReached.
    """
    invite = tournament.invites.filter(player=player).first()
    if tournament.is_draft:
        return invite or save_draft_invite(tournament, by=by, player=player, now=now)
    invite = invite or Invite.objects.create(tournament=tournament, player=player, created_at=now)
    entries = FeedEntry.objects.filter(
        player=player, dedup_key=f"{tournament.code}:{invite_dedup_key(invite)}"
    )
    if not entries.exists():
        contact_limits.count_contacts(
            kind=TournamentContactKind.TOURNAMENT_INVITATION, sender=by, recipients=[player], now=now
        )
        notify_players(tournament, TournamentNoticeKind.INVITED, invite_dedup_key(invite), [player.pk], now)
    return invite


def save_draft_invite(tournament: Tournament, *, by: Player, player: Player, now: datetime) -> Invite:
    """Note whom to invite when a draft is published. Raises Denied or Conflict."""
    if not have_met(by, player):
        contact_limits.check_open_to_strangers(player)
    if tournament.invites.count() >= MAX_INVITED_PER_DRAFT:
        text = _("You can invite %(limit)d players before you publish it, and more afterwards.")
        raise Conflict(
            text % {"limit": MAX_INVITED_PER_DRAFT}, code="too-many-invited", limit=MAX_INVITED_PER_DRAFT
        )
    return Invite.objects.create(tournament=tournament, player=player, created_at=now)


def notify_invited_players(tournament: Tournament, *, by: Player, now: datetime) -> None:
    """Notify all players invited to a draft that is being published; the caller holds the tournament's row.

    Each counts as an invitation of today. Above a player's limit only the feed entry is written, without a
    mail. A player who refuses invitations from strangers by now is not notified.
    """
    for invite in tournament.invites.select_related("player").order_by("pk"):
        entries = build_feed_entries(
            tournament, TournamentNoticeKind.INVITED, invite_dedup_key(invite), [invite.player_id], now
        )
        try:
            with transaction.atomic():
                contact_limits.count_contacts(
                    kind=TournamentContactKind.TOURNAMENT_INVITATION,
                    sender=by,
                    recipients=[invite.player],
                    now=now,
                )
        except LimitReached:
            entries = keep_mails(entries, ())
        except Denied:
            continue
        write_feed_entries(entries)


def invite_dedup_key(invite: Invite) -> str:
    """The deduplication key of an invitation's feed entry."""
    return f"invited:{invite.pk}"

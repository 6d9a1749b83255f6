"""Sends invitation mails, never in a transaction; their states are kept by games/services/invitations.py."""

from __future__ import annotations

import logging
from datetime import UTC, datetime

from django.utils import timezone, translation
from django.utils.translation import gettext as _

from games import signed_links
from games.models import Invitation
from games.selectors.contacts import is_refused_address
from games.services import invitations, outbox
from games.services.budget import Budget

from .game_context import format_local_time
from .mail_sender import MailSession, hand_over_mail, send_batch
from .message import GameEmail, build_email_to_address, make_message_id

log = logging.getLogger(__name__)
MAX_INVITATIONS_PER_RUN = 50


def send_due_invitations(
    *, now: datetime, limit: int = MAX_INVITATIONS_PER_RUN, budget: Budget | None = None
) -> int:
    """Send the invitations that are due. Returns how many were sent."""

    def claim_and_send(
        pk: int, seen_next_attempt_at: datetime, session: MailSession, claimed_at: datetime
    ) -> bool:
        invitation = invitations.claim_mail(pk=pk, seen_due_at=seen_next_attempt_at, now=claimed_at)
        if invitation is None:
            return False
        with translation.override(invitation.by.language):  # the inviter reads the failure reason
            return deliver_invitation(invitation, session, now)

    return send_batch(
        invitations.find_due_mails(now=now, limit=limit), claim_and_send, now=now, budget=budget or Budget()
    )


def deliver_invitation(invitation: Invitation, session: MailSession, now: datetime) -> bool:
    """Send one invitation that this worker has claimed. Raises MailServerUnavailable.

    1. Give up after too many interrupted attempts, or if the address refuses our mail.
    2. Compose the mail.
    3. Hand it over; on failure the service schedules a retry.
    4. Mark the invitation as sent.

    Returns whether it was sent.
    """
    if invitation.tries > len(outbox.MAIL_RETRY_DELAYS) + 1:
        invitations.mark_invitation_lost(
            invitation=invitation, reason=_("It was interrupted too often."), now=now
        )
        return False
    if is_refused_address(invitation.email):
        invitations.mark_invitation_lost(
            invitation=invitation, reason=_("This address wants no mail from us."), now=now
        )
        return False
    try:
        mail = compose_invitation(invitation)
    except Exception:
        log.exception("invitation %s cannot be composed", invitation.pk)
        invitations.mark_mail_failed(
            invitation=invitation, reason=_("Our mistake; it has been noted."), now=now
        )
        return False
    label = f"invitation {invitation.pk}"
    if not hand_over_mail(
        mail, session, label, invitations, invitations.mark_invitation_lost, invitation=invitation, now=now
    ):
        return False
    invitations.mark_mail_sent(invitation=invitation, now=now)
    return True


def compose_invitation(invitation: Invitation) -> GameEmail:
    """Compose the invitation in the inviter's language: the recipient's is unknown."""
    invitation_url = signed_links.build_absolute_url(
        f"/invitations/{signed_links.make_invitation_token(invitation.pk)}/"
    )
    with translation.override(invitation.by.language), timezone.override(UTC):
        placeholders = {"who": invitation.by.name}
        # The subject has no player name in it: the recipient may know neither us nor the inviter.
        subject = _("You are invited to a game of OTTO")
        lead = [
            _("A player on OTTO online who goes by “%(who)s” gave us your address.") % placeholders,
            _("%(who)s keeps a seat for you in a game of OTTO.") % placeholders,
            _("If you have no account yet, you make one on the way."),
            _("The seat is kept until %(when)s.") % {"when": format_local_time(invitation.game.expires_at)},
            _("If you do not want to play, do nothing."),
        ]
        context_data = {"headline": subject, "lead": lead, "button": (_("Take your seat"), invitation_url)}
        context_data["preview"] = " ".join(lead)
        headers = {"Message-ID": make_message_id(f"invitation.{invitation.pk}")}
        return build_email_to_address(invitation.email, subject, context_data, headers)

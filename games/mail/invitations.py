"""Invitations by email. Never in a transaction; what becomes of each is in games/services/invitations.py."""

from __future__ import annotations

import logging
from datetime import UTC, datetime

from django.utils import timezone, translation
from django.utils.translation import gettext as _

from games import links
from games.models import Invitation
from games.selectors.contacts import is_refused
from games.services import invitations, outbox
from games.services.budget import Budget

from .deliver import Post, send_each, taken
from .letter import Letter, known_as, letter_to_address
from .scene import when

log = logging.getLogger(__name__)
BATCH = 50


def send_due(*, now: datetime, limit: int = BATCH, budget: Budget | None = None) -> int:
    """Send what has not gone out. Returns how many did."""

    def send(pk: int, seen: datetime, post: Post, claimed: datetime) -> bool:
        invitation = invitations.claim(pk=pk, seen=seen, now=claimed)
        if invitation is None:
            return False
        with translation.override(invitation.by.language):  # whoever invites reads why it did not go
            return deliver(invitation, post, now)

    return send_each(invitations.due(now=now, limit=limit), send, now=now, budget=budget or Budget())


def deliver(invitation: Invitation, post: Post, now: datetime) -> bool:
    """Send one that this worker has claimed; whether it went out. Raises NoServer."""
    if invitation.tries > len(outbox.DELAYS) + 1:
        invitations.lost(invitation=invitation, why=_("It was interrupted too often."), now=now)
        return False
    if is_refused(invitation.email):
        invitations.lost(invitation=invitation, why=_("This address wants no mail from us."), now=now)
        return False
    try:
        mail = message(invitation)
    except Exception:
        log.exception("invitation %s cannot be composed", invitation.pk)
        invitations.failed(invitation=invitation, why=_("Our mistake; it has been noted."), now=now)
        return False
    name = f"invitation {invitation.pk}"
    if not taken(mail, post, name, invitations, invitations.lost, invitation=invitation, now=now):
        return False
    invitations.sent(invitation=invitation, now=now)
    return True


def message(invitation: Invitation) -> Letter:
    """The mail of an invitation, in the language of whoever invites; of the invited we know neither."""
    link = links.page(f"/invitations/{links.invitation_token(invitation.pk)}/")
    with translation.override(invitation.by.language), timezone.override(UTC):
        who = {"who": invitation.by.name}
        # Ours alone: whoever gets it knows neither us nor, perhaps, who asks.
        subject = _("You are invited to a game of OTTO")
        lead = [
            _("A player on OTTO online who goes by “%(who)s” gave us your address.") % who,
            _("%(who)s keeps a seat for you in a game of OTTO.") % who,
            _("If you have no account yet, you make one on the way."),
            _("The seat is kept until %(when)s.") % {"when": when(invitation.game.expires_at)},
            _("If you do not want to play, do nothing."),
        ]
        facts = {"headline": subject, "lead": lead, "button": (_("Take your seat"), link)}
        facts["preview"] = " ".join(lead)
        headers = {"Message-ID": known_as(f"invitation.{invitation.pk}")}
        return letter_to_address(invitation.email, subject, facts, headers)

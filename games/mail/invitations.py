"""Invitations by email. Never in a transaction; a row that fails is tried again at a later sweep."""

from __future__ import annotations

import logging
from datetime import datetime

from django.conf import settings
from django.core.mail import EmailMultiAlternatives
from django.template.loader import render_to_string
from django.utils import translation

from games import links
from games.models import Game, Invitation

log = logging.getLogger(__name__)
BATCH = 50


def send_due(*, now: datetime) -> int:
    """Send what has not gone out. Returns how many did."""
    due = Invitation.objects.filter(
        player=None, sent_at=None, answered="", game__status=Game.Status.OPEN, game__expires_at__gt=now
    ).select_related("game", "by")
    sent = 0
    for invitation in due.order_by("pk")[:BATCH]:
        # Claimed before it is sent: of two sweeps at once, one sends. A mail that fails is given back.
        if not Invitation.objects.filter(pk=invitation.pk, sent_at=None).update(sent_at=now):
            continue
        try:
            message(invitation).send()
            sent += 1
        except OSError as error:
            Invitation.objects.filter(pk=invitation.pk).update(sent_at=None, trouble=str(error)[:200])
            log.warning("invitation %s could not be sent: %s", invitation.pk, error)
    return sent


def message(invitation: Invitation) -> EmailMultiAlternatives:
    """The mail of an invitation, in the language of whoever invites."""
    link = f"{settings.SITE_URL}/invitations/{links.invitation_token(invitation.pk)}/"
    facts = {"invitation": invitation, "game": invitation.game, "by": invitation.by.name, "link": link}
    with translation.override(invitation.by.language):
        subject = " ".join(render_to_string("mail/invitation/subject.txt", facts).split())
        mail = EmailMultiAlternatives(
            subject, render_to_string("mail/invitation/body.txt", facts), to=[invitation.email]
        )
        mail.attach_alternative(render_to_string("mail/invitation/body.html", facts), "text/html")
    return mail

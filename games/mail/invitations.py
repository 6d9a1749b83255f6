"""Invitations by email. Never in a transaction; one that fails is tried again until the game is off."""

from __future__ import annotations

import logging
from datetime import datetime, timedelta

from django.conf import settings
from django.core.mail import EmailMultiAlternatives
from django.template.loader import render_to_string
from django.utils import translation

from games import links
from games.models import Game, Invitation

log = logging.getLogger(__name__)
BATCH = 50
RETRY = timedelta(minutes=10)


def send_due(*, now: datetime) -> int:
    """Send what has not gone out. Returns how many did."""
    due = Invitation.objects.filter(
        sent_at=None, due_at__lte=now, answered="", game__status=Game.Status.OPEN, game__expires_at__gt=now
    ).select_related("game", "by")
    sent = 0
    for invitation in due.order_by("pk")[:BATCH]:
        row = Invitation.objects.filter(pk=invitation.pk)
        # Of two sweeps at once, one moves the time of the next try and sends; if it dies, that time comes.
        if not row.filter(sent_at=None, due_at=invitation.due_at).update(due_at=now + RETRY):
            continue
        try:
            message(invitation).send()
            row.update(sent_at=now, trouble="")
            sent += 1
        except OSError as error:
            row.update(trouble=str(error)[:200])
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

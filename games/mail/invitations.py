"""Invitations by email. Never in a transaction; one that fails is tried again until the game is off."""

from __future__ import annotations

import logging
from datetime import UTC, datetime, timedelta

from django.utils import timezone, translation
from django.utils.translation import gettext as _

from games import links
from games.models import Game, Invitation

from .letter import Letter, built, known_as, machine_headers
from .scene import when

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


def message(invitation: Invitation) -> Letter:
    """The mail of an invitation, in the language of whoever invites; of the invited we know neither."""
    link = links.page(f"/invitations/{links.invitation_token(invitation.pk)}/")
    with translation.override(invitation.by.language), timezone.override(UTC):
        who = {"who": invitation.by.name}
        subject = _("%(who)s asks you to a game of OTTO") % who
        lead = [
            _("%(who)s keeps a seat for you in a game of OTTO.") % who,
            _("If you have no account yet, you make one on the way."),
            _("The seat is kept until %(when)s.") % {"when": when(invitation.game.expires_at)},
            _("If you do not want to play, do nothing."),
        ]
        facts = {"headline": subject, "lead": lead, "button": (_("Take your seat"), link)}
        facts["preview"] = " ".join(lead)
        headers = machine_headers() | {"Message-ID": known_as(f"invitation.{invitation.pk}")}
        return built(invitation.email, subject, "note", facts, headers, {}, "")

"""Reports about mails after they were sent: bounces, complaints, delays, deliveries, opens."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction
from django.db.models import Value
from django.db.models.functions import Coalesce

from accounts.email_addresses import comparable_address
from notifications.models import Delivery

from . import notices

UNSENT_STATUSES = (Delivery.Status.DROPPED, Delivery.Status.FAILED, Delivery.Status.UNCERTAIN)


@transaction.atomic
def record_bounce(*, delivery: Delivery, reason: str, permanent: bool, now: datetime) -> None:
    """Record a bounce; a permanent one also marks the recipient's address as bounced."""
    Delivery.objects.filter(pk=delivery.pk).update(
        status=Delivery.Status.BOUNCED, status_reason=shorten_to_one_line(reason), next_attempt_at=None
    )
    if permanent:
        mark_recipient_bounced(delivery, reason, now)


@transaction.atomic
def record_complaint(*, delivery: Delivery, reason: str, now: datetime) -> None:
    """Record a spam complaint and stop mail to the recipient."""
    Delivery.objects.filter(pk=delivery.pk).update(status_reason=shorten_to_one_line(reason))
    mark_recipient_bounced(delivery, reason, now)


def record_delay(*, delivery: Delivery, reason: str, now: datetime) -> None:
    """Record a temporary delay; the sending server keeps retrying."""
    Delivery.objects.filter(pk=delivery.pk, status=Delivery.Status.SENT).update(
        status_reason=shorten_to_one_line(reason)
    )


def record_delivered(*, delivery: Delivery, at: datetime, now: datetime) -> None:
    """Record that the receiving server accepted the mail."""
    Delivery.objects.filter(pk=delivery.pk, delivered_at=None).update(delivered_at=min(at, now))
    mark_arrived(delivery, min(at, now))


def record_opened(*, delivery: Delivery, at: datetime, now: datetime) -> None:
    """Record that the recipient opened the mail."""
    Delivery.objects.filter(pk=delivery.pk, opened_at=None).update(opened_at=min(at, now))
    mark_arrived(delivery, min(at, now))


def mark_arrived(delivery: Delivery, at: datetime) -> None:
    """Mark a mail as sent that was given up or dropped but has arrived; a waiting one is left alone."""
    Delivery.objects.filter(pk=delivery.pk, next_attempt_at=None, status__in=UNSENT_STATUSES).update(
        status=Delivery.Status.SENT, status_reason="", sent_at=Coalesce("submitted_at", Value(at))
    )


def mark_recipient_bounced(delivery: Delivery, reason: str, now: datetime) -> None:
    """Mark the player's address as bounced, unless they have changed it since this mail."""
    player = delivery.player
    if not delivery.address or comparable_address(delivery.address) == comparable_address(player.email):
        notices.mark_email_bounced(player=player, reason=shorten_to_one_line(reason), now=now)


def shorten_to_one_line(text: str) -> str:
    """Collapse a server's text to one line of at most 300 characters."""
    return " ".join(text.replace("\0", " ").split())[:300]

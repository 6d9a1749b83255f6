"""Tracks whether the receiving server may have a mail or webhook call whose outcome is unknown.

A worker may crash, or a connection break, between the transfer and the server's answer.
"""

from __future__ import annotations

from datetime import datetime

from notifications.models import Delivery


def mark_handed_over(*, delivery: Delivery, now: datetime) -> None:
    """Record that the transfer begins: until the server answers, the outcome is unknown."""
    if delivery.submitted_at is None:  # keep the earliest time: an earlier attempt may have arrived
        delivery.submitted_at, delivery.submitted_by_this_attempt = now, True
        Delivery.objects.filter(pk=delivery.pk).update(submitted_at=now)


def mark_not_handed_over(delivery: Delivery) -> None:
    """Record that the server refused the delivery: it has not arrived, unless an earlier attempt did."""
    if not delivery.submitted_by_this_attempt:
        return
    row = Delivery.objects.filter(pk=delivery.pk, submitted_at=delivery.submitted_at)
    # A worker that took over after the lease could not know of the refusal.
    row.filter(status=Delivery.Status.UNCERTAIN).update(status=Delivery.Status.DROPPED)
    row.update(submitted_at=None)
    delivery.submitted_at, delivery.submitted_by_this_attempt = None, False


def resolve_final_status(delivery: Delivery, status: str) -> str:
    """Return the final status of a delivery that is given up: UNCERTAIN if the server may have it."""
    return Delivery.Status.UNCERTAIN if delivery.submitted_at else status

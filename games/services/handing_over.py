"""Whether the other side may have a mail or a call although nobody said so, for what is recorded of it.

A worker may die, or a connection break, between the moment at which a server takes something and its answer.
"""

from __future__ import annotations

from datetime import datetime

from games.models import Delivery


def mark_handed_over(*, delivery: Delivery, now: datetime) -> None:
    """From here on nobody but the other side knows whether it has it, until it answers."""
    if delivery.handed_over_at is None:  # the earliest time counts: an earlier try may have arrived
        delivery.handed_over_at, delivery.handed_over_by_this_try = now, True
        Delivery.objects.filter(pk=delivery.pk).update(handed_over_at=now)


def mark_not_taken(delivery: Delivery) -> None:
    """The other side refused it: nothing has arrived, unless an earlier try may have."""
    if not delivery.handed_over_by_this_try:
        return
    row = Delivery.objects.filter(pk=delivery.pk, handed_over_at=delivery.handed_over_at)
    # Somebody who took it over after the lease could not know that.
    row.filter(status=Delivery.Status.UNCERTAIN).update(status=Delivery.Status.DROPPED)
    row.update(handed_over_at=None)
    delivery.handed_over_at, delivery.handed_over_by_this_try = None, False


def unless_taken(delivery: Delivery, status: str) -> str:
    """How something ends that is not sent any more: uncertain, if the other side may have it."""
    return Delivery.Status.UNCERTAIN if delivery.handed_over_at else status

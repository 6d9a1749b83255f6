"""Mails that came back, and what else becomes known of a mail after it has left."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction
from django.db.models import Value
from django.db.models.functions import Coalesce

from games.email_addresses import comparable_address
from games.models import Delivery

from . import notices

NOT_SENT = (Delivery.Status.DROPPED, Delivery.Status.FAILED, Delivery.Status.UNCERTAIN)


@transaction.atomic
def came_back(*, delivery: Delivery, why: str, permanent: bool, now: datetime) -> None:
    """A mail could not be delivered; if no other one could be either, its address is dead."""
    Delivery.objects.filter(pk=delivery.pk).update(status=Delivery.Status.BOUNCED, why=line(why), due_at=None)
    if permanent:
        dead(delivery, why, now)


@transaction.atomic
def complained(*, delivery: Delivery, why: str, now: datetime) -> None:
    """Its reader called it spam: they get no more, whatever they meant by it."""
    Delivery.objects.filter(pk=delivery.pk).update(why=line(why))
    dead(delivery, why, now)


def noted(*, delivery: Delivery, why: str, now: datetime) -> None:
    """Something is slow, and others go on trying."""
    Delivery.objects.filter(pk=delivery.pk, status=Delivery.Status.SENT).update(why=line(why))


def delivered(*, delivery: Delivery, at: datetime, now: datetime) -> None:
    """The other side has it."""
    Delivery.objects.filter(pk=delivery.pk, delivered_at=None).update(delivered_at=min(at, now))
    arrived(delivery, min(at, now))


def opened(*, delivery: Delivery, at: datetime, now: datetime) -> None:
    """Its reader has seen it."""
    Delivery.objects.filter(pk=delivery.pk, opened_at=None).update(opened_at=min(at, now))
    arrived(delivery, min(at, now))


def arrived(delivery: Delivery, at: datetime) -> None:
    """What was given up or not needed any more has arrived all the same; what still waits is left alone."""
    Delivery.objects.filter(pk=delivery.pk, due_at=None, status__in=NOT_SENT).update(
        status=Delivery.Status.SENT, why="", sent_at=Coalesce("handed_over_at", Value(at))
    )


def dead(delivery: Delivery, why: str, now: datetime) -> None:
    """No more mails to where this one went, unless its player has another address by now."""
    player = delivery.player
    if not delivery.address or comparable_address(delivery.address) == comparable_address(player.email):
        notices.dead(player=player, why=line(why), now=now)


def line(text: str) -> str:
    """What another server said, in one short line."""
    return " ".join(text.replace("\0", " ").split())[:300]

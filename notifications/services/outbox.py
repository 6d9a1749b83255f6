"""Outbox: deliveries are claimed by one worker, sent, retried, or given up; and what is special to mails."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from types import MappingProxyType
from typing import Any

from django.conf import settings
from django.db import transaction
from django.db.models import F, Q

from accounts.models import Player
from common import counters
from notifications.models import IS_MAIL, Delivery
from notifications.notice_kinds import PreferenceGroup, get_notice_kind

from . import notices
from .delivery_handoff import mark_not_handed_over, resolve_final_status

# After each failed attempt of a call or push message; then it is given up. A mail has two days more.
WEBHOOK_RETRY_DELAYS = (
    timedelta(minutes=1),
    timedelta(minutes=5),
    timedelta(minutes=15),
    timedelta(hours=1),
    timedelta(hours=4),
    timedelta(hours=12),
)
MAIL_RETRY_DELAYS = (*WEBHOOK_RETRY_DELAYS, timedelta(hours=24), timedelta(hours=24))
MAIL_LEASE = timedelta(seconds=settings.MAIL_LEASE)  # after it the worker is taken for dead
SERVER_OUTAGE_RETRY_DELAY = timedelta(minutes=1)  # when no mail server was reachable
MAX_SERVER_OUTAGE_WAIT = timedelta(days=5)  # for a mail server


# ------------------------------------------------------------------------------------ every channel


def retry_delays_of(delivery: Delivery) -> tuple[timedelta, ...]:
    """Return how long to wait after each failed attempt of a delivery, by its channel."""
    return MAIL_RETRY_DELAYS if delivery.channel == Delivery.Channel.MAIL else WEBHOOK_RETRY_DELAYS


def was_interrupted_too_often(delivery: Delivery) -> bool:
    """Return whether the worker died at each of the attempts that a delivery has."""
    return delivery.attempts > len(retry_delays_of(delivery)) + 1


def retry_or_give_up(
    delivery: Delivery,
    reason: str,
    now: datetime,
    *,
    maybe_accepted: bool = False,
    is_final: bool = False,
    not_before: datetime | None = None,
) -> bool:
    """Record a failed or unconfirmed attempt. Returns whether there will be another one.

    `maybe_accepted`: the other side may have taken it. `is_final`: it wants no other attempt. `not_before`:
    it wants none before that time.
    """
    if not maybe_accepted:
        mark_not_handed_over(delivery)
    retry_delays = retry_delays_of(delivery)
    if is_final or delivery.attempts > len(retry_delays):
        finish_delivery(delivery, resolve_final_status(delivery, Delivery.Status.FAILED), reason, now)
        return False
    retry_at = now + retry_delays[delivery.attempts - 1]
    schedule_retry(delivery, reason, max(retry_at, not_before or retry_at))
    return True


def drop_delivery(delivery: Delivery, reason: str, now: datetime) -> None:
    """Drop a delivery that is no longer needed."""
    finish_delivery(delivery, resolve_final_status(delivery, Delivery.Status.DROPPED), reason, now)


def schedule_retry(delivery: Delivery, reason: str, retry_at: datetime) -> None:
    """Schedule a retry, unless the delivery is finished."""
    Delivery.objects.filter(pk=delivery.pk, next_attempt_at__isnull=False).update(
        next_attempt_at=retry_at, status_reason=reason[:300]
    )


def finish_delivery(
    delivery: Delivery, status: str, reason: str, now: datetime, **extra_columns: object
) -> None:
    """Write the final status of a delivery, unless it is finished already."""
    waiting_rows = Delivery.objects.filter(pk=delivery.pk, next_attempt_at__isnull=False)
    if waiting_rows.update(status=status, status_reason=reason[:300], next_attempt_at=None, **extra_columns):
        get_notice_kind(delivery.kind).handle_unsent(delivery)
        counters.increment_counter(name=build_counter_name(delivery, status), now=now)


def finish_sent_delivery(delivery: Delivery, now: datetime, **extra_columns: object) -> None:
    """Mark a delivery as sent, whatever was recorded meanwhile, unless it bounced."""
    row = Delivery.objects.filter(pk=delivery.pk).exclude(
        status__in=[Delivery.Status.SENT, Delivery.Status.BOUNCED]
    )
    if row.update(
        status=Delivery.Status.SENT, status_reason="", next_attempt_at=None, sent_at=now, **extra_columns
    ):
        counters.increment_counter(name=build_counter_name(delivery, Delivery.Status.SENT), now=now)


def build_counter_name(delivery: Delivery, status: str) -> str:
    """Return the name of the counter of deliveries of this channel that end with this status."""
    return f"{delivery.channel}:{status}"


# ------------------------------------------------------------------------------------ mails


def find_due_mails(*, now: datetime, limit: int) -> list[tuple[int, datetime]]:
    """Return the mails that are due, oldest first, each with the due time that a claim must match."""
    due_mails = Delivery.objects.filter(IS_MAIL, next_attempt_at__lte=now).order_by("next_attempt_at", "pk")
    return [(pk, at) for pk, at in due_mails.values_list("pk", "next_attempt_at")[:limit] if at]


def claim_mail(*, pk: int, seen_due_at: datetime, now: datetime) -> Delivery | None:
    """Claim a mail for the time of the lease, or return None if another worker was faster."""
    row = Delivery.objects.filter(pk=pk, next_attempt_at=seen_due_at)
    if not row.update(next_attempt_at=now + MAIL_LEASE, attempts=F("attempts") + 1):
        return None
    return Delivery.objects.select_related("player").get(pk=pk)


def mark_mail_sent(
    *,
    delivery: Delivery,
    address: str,
    message_id: str,
    now: datetime,
    data_when_sent: Mapping[str, Any] = MappingProxyType({}),
) -> None:
    """Record that the mail server accepted a mail, and the fields that are kept of it."""
    data = {**delivery.data, **data_when_sent}
    finish_sent_delivery(delivery, now, address=address, message_id=message_id, data=data)
    if get_notice_kind(delivery.kind).group is PreferenceGroup.TURNS:
        Player.objects.filter(pk=delivery.player_id).update(last_turn_mail_at=now)


def mark_mail_dropped(*, delivery: Delivery, reason: str, now: datetime) -> None:
    """Drop a mail that is no longer needed."""
    release_single_mail(delivery)
    drop_delivery(delivery, reason, now)


def mark_mail_failed(*, delivery: Delivery, reason: str, now: datetime, maybe_accepted: bool = False) -> None:
    """Record a failed or unconfirmed attempt: retry later, or give up."""
    release_single_mail(delivery)
    retry_or_give_up(delivery, reason, now, maybe_accepted=maybe_accepted)


def postpone_mail(*, delivery: Delivery, reason: str, now: datetime) -> None:
    """Postpone a mail because no mail server was reachable; this does not count as an attempt."""
    mark_not_handed_over(delivery)
    release_single_mail(delivery)
    if now - delivery.created_at > MAX_SERVER_OUTAGE_WAIT:
        finish_delivery(delivery, resolve_final_status(delivery, Delivery.Status.FAILED), reason, now)
    else:
        Delivery.objects.filter(pk=delivery.pk).update(attempts=F("attempts") - 1)
        schedule_retry(delivery, reason, now + SERVER_OUTAGE_RETRY_DELAY)


def mark_mail_bounced(*, delivery: Delivery, reason: str, now: datetime) -> None:
    """Record that the address does not exist, and mark it as bounced if it is the player's."""
    mark_not_handed_over(delivery)
    release_single_mail(delivery)
    with transaction.atomic():
        finish_delivery(delivery, Delivery.Status.BOUNCED, reason, now)
        if get_notice_kind(delivery.kind).goes_to_player:
            notices.mark_email_bounced(player=delivery.player, reason=reason, now=now)


def retry_delivery(*, delivery: Delivery, now: datetime) -> bool:
    """Let an operator retry a delivery that was given up or bounced. Returns whether it is due again."""
    finished_deliveries = Delivery.objects.filter(
        pk=delivery.pk,
        next_attempt_at=None,
        status__in=[Delivery.Status.FAILED, Delivery.Status.BOUNCED, Delivery.Status.UNCERTAIN],
    ).exclude(Q(webhook__active=False) | (Q(push_device__isnull=False) & ~Q(push_device__disabled_reason="")))
    return bool(
        finished_deliveries.update(
            status=Delivery.Status.WAITING, status_reason="", attempts=0, next_attempt_at=now
        )
    )


# ---------------------------------------------------------------------------- one mail until they come back


def claim_single_mail(*, delivery: Delivery, now: datetime) -> bool:
    """Claim the single mail that a player wants until they come back; False if another mail has it.

    The claim is stored with the delivery, so that it can be retried after a crash.
    """
    player_rows = Player.objects.filter(pk=delivery.player_id)
    if claimed_at := delivery.data.get("only"):
        return player_rows.filter(last_turn_mail_at=datetime.fromisoformat(claimed_at)).exists()
    with transaction.atomic():
        has_returned = Q(last_turn_mail_at=None) | Q(last_seen_at__gte=F("last_turn_mail_at"))
        if not player_rows.filter(has_returned).update(last_turn_mail_at=now):
            return False
        save_delivery_data(delivery, delivery.data | {"only": now.isoformat()})
    return True


def release_single_mail(delivery: Delivery) -> None:
    """Release the claim on the single mail: this one was not sent, and the next may be."""
    if claimed_at := delivery.data.get("only"):
        Player.objects.filter(
            pk=delivery.player_id, last_turn_mail_at=datetime.fromisoformat(claimed_at)
        ).update(last_turn_mail_at=None)
        save_delivery_data(delivery, {name: value for name, value in delivery.data.items() if name != "only"})


def save_delivery_data(delivery: Delivery, data: dict[str, object]) -> None:
    """Save a delivery's data."""
    delivery.data = data
    Delivery.objects.filter(pk=delivery.pk).update(data=data)

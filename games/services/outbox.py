"""Outbox: mails are claimed by one worker, sent, retried, or given up."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.conf import settings
from django.db import transaction
from django.db.models import F, Q

from games.models import Delivery, Player

from . import notices, webhooks
from .delivery_handoff import mark_not_handed_over, resolve_final_status
from .webhooks import finish_delivery, finish_sent_delivery

# After each failed attempt, as for webhooks but two days longer; then the mail is given up.
MAIL_RETRY_DELAYS = (*webhooks.WEBHOOK_RETRY_DELAYS, timedelta(hours=24), timedelta(hours=24))
MAIL_LEASE = timedelta(seconds=settings.MAIL_LEASE)  # after it the worker is taken for dead
SERVER_OUTAGE_RETRY_DELAY = timedelta(minutes=1)  # when no mail server was reachable
MAX_SERVER_OUTAGE_WAIT = timedelta(days=5)  # for a mail server


def find_due_mails(*, now: datetime, limit: int) -> list[tuple[int, datetime]]:
    """Return the mails that are due, oldest first, each with the due time that a claim must match."""
    due_mails = Delivery.objects.filter(webhook=None, due_at__lte=now).order_by("due_at", "pk")
    return [(pk, at) for pk, at in due_mails.values_list("pk", "due_at")[:limit] if at]


def claim_mail(*, pk: int, seen_due_at: datetime, now: datetime) -> Delivery | None:
    """Claim a mail for the time of the lease, or return None if another worker was faster."""
    row = Delivery.objects.filter(pk=pk, due_at=seen_due_at)
    if not row.update(due_at=now + MAIL_LEASE, tries=F("tries") + 1):
        return None
    return Delivery.objects.select_related("player", "game").get(pk=pk)


def mark_mail_sent(
    *,
    delivery: Delivery,
    address: str,
    message_id: str,
    now: datetime,
    shown_turns: dict[str, int | None] | None = None,
) -> None:
    """Record that the mail server accepted a mail; `shown_turns` maps its games to the reader's turn."""
    data = delivery.data | ({"shown_turns": shown_turns} if shown_turns else {})
    finish_sent_delivery(delivery, now, address=address, message_id=message_id, data=data)
    if delivery.kind in notices.TURN_NOTICE_KINDS:
        Player.objects.filter(pk=delivery.player_id).update(mailed_at=now)


def mark_mail_dropped(*, delivery: Delivery, reason: str, now: datetime) -> None:
    """Drop a mail that is no longer needed."""
    release_single_mail(delivery)
    finish_delivery(delivery, resolve_final_status(delivery, Delivery.Status.DROPPED), reason, now)


def mark_mail_failed(*, delivery: Delivery, reason: str, now: datetime, maybe_accepted: bool = False) -> None:
    """Record a failed or unconfirmed attempt: retry later, or give up."""
    if not maybe_accepted:
        mark_not_handed_over(delivery)
    release_single_mail(delivery)
    if delivery.tries > len(MAIL_RETRY_DELAYS):
        finish_delivery(delivery, resolve_final_status(delivery, Delivery.Status.FAILED), reason, now)
    else:
        schedule_retry(delivery, reason, now + MAIL_RETRY_DELAYS[delivery.tries - 1])


def postpone_mail(*, delivery: Delivery, reason: str, now: datetime) -> None:
    """Postpone a mail because no mail server was reachable; this does not count as an attempt."""
    mark_not_handed_over(delivery)
    release_single_mail(delivery)
    if now - delivery.made_at > MAX_SERVER_OUTAGE_WAIT:
        finish_delivery(delivery, resolve_final_status(delivery, Delivery.Status.FAILED), reason, now)
    else:
        Delivery.objects.filter(pk=delivery.pk).update(tries=F("tries") - 1)
        schedule_retry(delivery, reason, now + SERVER_OUTAGE_RETRY_DELAY)


def mark_mail_bounced(*, delivery: Delivery, reason: str, now: datetime) -> None:
    """Record that the address does not exist, and mark it as bounced."""
    mark_not_handed_over(delivery)
    release_single_mail(delivery)
    with transaction.atomic():
        finish_delivery(delivery, Delivery.Status.BOUNCED, reason, now)
        notices.mark_email_bounced(player=delivery.player, reason=reason, now=now)


def retry_delivery(*, delivery: Delivery, now: datetime) -> bool:
    """Let an operator retry a delivery that was given up or bounced. Returns whether it is due again."""
    finished_deliveries = Delivery.objects.filter(
        pk=delivery.pk,
        due_at=None,
        status__in=[Delivery.Status.FAILED, Delivery.Status.BOUNCED, Delivery.Status.UNCERTAIN],
    ).exclude(webhook__active=False)
    return bool(finished_deliveries.update(status=Delivery.Status.WAITING, why="", tries=0, due_at=now))


def schedule_retry(delivery: Delivery, reason: str, retry_at: datetime) -> None:
    """Schedule a retry, unless the delivery is finished."""
    Delivery.objects.filter(pk=delivery.pk, due_at__isnull=False).update(due_at=retry_at, why=reason[:300])


# ---------------------------------------------------------------------------- one mail until they come back


def claim_single_mail(*, delivery: Delivery, now: datetime) -> bool:
    """Claim the single mail that a player wants until they come back; False if another mail has it.

    The claim is stored with the delivery, so that it can be retried after a crash.
    """
    player_rows = Player.objects.filter(pk=delivery.player_id)
    if claimed_at := delivery.data.get("only"):
        return player_rows.filter(mailed_at=datetime.fromisoformat(claimed_at)).exists()
    with transaction.atomic():
        has_returned = Q(mailed_at=None) | Q(seen_at__gte=F("mailed_at"))
        if not player_rows.filter(has_returned).update(mailed_at=now):
            return False
        save_delivery_data(delivery, delivery.data | {"only": now.isoformat()})
    return True


def release_single_mail(delivery: Delivery) -> None:
    """Release the claim on the single mail: this one was not sent, and the next may be."""
    if claimed_at := delivery.data.get("only"):
        Player.objects.filter(pk=delivery.player_id, mailed_at=datetime.fromisoformat(claimed_at)).update(
            mailed_at=None
        )
        save_delivery_data(delivery, {name: value for name, value in delivery.data.items() if name != "only"})


def save_delivery_data(delivery: Delivery, data: dict[str, object]) -> None:
    """Save a delivery's data."""
    delivery.data = data
    Delivery.objects.filter(pk=delivery.pk).update(data=data)

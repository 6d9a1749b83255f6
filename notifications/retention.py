"""Retention rules of notices."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from itertools import takewhile

from django.db import transaction
from django.db.models import Exists, Q, QuerySet

from accounts.services.retention import RetentionRule, compute_retention_cutoff, delete_in_batches
from common import counters
from common.batches import DEFAULT_BATCH_SIZE, iter_pk_batches
from common.budget import Budget
from common.extensions import collect_declarations
from common.models import MetricCounter
from notifications.models import Delivery, FeedEntry, InboundMail

IDEMPOTENCY_KEY_CURSOR = "clear:keys"  # how far keys of feed entries have been cleared


@dataclass(frozen=True)
class KeptDeliveries:
    """Old deliveries that an app still needs, declared as `KEPT_DELIVERIES` in `<app>/kept_deliveries.py`."""

    build_condition: Callable[[QuerySet[Delivery], datetime], Q | Exists]  # of a batch, at a time


def delete_old_deliveries(*, now: datetime, budget: Budget | None = None) -> int:
    """Delete finished mails and webhook calls, except those that an app still needs."""
    is_old, deleted_count = Q(created_at__lt=compute_retention_cutoff("deliveries", now)), 0
    budget = budget or Budget.unlimited()
    declarations = collect_declarations("kept_deliveries", "KEPT_DELIVERIES", KeptDeliveries)
    for batch_ids in iter_pk_batches(Delivery.objects.all()):  # oldest first
        if not budget.allows_more():
            break
        batch = Delivery.objects.filter(is_old, pk__in=batch_ids)
        if not batch.exists():
            break
        removable = batch.filter(next_attempt_at=None)
        for kept_deliveries in declarations:
            removable = removable.exclude(kept_deliveries.build_condition(batch, now))
        deleted_count += removable.delete()[0]
    return deleted_count


def delete_old_inbound_mail(*, now: datetime, budget: Budget | None = None) -> int:
    """Delete log rows of inbound mails; their text was never stored."""
    old_mails = InboundMail.objects.filter(received_at__lt=compute_retention_cutoff("received", now))
    return delete_in_batches(old_mails, budget)


def clear_idempotency_keys(*, now: datetime, budget: Budget | None = None) -> int:
    """Clear old idempotency keys and their stored responses from feed entries; the entries stay.

    Walks the feed entries once in order, with the cursor in a counter row: each run handles only new ones.
    """
    MetricCounter.objects.get_or_create(pk=IDEMPOTENCY_KEY_CURSOR, defaults={"updated_at": now})
    cutoff, cleared_count = compute_retention_cutoff("keys", now), 0
    budget = budget or Budget.unlimited()
    while budget.allows_more():
        with transaction.atomic():
            cursor = (
                MetricCounter.objects.select_for_update().get(pk=IDEMPOTENCY_KEY_CURSOR).count
            )  # the lock serializes workers
            next_entries = (
                FeedEntry.objects.filter(pk__gt=cursor)
                .order_by("pk")
                .values_list("pk", "at")[:DEFAULT_BATCH_SIZE]
            )
            old_ids = [pk for pk, _at in takewhile(lambda row: row[1] < cutoff, next_entries)]
            if not old_ids:
                return cleared_count
            entries_with_keys = FeedEntry.objects.filter(pk__gt=cursor, pk__lte=old_ids[-1]).exclude(
                idempotency_key=""
            )
            cleared_count += entries_with_keys.update(idempotency_key="", request_hash="", response_body="")
            counters.increment_counter(name=IDEMPOTENCY_KEY_CURSOR, now=now, count=old_ids[-1] - cursor)
    return cleared_count


RETENTION = (
    RetentionRule("deliveries", delete_old_deliveries),
    RetentionRule("received", delete_old_inbound_mail),
    RetentionRule("keys", clear_idempotency_keys),
)

"""Data retention: deletes rows that are no longer needed, in batches. Games and their actions are kept."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from datetime import datetime, timedelta
from itertools import takewhile
from typing import Any

from django.conf import settings
from django.db import transaction
from django.db.models import Exists, Q, QuerySet
from oauth2_provider.models import clear_expired

from games.batches import DEFAULT_BATCH_SIZE, iter_pk_batches
from games.models import (
    Delivery,
    FeedEntry,
    Game,
    IdempotentResponse,
    InboundMail,
    Invitation,
    MetricCounter,
    SpentCommitment,
    Token,
)
from games.seed_offers import OFFER_LIFETIME

from . import addresses, contact_limits, counters
from .budget import Budget

IDEMPOTENCY_KEY_CURSOR = "clear:keys"  # how far keys of feed entries have been cleared
SECONDS_PER_ROW_KIND = 4.0  # of each run
UNFINISHED_STATUSES = (Game.Status.OPEN, Game.Status.RUNNING, Game.Status.TIEBREAK)
# Conditions added by other apps: deliveries that match one are kept as evidence.
DELIVERY_KEEP_CONDITIONS: list[Callable[..., Exists]] = []


def delete_expired_rows(*, now: datetime, budget: Budget | None = None) -> Counter[str]:
    """Delete expired rows of every kind within the budget. Returns how many of each; idempotent.

    Rows that do not fit into the budget are left to the next run.
    """
    clear_expired()  # expired OAuth tokens and codes
    budget = budget or Budget.unlimited()
    deleted_counts: Counter[str] = Counter()
    deleters: dict[str, Callable[..., int]] = {
        "deliveries": delete_old_deliveries,
        "received": delete_old_inbound_mail,
        "tokens": delete_ended_tokens,
        "keys": clear_idempotency_keys,
        "responses": delete_idempotent_responses,
        "invitations": delete_old_invitations,
        "unconfirmed": remove_unconfirmed_accounts,
        "contact_counts": delete_contact_counts,
        "commitments": delete_spent_commitments,
    }
    for kind, delete_kind in deleters.items():
        # A share for each kind: rows that are scanned but kept must not starve the others.
        kind_budget = budget.share(SECONDS_PER_ROW_KIND)
        deleted_counts[kind] = delete_kind(now=now, budget=kind_budget)
        budget.work_left |= kind_budget.work_left and deleted_counts[kind] > 0
    return deleted_counts


def compute_retention_cutoff(kind: str, now: datetime) -> datetime:
    """Return the time before which rows of a kind are deleted."""
    return now - timedelta(days=settings.RETENTION_DAYS[kind])


def delete_old_deliveries(*, now: datetime, budget: Budget | None = None) -> int:
    """Delete finished mails and webhook calls, except those of unfinished games."""
    is_old, deleted_count = Q(made_at__lt=compute_retention_cutoff("deliveries", now)), 0
    budget = budget or Budget.unlimited()
    for batch_ids in iter_pk_batches(Delivery.objects.all()):  # oldest first
        if not budget.allows_more():
            break
        batch = Delivery.objects.filter(is_old, pk__in=batch_ids)
        if not batch.exists():
            break
        removable = batch.filter(due_at=None).exclude(game__status__in=UNFINISHED_STATUSES)
        for keep_condition in DELIVERY_KEEP_CONDITIONS:
            removable = removable.exclude(keep_condition(now=now))
        deleted_count += removable.delete()[0]
    return deleted_count


def delete_in_batches(expired_rows: QuerySet[Any], budget: Budget | None) -> int:
    """Delete rows in batches within the budget. Returns how many."""
    deleted_count, budget = 0, budget or Budget.unlimited()
    for batch_ids in iter_pk_batches(expired_rows):
        if not budget.allows_more():
            break
        deleted_count += expired_rows.model._default_manager.filter(pk__in=batch_ids).delete()[0]
    return deleted_count


def delete_old_inbound_mail(*, now: datetime, budget: Budget | None = None) -> int:
    """Delete log rows of inbound mails; their text was never stored."""
    old_mails = InboundMail.objects.filter(at__lt=compute_retention_cutoff("received", now))
    return delete_in_batches(old_mails, budget)


def delete_ended_tokens(*, now: datetime, budget: Budget | None = None) -> int:
    """Delete personal tokens that were revoked or have expired."""
    cutoff = compute_retention_cutoff("tokens", now)
    ended_tokens = Token.objects.filter(Q(revoked_at__lt=cutoff) | Q(expires_at__lt=cutoff))
    return delete_in_batches(ended_tokens, budget)


def clear_idempotency_keys(*, now: datetime, budget: Budget | None = None) -> int:
    """Clear old idempotency keys and their stored responses from feed entries; the entries stay.

    Walks the feed entries once in order, with the cursor in a counter row: each run handles only new ones.
    """
    MetricCounter.objects.get_or_create(pk=IDEMPOTENCY_KEY_CURSOR, defaults={"at": now})
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
            entries_with_keys = FeedEntry.objects.filter(pk__gt=cursor, pk__lte=old_ids[-1]).exclude(key="")
            cleared_count += entries_with_keys.update(key="", asked="", answer="")
            counters.increment_counter(name=IDEMPOTENCY_KEY_CURSOR, now=now, count=old_ids[-1] - cursor)
    return cleared_count


def delete_idempotent_responses(*, now: datetime, budget: Budget | None = None) -> int:
    """Delete stored responses of requests other than actions."""
    return delete_in_batches(
        IdempotentResponse.objects.filter(at__lt=compute_retention_cutoff("keys", now)), budget
    )


def delete_spent_commitments(*, now: datetime, budget: Budget | None = None) -> int:
    """Delete spent commitments; offers of that age are refused as too old."""
    return delete_in_batches(SpentCommitment.objects.filter(at__lt=now - 2 * OFFER_LIFETIME), budget)


def delete_old_invitations(*, now: datetime, budget: Budget | None = None) -> int:
    """Delete invitations by email to people without an account, once their game is no longer open."""
    old_invitations = Invitation.objects.filter(
        player=None, at__lt=compute_retention_cutoff("invitations", now)
    ).exclude(game__status=Game.Status.OPEN)
    return delete_in_batches(old_invitations, budget)


def remove_unconfirmed_accounts(*, now: datetime, budget: Budget | None = None) -> int:
    """Remove accounts whose address was never confirmed."""
    return addresses.remove_stale_unconfirmed_accounts(
        cutoff=compute_retention_cutoff("unconfirmed", now), now=now, budget=budget
    )


def delete_contact_counts(*, now: datetime, budget: Budget | None = None) -> int:
    """Delete contact counts that no limit reads any more."""
    return contact_limits.delete_expired_counts(now=now)

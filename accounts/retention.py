"""Retention rules of accounts."""

from __future__ import annotations

from datetime import datetime

from django.db.models import Q
from oauth2_provider.models import clear_expired

from accounts.models import IdempotentResponse, Token
from accounts.services import addresses, contact_limits
from accounts.services.retention import RetentionRule, compute_retention_cutoff, delete_in_batches
from common.budget import Budget


def delete_ended_tokens(*, now: datetime, budget: Budget | None = None) -> int:
    """Delete personal tokens that were revoked or have expired, and expired access of OAuth apps.

    Returns how many personal tokens; the library does not count what it deletes.
    """
    clear_expired()
    cutoff = compute_retention_cutoff("tokens", now)
    ended_tokens = Token.objects.filter(Q(revoked_at__lt=cutoff) | Q(expires_at__lt=cutoff))
    return delete_in_batches(ended_tokens, budget)


def delete_idempotent_responses(*, now: datetime, budget: Budget | None = None) -> int:
    """Delete stored responses of requests other than actions."""
    return delete_in_batches(
        IdempotentResponse.objects.filter(created_at__lt=compute_retention_cutoff("keys", now)), budget
    )


def remove_unconfirmed_accounts(*, now: datetime, budget: Budget | None = None) -> int:
    """Remove accounts whose address was never confirmed."""
    return addresses.remove_stale_unconfirmed_accounts(
        cutoff=compute_retention_cutoff("unconfirmed", now), now=now, budget=budget
    )


def delete_contact_counts(*, now: datetime, budget: Budget | None = None) -> int:
    """Delete contact counts that no limit reads any more."""
    return contact_limits.delete_expired_counts(now=now)


RETENTION = (
    RetentionRule("tokens", delete_ended_tokens),
    RetentionRule("responses", delete_idempotent_responses),
    RetentionRule("unconfirmed", remove_unconfirmed_accounts),
    RetentionRule("contact_counts", delete_contact_counts),
)

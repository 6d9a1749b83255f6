"""Data retention: deletes rows that are no longer needed, in batches.

Each app declares `RETENTION`, what it deletes, in `<app>/retention.py`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.db.models import QuerySet

from common.batches import iter_pk_batches
from common.budget import Budget
from common.extensions import collect_declarations

SECONDS_PER_ROW_KIND = 4.0  # of each run


@dataclass(frozen=True)
class RetentionRule:
    """Rows of one kind that are deleted when they are no longer needed."""

    kind: str  # under which they are counted
    delete: Callable[..., int]  # takes now= and budget=, and returns how many; idempotent


def delete_expired_rows(*, now: datetime, budget: Budget | None = None) -> Counter[str]:
    """Delete expired rows of every kind within the budget. Returns how many of each; idempotent.

    Rows that do not fit into the budget are left to the next run.
    """
    budget = budget or Budget.unlimited()
    deleted_counts: Counter[str] = Counter()
    for rule in collect_declarations("retention", "RETENTION", RetentionRule):
        # A share for each kind: rows that are scanned but kept must not starve the others.
        kind_budget = budget.share(SECONDS_PER_ROW_KIND)
        deleted_counts[rule.kind] = rule.delete(now=now, budget=kind_budget)
        budget.work_left |= kind_budget.work_left and deleted_counts[rule.kind] > 0
    return deleted_counts


def compute_retention_cutoff(kind: str, now: datetime) -> datetime:
    """Return the time before which rows of a kind are deleted."""
    return now - timedelta(days=settings.RETENTION_DAYS[kind])


def delete_in_batches(expired_rows: QuerySet[Any], budget: Budget | None) -> int:
    """Delete rows in batches within the budget. Returns how many."""
    deleted_count, budget = 0, budget or Budget.unlimited()
    for batch_ids in iter_pk_batches(expired_rows):
        if not budget.allows_more():
            break
        deleted_count += expired_rows.model._default_manager.filter(pk__in=batch_ids).delete()[0]
    return deleted_count

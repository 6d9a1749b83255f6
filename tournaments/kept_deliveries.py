"""Deliveries that are kept because of tournaments."""

from __future__ import annotations

from datetime import datetime

from django.db.models import Exists, QuerySet

from notifications.models import Delivery
from notifications.retention import KeptDeliveries
from tournaments.services.appeals import build_evidence_condition


def build_condition(batch: QuerySet[Delivery], now: datetime) -> Exists:
    """Build the condition that a delivery may still be evidence in an appeal."""
    return build_evidence_condition(now=now)


KEPT_DELIVERIES = KeptDeliveries(build_condition)

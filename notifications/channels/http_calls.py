"""HTTP calls to webhooks and push services, whose hosts players name: in parallel, never in a transaction."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from datetime import datetime

from notifications.models import Delivery
from notifications.services.delivery_handoff import mark_handed_over

from .webhook import webhook_http
from .webhook.webhook_http import CallFailure, CallResult

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class HttpCall:
    """A POST to a webhook or a push service."""

    url: str
    body: bytes
    headers: dict[str, str]


def make_calls(
    calls: Sequence[tuple[Delivery, HttpCall]], now: datetime
) -> Iterator[tuple[Delivery, CallResult]]:
    """Make calls in parallel, and yield the result of each in their order.

    1. Note that the deliveries are being handed over.
    2. Call in parallel threads, which do not touch the database.
    """
    if not calls:
        return
    for delivery, _call in calls:
        mark_handed_over(delivery=delivery, now=now)
    with ThreadPoolExecutor(max_workers=len(calls)) as pool:
        pending_calls = [
            (delivery, pool.submit(webhook_http.post_webhook, call.url, call.body, call.headers))
            for delivery, call in calls
        ]
        for delivery, future in pending_calls:
            yield delivery, collect_result(delivery, future)


def collect_result(delivery: Delivery, future: Future[CallResult]) -> CallResult:
    """The result of a call's thread; an unexpected error counts as a broken connection."""
    try:
        return future.result()
    except Exception:
        log.exception("%s delivery %s raised an unexpected error", delivery.channel, delivery.pk)
        return CallResult(failure=CallFailure.BROKEN_CONNECTION, maybe_delivered=True)

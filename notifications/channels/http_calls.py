"""HTTP calls to webhooks and push services, whose hosts players name: in parallel, never in a transaction."""

from __future__ import annotations

import logging
from collections.abc import Collection, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from datetime import datetime
from typing import Self

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


class ParallelCalls:
    """Calls in threads, which do not touch the database; use as a context."""

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self.deliveries_by_future: dict[Future[CallResult], Delivery] = {}
        self.pool = ThreadPoolExecutor(max_workers=limit)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self.pool.shutdown()

    @property
    def free_count(self) -> int:
        """The number of calls that may begin now."""
        return self.limit - len(self.deliveries_by_future)

    @property
    def pending(self) -> Collection[Delivery]:
        """The deliveries whose calls have begun, and whose results nobody has collected."""
        return self.deliveries_by_future.values()

    def begin(self, delivery: Delivery, call: HttpCall, now: datetime) -> None:
        """Note that a delivery is being handed over, and begin its call."""
        mark_handed_over(delivery=delivery, now=now)
        future = self.pool.submit(webhook_http.post_webhook, call.url, call.body, call.headers)
        self.deliveries_by_future[future] = delivery

    def collect_finished(self) -> Iterator[tuple[Delivery, CallResult]]:
        """Wait until a call has finished, and yield all that have; nothing if none is pending."""
        finished, _unfinished = wait(self.deliveries_by_future, return_when=FIRST_COMPLETED)
        for future in finished:
            delivery = self.deliveries_by_future.pop(future)
            yield delivery, collect_result(delivery, future)


def make_calls(
    calls: Sequence[tuple[Delivery, HttpCall]], now: datetime
) -> Iterator[tuple[Delivery, CallResult]]:
    """Make calls in parallel, and yield the result of each as it comes."""
    if not calls:
        return
    with ParallelCalls(len(calls)) as parallel_calls:
        for delivery, call in calls:
            parallel_calls.begin(delivery, call, now)
        while parallel_calls.pending:
            yield from parallel_calls.collect_finished()


def collect_result(delivery: Delivery, future: Future[CallResult]) -> CallResult:
    """The result of a call's thread; an unexpected error counts as a broken connection."""
    try:
        return future.result()
    except Exception:
        log.exception("%s delivery %s raised an unexpected error", delivery.channel, delivery.pk)
        return CallResult(failure=CallFailure.BROKEN_CONNECTION, maybe_delivered=True)

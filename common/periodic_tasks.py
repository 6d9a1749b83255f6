"""The decorator of Celery tasks that beat schedules."""

from __future__ import annotations

import logging
import time
from collections import Counter
from collections.abc import Callable
from functools import wraps
from typing import Any

from celery import shared_task
from django.conf import settings
from django.utils import timezone
from kombu.exceptions import OperationalError

from .budget import Budget
from .clock_skew import is_clock_accurate
from .counters import increment_counter

log = logging.getLogger(__name__)
# A run ends when its budget is used up. One that takes longer hangs, and its process is replaced.
TASK_TIME_LIMIT_SECONDS = 120


def periodic_task(
    name: str, time_limit: int = TASK_TIME_LIMIT_SECONDS
) -> Callable[[Callable[[Budget], Counter[str] | None]], Any]:
    """Decorator for a periodic task, which beat schedules.

    Each run:
    1. does nothing if this machine's clock is wrong;
    2. works within a time budget;
    3. counts the run, its duration and what was done;
    4. requests the next run at once if work is left, queued behind other tasks.
    """

    def decorate(work: Callable[[Budget], Counter[str] | None]) -> Any:
        @wraps(work)
        def run_and_count() -> None:
            if not is_clock_accurate():
                return
            budget, started = Budget(), time.monotonic()
            counts = work(budget) or Counter()
            now, seconds = timezone.now(), time.monotonic() - started
            increment_counter(name=name, now=now, seconds=seconds)
            for outcome, count in counts.items():
                increment_counter(name=f"{name}:{outcome}", now=now, count=count)
            if budget.work_left:
                request_next_run(task)

        task = shared_task(name=name, acks_late=True, time_limit=time_limit)(run_and_count)
        return task

    return decorate


def request_next_run(task: Any) -> None:
    """Request the next run of a task; without a broker, beat does so once the broker is back."""
    try:
        # Beat sends the task at its own pace, too; without an expiry, unclaimed runs would pile up.
        task.apply_async(retry=False, expires=max(settings.SWEEP_EVERY, 1.0))
    except (OperationalError, OSError):
        log.warning(
            "the broker cannot be reached; %s continues at its next scheduled run", task.name, exc_info=True
        )

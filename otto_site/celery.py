"""The Celery app and the whole beat schedule."""

import os
import time
from datetime import UTC, datetime, timedelta
from importlib import import_module
from typing import Any

from celery import Celery
from celery.schedules import schedule
from celery.signals import worker_init
from django.conf import settings

from .wakeups import WakingCelery

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "otto_site.settings")
# `migrate` runs Django's checks before any worker starts. In a worker or in beat they would load all pages,
# which takes as long as the rest of the start.
os.environ.setdefault("CELERY_SKIP_CHECKS", "1")

# Without Redis there is no broker: sending a task wakes the worker of the embedded site.
app = Celery("otto_site") if settings.REDIS_URL else WakingCelery("otto_site")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()


@worker_init.connect
def load_urls_of_mails(sender: Any, **_: Any) -> None:
    """Load the URLs in a mail worker, whose mails link to pages: once, before its children are forked."""
    if "mail" in sender.app.amqp.queues.consume_from:
        import_module(settings.ROOT_URLCONF)


QUEUES = ("turns", "mail", "bots", "tournaments")
app.conf.task_default_queue = "turns"
app.conf.task_routes = {f"{queue}.*": {"queue": queue} for queue in QUEUES}
app.conf.task_create_missing_queues = True
app.conf.worker_prefetch_multiplier = 1

STARTED_AT, STARTED_MONOTONIC = datetime.now(UTC), time.monotonic()


def monotonic_now() -> datetime:
    """Return the start time plus the monotonic time since then.

    With the wall clock, beat would stall after the clock was set back.
    """
    return STARTED_AT + timedelta(seconds=time.monotonic() - STARTED_MONOTONIC)


# Sweeps query what is due, so a missed or doubled run does no harm.
FREQUENT_TASKS = (
    "turns.sweep",
    "turns.players",
    "bots.sweep",
    "mail.deliver",
    "mail.webhooks",
    "mail.push",
    "tournaments.sweep",
)
MINUTELY_TASKS = ("lobby.expire", "lobby.guests", "tournaments.ratings", "tournaments.join-requests")
HOURLY_TASKS = ("mail.clear",)
DEMO_TASKS = ("tournaments.demo",) if settings.DEMO else ()
app.conf.beat_schedule = {
    task: {
        "task": task,
        "schedule": schedule(every, nowfun=monotonic_now),
        # Later runs replace an expired one; allows for some clock skew between machines.
        "options": {"expires": 6 * max(every, 1.0)},
    }
    for tasks, every in (
        ((*FREQUENT_TASKS, *DEMO_TASKS), settings.SWEEP_EVERY),
        (MINUTELY_TASKS, 60.0),
        (HOURLY_TASKS, 3600.0),
    )
    for task in tasks
}

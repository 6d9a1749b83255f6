"""The Celery app and the whole beat schedule."""

import os
import time
from datetime import UTC, datetime, timedelta

from celery import Celery
from celery.schedules import schedule
from django.conf import settings

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "otto_site.settings")

# Without Redis there is no broker: to ask for a task is to wake the worker of the embedded site.
TASK_CLASS = None if settings.REDIS_URL else "otto_site.wakeups:WakingTask"
app = Celery("otto_site", task_cls=TASK_CLASS)
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()

QUEUES = ("turns", "mail", "bots", "tournaments")
app.conf.task_default_queue = "turns"
app.conf.task_routes = {f"{queue}.*": {"queue": queue} for queue in QUEUES}
app.conf.task_create_missing_queues = True
app.conf.worker_prefetch_multiplier = 1

BEGAN, START = datetime.now(UTC), time.monotonic()


def steady() -> datetime:
    """The time as it was at the start, and what has passed since: nobody can set this clock.

    By the one on the wall beat would stop until it has caught up, if that were set back.
    """
    return BEGAN + timedelta(seconds=time.monotonic() - START)


# Sweeps: each finds by query what is due, so a run that is missed or doubled does no harm.
OFTEN = ("turns.sweep", "turns.players", "bots.sweep", "mail.deliver", "mail.webhooks", "tournaments.sweep")
SELDOM = ("lobby.expire", "lobby.guests", "tournaments.ratings", "tournaments.knocks")
HOURLY = ("mail.clear",)
DEMO = ("tournaments.demo",) if settings.DEMO else ()
app.conf.beat_schedule = {
    task: {
        "task": task,
        "schedule": schedule(every, nowfun=steady),
        # What nobody took by then was asked for again; the clocks of two machines may differ by less.
        "options": {"expires": 6 * max(every, 1.0)},
    }
    for tasks, every in (((*OFTEN, *DEMO), settings.SWEEP_EVERY), (SELDOM, 60.0), (HOURLY, 3600.0))
    for task in tasks
}

"""The Celery app and the whole beat schedule."""

import os

from celery import Celery
from django.conf import settings

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "otto_site.settings")

app = Celery("otto_site")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()

QUEUES = ("turns", "mail", "bots", "tournaments")
app.conf.task_default_queue = "turns"
app.conf.task_routes = {f"{queue}.*": {"queue": queue} for queue in QUEUES}
app.conf.task_create_missing_queues = True
app.conf.worker_prefetch_multiplier = 1

# Sweeps: each finds by query what is due, so a run that is missed or doubled does no harm.
OFTEN = ("turns.sweep", "bots.sweep", "mail.deliver", "mail.webhooks", "tournaments.sweep")
SELDOM = ("lobby.expire", "lobby.guests", "tournaments.ratings", "tournaments.knocks")
HOURLY = ("mail.clear",)
DEMO = ("tournaments.demo",) if settings.DEMO else ()
app.conf.beat_schedule = {
    task: {"task": task, "schedule": every, "options": {"expires": max(every, 1.0)}}
    for tasks, every in (((*OFTEN, *DEMO), settings.SWEEP_EVERY), (SELDOM, 60.0), (HOURLY, 3600.0))
    for task in tasks
}

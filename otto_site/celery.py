"""The Celery app and the whole beat schedule."""

import os

from celery import Celery

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "otto_site.settings")

app = Celery("otto_site")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()

QUEUES = ("turns", "mail", "bots", "tournaments")
app.conf.task_default_queue = "turns"
app.conf.task_routes = {"bots.*": {"queue": "bots"}, "mail.*": {"queue": "mail"}}
app.conf.task_create_missing_queues = True
app.conf.worker_prefetch_multiplier = 1

# Sweeps: each finds by query what is due, so a run that is missed or doubled does no harm.
app.conf.beat_schedule = {
    "bots": {"task": "bots.sweep", "schedule": 5.0, "options": {"expires": 5}},
    "expire": {"task": "lobby.expire", "schedule": 60.0, "options": {"expires": 60}},
    "invitations": {"task": "mail.invitations", "schedule": 5.0, "options": {"expires": 5}},
}

"""A machine with a wrong clock. Python imports this at its start; $CLOCK_IS_OFF names a file with the offset.

It replaces the functions that the site and Celery read, since all processes share the clock of the machine.
"""

import os
from datetime import datetime, timedelta
from pathlib import Path

import celery
from django.utils import timezone

true_now, celery_now = timezone.now, celery.Celery.now


def read_offset() -> timedelta:
    return timedelta(seconds=float(Path(os.environ["CLOCK_IS_OFF"]).read_text()))


def shifted_now() -> datetime:
    return true_now() + read_offset()


def shifted_celery_now(app: celery.Celery) -> datetime:
    moment: datetime = celery_now(app) + read_offset()
    return moment


timezone.now, celery.Celery.now = shifted_now, shifted_celery_now

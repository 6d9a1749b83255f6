"""A machine whose clock is wrong. Python finds this at its start; by how much stands in $CLOCK_IS_OFF.

What the site and Celery read is changed, not the clock itself, which all processes of a machine share.
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

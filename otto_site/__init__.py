"""Wiring: settings, addresses, servers' entry points. No word of the game is said here."""

import gc

# Rubbish that counting does not find is looked for less often: hardly any of what a start makes is rubbish,
# and to go through it over and over took a tenth of the time.
gc.set_threshold(10_000)

# Imported here so that a task called from any process goes to our broker and not to Celery's default one.
from .celery import app as celery_app  # noqa: E402

__all__ = ["celery_app"]

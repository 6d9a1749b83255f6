"""Wiring: settings, URLs, middleware, server entry points. Nothing about the game."""

import gc

# Run the cyclic garbage collector less often: start-up creates many objects and hardly any cyclic garbage,
# and collecting took a tenth of its time.
gc.set_threshold(10_000)

# Imported here so that every process uses our broker and not Celery's default one.
from .celery import app as celery_app  # noqa: E402

__all__ = ["celery_app"]

"""Wiring: settings, addresses, servers' entry points. No word of the game is said here."""

# Imported here so that a task called from any process goes to our broker and not to Celery's default one.
from .celery import app as celery_app

__all__ = ["celery_app"]

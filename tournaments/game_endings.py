"""The listener of tournaments for games that ended: their results are recorded at once."""

from __future__ import annotations

import logging
from collections.abc import Collection

from celery import current_app
from django.conf import settings
from django.db import DatabaseError
from kombu.exceptions import OperationalError

from games.services.wake_ups import GameEndListener
from tournaments.models import Pairing

logger = logging.getLogger(__name__)
SWEEP_TASK = "tournaments.sweep"  # tournaments.tasks.sweep_tournaments, which only workers load


def wake_tournament_sweep(game_ids: Collection[int]) -> None:
    """Wake a worker if tournaments wait for these games; without a broker, the sweep finds the results."""
    try:
        if not Pairing.objects.filter(game__in=game_ids).exists():
            return
        # Beat sends the task at its own pace, too; without an expiry, unclaimed runs would pile up.
        current_app.send_task(SWEEP_TASK, retry=False, expires=max(settings.SWEEP_EVERY, 1.0))
    except (OperationalError, OSError, DatabaseError):
        logger.warning("no broker: the sweep will find the results of %d games", len(game_ids), exc_info=True)


GAME_END_LISTENERS = (GameEndListener(wake_tournament_sweep),)

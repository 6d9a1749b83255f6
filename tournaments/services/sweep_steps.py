"""The names of the steps that a sweep can do, by which it counts them, and what it does after an error."""

from __future__ import annotations

import logging
from datetime import datetime, timedelta
from enum import StrEnum

from tournaments.models import League, Tournament

logger = logging.getLogger(__name__)
RETRY_AFTER = timedelta(minutes=10)  # after an error


class StepName(StrEnum):
    """The steps of a sweep."""

    STARTED = "began"
    CONFIRMATIONS_ASKED = "asked"
    ENTRANTS_WITHDRAWN = "dropped"
    RESULTS_RECORDED = "settled"
    GAME_OPENED = "opened"
    GAMES_RESIGNED = "resigned"
    GAMES_ADJUDICATED = "adjudicated"
    PUT_ON_HOLD = "held"
    ROUND_PAIRED = "paired"
    FINISHED = "finished"
    SEED_PUBLISHED = "seed-published"
    SEASON_STARTED = "season-began"
    SEASON_ENDED = "season-ended"
    FAILED = "failed"  # the sweep tries again later


def postpone_after_error(
    model: type[Tournament] | type[League], pk: int, error: Exception, now: datetime
) -> StepName:
    """Store the error of a tournament or league, which is retried later, so that it cannot stop the others.

    Called while the error is handled, so that it is logged with its traceback.
    """
    logger.exception("%s %s could not be updated", model.__name__.lower(), pk)
    model._default_manager.filter(pk=pk).update(next_sweep_at=now + RETRY_AFTER, last_error=repr(error)[:200])
    return StepName.FAILED

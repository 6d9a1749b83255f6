"""Wake-ups: a worker is told that a bot is to act, once the transaction that made it so is committed."""

from __future__ import annotations

import logging
from functools import partial

from celery import current_app
from django.db import transaction
from kombu.exceptions import OperationalError

from games.models import Game

logger = logging.getLogger(__name__)
PLAY_BOTS_TASK = "bots.answer"  # the name of games.tasks.play_bots; tasks import services, not the reverse


def wake_bots_after_commit(game: Game) -> None:
    """Wake a worker after the commit, if a bot is to act; before it the worker would find nothing to do."""
    if game.bot_to_act:
        transaction.on_commit(partial(wake_bots, game.code))


def wake_bots(code: str) -> None:
    """Wake a worker for a game's bots now; without a broker, the bot sweep finds the game."""
    try:
        current_app.send_task(PLAY_BOTS_TASK, (code,), retry=False)  # by name: only workers load the tasks
    except (OperationalError, OSError):
        logger.warning("no broker: the sweep will find the bots of %s", code, exc_info=True)

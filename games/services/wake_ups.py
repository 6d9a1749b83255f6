"""Wake-ups, once a transaction is committed: of a worker if a bot is to act, and of open streams."""

from __future__ import annotations

import logging
from collections.abc import Iterable
from functools import partial

from celery import current_app
from django.db import transaction
from kombu.exceptions import OperationalError

from games.models import Game
from notifications.stream_wake_ups import LOBBY_KEY, player_key, wake_streams_after_commit

logger = logging.getLogger(__name__)
PLAY_BOTS_TASK = "bots.answer"  # the name of games.tasks.play_bots; tasks import services, not the reverse


def wake_bots_after_commit(game: Game) -> None:
    """Wake a worker after the commit, if a bot is to act; before it the worker would find nothing to do."""
    if game.bot_to_act:
        transaction.on_commit(partial(wake_bots, game.code))


def wake_viewers_after_commit(game: Game, player_ids: Iterable[int] = (), *, in_lobby: bool = False) -> None:
    """Wake the streams of a game and of these players after the commit, with `in_lobby` the lobby's too."""
    wake_streams_after_commit({game.topic, *map(player_key, player_ids), LOBBY_KEY if in_lobby else ""})


def wake_bots(code: str) -> None:
    """Wake a worker for a game's bots now; without a broker, the bot sweep finds the game."""
    try:
        current_app.send_task(PLAY_BOTS_TASK, (code,), retry=False)  # by name: only workers load the tasks
    except (OperationalError, OSError):
        logger.warning(
            "the broker cannot be reached; the sweep will find the bots of %s", code, exc_info=True
        )

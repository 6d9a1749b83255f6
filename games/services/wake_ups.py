"""Wake-ups, once a transaction is committed: of workers that have something to do, and of open streams."""

from __future__ import annotations

import logging
from collections.abc import Collection, Iterable
from functools import partial

from celery import current_app
from django.conf import settings
from django.db import DatabaseError, transaction
from kombu.exceptions import OperationalError

from games.models import DerivedSeed, Game
from notifications.stream_wake_ups import LOBBY_KEY, player_key, wake_streams_after_commit

logger = logging.getLogger(__name__)
# Names of tasks, since tasks import services, not the reverse.
PLAY_BOTS_TASK = "bots.answer"  # games.tasks.play_bots
SWEEP_TOURNAMENTS_TASK = "tournaments.sweep"  # tournaments.tasks.sweep_tournaments


def wake_bots_after_commit(game: Game) -> None:
    """Wake a worker after the commit, if a bot is to act; before it the worker would find nothing to do."""
    if game.bot_to_act:
        transaction.on_commit(partial(wake_bots, game.code))


def wake_tournaments_after_commit(games: Iterable[Game]) -> None:
    """Wake a worker for tournaments after the commit, if a game of one of them has ended."""
    if game_ids := [game.pk for game in games if game.current_status.is_over]:
        transaction.on_commit(partial(wake_tournaments, game_ids))


def wake_viewers_after_commit(game: Game, player_ids: Iterable[int] = (), *, in_lobby: bool = False) -> None:
    """Wake the streams of a game and of these players after the commit.

    With `in_lobby`, those of the lobby, too; of a rematch also those of the game before, whose page shows it.
    """
    keys = {game.topic, *map(player_key, player_ids)}
    if in_lobby:
        keys |= {LOBBY_KEY, game.rematch_of.topic if game.rematch_of else ""}
    wake_streams_after_commit(keys)


def wake_bots(code: str) -> None:
    """Wake a worker for a game's bots now; without a broker, the bot sweep finds the game."""
    try:
        current_app.send_task(PLAY_BOTS_TASK, (code,), retry=False)  # by name: only workers load the tasks
    except (OperationalError, OSError):
        logger.warning("no broker: the sweep will find the bots of %s", code, exc_info=True)


def wake_tournaments(game_ids: Collection[int]) -> None:
    """Have the results of ended games recorded now, if tournaments wait for them; else the sweep does it."""
    try:
        if not DerivedSeed.objects.filter(game__in=game_ids).exists():
            return
        # Beat sends the task at its own pace, too; without an expiry, unclaimed runs would pile up.
        current_app.send_task(SWEEP_TOURNAMENTS_TASK, retry=False, expires=max(settings.SWEEP_EVERY, 1.0))
    except (OperationalError, OSError, DatabaseError):
        logger.warning("no broker: the sweep will find the results of %d games", len(game_ids), exc_info=True)

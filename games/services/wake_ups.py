"""Wake-ups, once a transaction is committed: of workers that have something to do, and of open streams."""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from functools import partial

from celery import current_app
from django.db import transaction
from kombu.exceptions import OperationalError

from common.extensions import collect_declarations
from games.models import Game
from notifications.stream_wake_ups import LOBBY_KEY, player_key, wake_streams_after_commit

logger = logging.getLogger(__name__)
PLAY_BOTS_TASK = "bots.answer"  # games.tasks.play_bots, by name: tasks import services, not the reverse


@dataclass(frozen=True)
class GameEndListener:
    """A callback of an app for games that ended, declared in `game_endings.GAME_END_LISTENERS`.

    `handle_ended_games` gets their ids after the commit. It raises nothing, as the move is already played.
    """

    handle_ended_games: Callable[[Collection[int]], None]


def wake_bots_after_commit(game: Game) -> None:
    """Wake a worker after the commit, if a bot is to act; before it the worker would find nothing to do."""
    if game.bot_to_act:
        transaction.on_commit(partial(wake_bots, game.code))


def announce_game_ends_after_commit(games: Iterable[Game]) -> None:
    """Tell other apps after the commit which of these games have ended."""
    if game_ids := [game.pk for game in games if game.current_status.is_over]:
        transaction.on_commit(partial(notify_game_end_listeners, game_ids))


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


def notify_game_end_listeners(game_ids: Collection[int]) -> None:
    """Tell the listeners of all apps that games have ended."""
    for listener in collect_declarations("game_endings", "GAME_END_LISTENERS", GameEndListener):
        listener.handle_ended_games(game_ids)

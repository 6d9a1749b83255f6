"""Limits on how many games a player may have."""

from __future__ import annotations

from django.utils.translation import gettext as _

from accounts.models import Player
from accounts.services.players import lock_player
from common.service_errors import Conflict
from games.models import Game, Seat

# Unfinished games with a seat of theirs. Tournament games count, but are never refused.
MAX_RUNNING_GAMES_PER_PLAYER = 200
MAX_RUNNING_GAMES_PER_GUEST = 5
UNFINISHED_STATUSES = (Game.Status.OPEN, Game.Status.RUNNING, Game.Status.TIEBREAK)


def max_running_games(player: Player) -> int:
    """Return in how many games a player may have a seat at a time."""
    return MAX_RUNNING_GAMES_PER_GUEST if player.is_guest else MAX_RUNNING_GAMES_PER_PLAYER


def check_running_games(player: Player) -> None:
    """Lock a player, and raise Conflict if they have a seat in the maximum number of games."""
    lock_player(player)
    limit = max_running_games(player)
    if Seat.objects.filter(player=player, game__status__in=UNFINISHED_STATUSES).count() < limit:
        return
    if player.is_guest:
        message = _("You have %(limit)d games running. Finish one of them, or sign up.")
    else:
        message = _("You have %(limit)d games going, as many as one may have. Finish one of them first.")
    raise Conflict(message % {"limit": limit}, code="too-many-games", limit=limit)

"""What a player may have only so many of."""

from __future__ import annotations

from django.utils.translation import gettext as _

from games.models import Game, Player, Seat

from .errors import Conflict

# Games with a seat of theirs that wait, run or are level. Tables of tournaments count, and are never refused.
MAX_RUNNING_GAMES_PER_PLAYER = 200
MAX_RUNNING_GAMES_PER_GUEST = 5
UNFINISHED = (Game.Status.OPEN, Game.Status.RUNNING, Game.Status.TIEBREAK)


def hold(player: Player) -> None:
    """Nobody else counts what this player has until the transaction ends.

    Else all who ask at once would count too few. A game's row comes before it, if both are held, as when an
    account goes. What changes a calendar holds the player first, but then waits only for games that run, and
    whoever counts holds none of those.
    """
    # Not of its key: moves, which only point at the player, do not wait for this lock.
    # Whose account has gone in this very moment is nobody to hold: what they write is refused by its keys.
    Player.objects.select_for_update(no_key=True).filter(pk=player.pk).first()


def max_running_games(player: Player) -> int:
    """How many games a player may have a seat in at a time."""
    return MAX_RUNNING_GAMES_PER_GUEST if player.guest else MAX_RUNNING_GAMES_PER_PLAYER


def check_running_games(player: Player) -> None:
    """Hold a player, and raise Conflict if they have a seat in as many games as they may."""
    hold(player)
    limit = max_running_games(player)
    if Seat.objects.filter(player=player, game__status__in=UNFINISHED).count() < limit:
        return
    if player.guest:
        text = _("You have %(limit)d games running. Finish one of them, or sign up.")
    else:
        text = _("You have %(limit)d games going, as many as one may have. Finish one of them first.")
    raise Conflict(text % {"limit": limit}, code="too-many-games", limit=limit)

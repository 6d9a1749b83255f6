"""What a player may have only so many of."""

from __future__ import annotations

from games.models import Player


def hold(player: Player) -> None:
    """Nobody else counts what this player has until the transaction ends.

    Else all who ask at once would count too few. A game's row comes before it, if both are held, as when an
    account goes. What changes a calendar holds the player first, but then waits only for games that run, and
    whoever counts holds none of those.
    """
    # Not of its key: moves, which only point at the player, do not wait for this lock.
    Player.objects.select_for_update(no_key=True).get(pk=player.pk)

"""Who sat where in a game, and who of them played."""

from __future__ import annotations

from collections.abc import Collection

from django.db.models import Exists, OuterRef, Q

from games.models import Action, Game, Player, Seat, SeatHandover


def has_sat(player: Player, game: Game) -> bool:
    """Whether somebody sits at a game, or sat there before they were replaced."""
    handed = SeatHandover.objects.filter(game=OuterRef("pk"))
    left = handed.filter(Q(predecessor=player) | Q(successor=player))
    sits = Seat.objects.filter(game=OuterRef("pk"), player=player)
    return Game.objects.filter(Exists(sits) | Exists(left), pk=game.pk).exists()


def seats_that_moved(games: Collection[Game]) -> set[tuple[int, int]]:
    """Game and number of each seat whose player has moved there: not the clock, nor a predecessor.

    A pass may be the server's, for who has nothing else to answer to an 8.
    """
    later = SeatHandover.objects.filter(
        game=OuterRef("game"), seat=OuterRef("seat"), seq__gte=OuterRef("seq")
    )
    moves = Action.objects.filter(game__in=games, by="player").exclude(action__in=("resign", "pass"))
    return set(moves.exclude(Exists(later)).order_by().values_list("game_id", "seat").distinct())

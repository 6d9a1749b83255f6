"""Past and present players of the seats of a game, and the actions of each."""

from __future__ import annotations

from collections.abc import Collection

from django.db.models import Exists, OuterRef, Q

from accounts.models import Player
from games.engine import ActionSource
from games.models import Action, Game, Seat, SeatHandover


def has_held_seat(player: Player, game: Game) -> bool:
    """True if a player sits in a game, or sat there before being replaced."""
    handovers = SeatHandover.objects.filter(game=OuterRef("pk"))
    own_handovers = handovers.filter(Q(predecessor=player) | Q(successor=player))
    own_seats = Seat.objects.filter(game=OuterRef("pk"), player=player)
    return Game.objects.filter(Exists(own_seats) | Exists(own_handovers), pk=game.pk).exists()


def list_seats_with_moves(games: Collection[Game]) -> set[tuple[int, int]]:
    """Game id and seat number of each seat whose current player has made a move.

    Moves by the clock or by a predecessor do not count. Neither does a pass, which the server may make for a
    player who has no other answer to an 8.
    """
    later_handovers = SeatHandover.objects.filter(
        game=OuterRef("game"), seat_no=OuterRef("seat"), after_seq__gte=OuterRef("seq")
    )
    moves = Action.objects.filter(game__in=games, by=ActionSource.PLAYER).exclude(
        action__in=("resign", "pass")
    )
    return set(moves.exclude(Exists(later_handovers)).order_by().values_list("game_id", "seat").distinct())

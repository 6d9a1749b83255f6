"""A player's public games and results, and with whom they have played."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from django.db.models import Count

from accounts.models import Player
from games.engine.state import sides_of
from games.models import Game, Seat

from .lists import DEFERRED_LIST_FIELDS


@dataclass
class ModeResults:
    """A player's results in public games of one mode and size."""

    mode: str
    seat_count: int
    played: int = 0
    won: int = 0
    drawn: int = 0

    @property
    def lost(self) -> int:
        """Games lost; a solo game cannot be drawn."""
        return self.played - self.won - self.drawn


def results_by_mode(player: Player) -> list[ModeResults]:
    """A player's results in finished public games: singles by number of players, then pairs, then solo."""
    groups: Iterable[tuple[str, int, int, int | None, int]] = (
        Seat.objects.filter(player=player, game__status=Game.Status.OVER, game__private=False)
        .values_list("game__mode", "game__seat_count", "seat_no", "game__result__winner")
        .annotate(n=Count("pk"))
    )
    results: dict[tuple[str, int], ModeResults] = {}
    for mode, seat_count, seat_no, winner, game_count in groups:
        row = results.setdefault((mode, seat_count), ModeResults(mode, seat_count))
        row.played += game_count
        if winner is None:
            row.drawn += 0 if mode == Game.Mode.SOLO else game_count
        elif winner == sides_of(mode, seat_count)[seat_no]:
            row.won += game_count
    mode_order = Game.Mode.values
    return sorted(results.values(), key=lambda row: (mode_order.index(row.mode), row.seat_count))


def list_public_games(player: Player, limit: int) -> list[Game]:
    """A player's public games that are open or running, newest first."""
    queryset = Game.objects.unfinished().filter(seats__player=player, private=False)
    return list(queryset.defer(*DEFERRED_LIST_FIELDS).order_by("-pk")[:limit])


def have_shared_game(player: Player, other: Player) -> bool:
    """True if two players have sat in the same game that started."""
    started_seats = Seat.objects.filter(player=player, seat_no__isnull=False)
    return started_seats.filter(game__seats__player=other, game__seats__seat_no__isnull=False).exists()

"""A player's public profile: their public games and results."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from django.db.models import Count, Exists, OuterRef, Value
from django.db.models.functions import Lower

from games.engine.state import sides_of
from games.models import Game, Player, Seat
from games.name_validation import INVISIBLE_CHARACTER, MAX_NAME_LENGTH, normalize_name

from .addresses import list_unconfirmed_accounts
from .lists import DEFERRED_LIST_FIELDS, UNFINISHED_STATUSES


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


def find_player_by_name(name: str) -> Player | None:
    """The member with a name, in any spelling variant, or None.

    Guests, closed and unconfirmed accounts are not found.
    """
    name = normalize_name(name)
    if not 0 < len(name) <= MAX_NAME_LENGTH or not name.isprintable() or INVISIBLE_CHARACTER.search(name):
        return None  # not a valid name; the database may not even store it
    unconfirmed = list_unconfirmed_accounts().filter(pk=OuterRef("pk"))
    members = Player.objects.filter(~Exists(unconfirmed), is_active=True, guest=False)
    players = members.alias(low=Lower("name")).filter(low=Lower(Value(name)))
    return next(iter(players), None)  # names are unique; ORDER BY would mislead the query planner


def find_lookalike_names(names: Iterable[str | None]) -> set[str]:
    """Those of the given names that can be mistaken for another player's or for one of the site's own."""
    checked_names = [name for name in names if name]
    return set(Player.objects.filter(name__in=checked_names, name_skeleton="").values_list("name", flat=True))


def results_by_mode(player: Player) -> list[ModeResults]:
    """A player's results in finished public games: singles by number of players, then pairs, then solo."""
    groups: Iterable[tuple[str, int, int, int | None, int]] = (
        Seat.objects.filter(player=player, game__status=Game.Status.OVER, game__private=False)
        .values_list("game__mode", "game__seats", "number", "game__result__winner")
        .annotate(n=Count("pk"))
    )
    results: dict[tuple[str, int], ModeResults] = {}
    for mode, seat_count, seat_no, winner, game_count in groups:
        row = results.setdefault((mode, seat_count), ModeResults(mode, seat_count))
        row.played += game_count
        if winner is None:
            row.drawn += 0 if mode == "solo" else game_count
        elif winner == sides_of(mode, seat_count)[seat_no]:
            row.won += game_count
    mode_order = ["singles", "pairs", "solo"]
    return sorted(results.values(), key=lambda row: (mode_order.index(row.mode), row.seat_count))


def list_public_games(player: Player, limit: int) -> list[Game]:
    """A player's public games that are open or running, newest first."""
    queryset = Game.objects.filter(places__player=player, status__in=UNFINISHED_STATUSES, private=False)
    return list(queryset.defer(*DEFERRED_LIST_FIELDS).order_by("-pk")[:limit])

"""What everybody may know of a player: their public games, and how those ended."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from django.db.models import Count, Exists, OuterRef, Value
from django.db.models.functions import Lower

from games.engine.state import sides_of
from games.models import Game, Player, Seat
from games.names import INVISIBLE, MAX_NAME_LENGTH, normalize_name

from .addresses import unconfirmed_accounts
from .lists import NOT_LISTED, UNDER_WAY


@dataclass
class Standing:
    """How a player's public games of one kind ended."""

    mode: str
    seats: int
    played: int = 0
    won: int = 0
    drawn: int = 0

    @property
    def lost(self) -> int:
        """All the others; alone there is no draw."""
        return self.played - self.won - self.drawn


def player_named(name: str) -> Player | None:
    """The member of that name, however it is written; nobody who only visits, is gone or never confirmed."""
    name = normalize_name(name)
    if not 0 < len(name) <= MAX_NAME_LENGTH or not name.isprintable() or INVISIBLE.search(name):
        return None  # nobody can be called that, and the database may not even hold it
    unconfirmed = unconfirmed_accounts().filter(pk=OuterRef("pk"))
    members = Player.objects.filter(~Exists(unconfirmed), is_active=True, guest=False)
    named = members.alias(low=Lower("name")).filter(low=Lower(Value(name)))
    return next(iter(named), None)  # names are unique; an order would only tempt the planner


def lookalikes(names: Iterable[str | None]) -> set[str]:
    """Which of some names can be taken for another player's, or for one of the site's own."""
    wanted = [name for name in names if name]
    return set(Player.objects.filter(name__in=wanted, name_skeleton="").values_list("name", flat=True))


def standing(player: Player) -> list[Standing]:
    """A player's public games that are over, by kind: fewer players first, then pairs, then alone."""
    groups: Iterable[tuple[str, int, int, int | None, int]] = (
        Seat.objects.filter(player=player, game__status=Game.Status.OVER, game__private=False)
        .values_list("game__mode", "game__seats", "number", "game__result__winner")
        .annotate(n=Count("pk"))
    )
    found: dict[tuple[str, int], Standing] = {}
    for mode, seats, number, winner, n in groups:
        row = found.setdefault((mode, seats), Standing(mode, seats))
        row.played += n
        if winner is None:
            row.drawn += 0 if mode == "solo" else n
        elif winner == sides_of(mode, seats)[number]:
            row.won += n
    order = ["singles", "pairs", "solo"]
    return sorted(found.values(), key=lambda row: (order.index(row.mode), row.seats))


def public_games(player: Player, limit: int) -> list[Game]:
    """The public games that a player waits for or plays now, newest first."""
    found = Game.objects.filter(places__player=player, status__in=UNDER_WAY, private=False)
    return list(found.defer(*NOT_LISTED).order_by("-pk")[:limit])

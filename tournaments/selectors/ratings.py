"""Ratings as people see them."""

from __future__ import annotations

from collections.abc import Iterable

from games.models import Player
from tournaments.models import Rating
from tournaments.pairing import Id

MU, SIGMA = 25.0, 25.0 / 3
SCALE, BASE = 40, 500  # who begins has 1500, and nobody is sure of it by some 330


def shown(mu: float) -> int:
    """A rating as a whole number."""
    return round(BASE + SCALE * mu)


def unsure(sigma: float) -> int:
    """By how much it may be wrong, as a whole number."""
    return round(SCALE * sigma)


def rating_of(player: Player, mode: str) -> int:
    """A player's rating; who has played nothing has that of a beginner."""
    found = Rating.objects.filter(player=player, mode=mode).first()
    return shown(found.mu if found else MU)


def ratings_of(players: Iterable[int], mode: str) -> dict[Id, float]:
    """The ratings of those who have any, by player."""
    found = Rating.objects.filter(player__in=list(players), mode=mode, games__gt=0)
    return {one.player_id: one.mu for one in found if one.player_id}


def best(mode: str, limit: int = 100) -> list[Rating]:
    """Who is strongest."""
    found = Rating.objects.filter(mode=mode, player__isnull=False, games__gt=0)
    return list(found.select_related("player").order_by("-mu", "pk")[:limit])

"""Ratings as people see them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime

from django.db.models import Count, F, Q, QuerySet, Window
from django.db.models.functions import Mod, RowNumber

from games.models import Player
from tournaments.models import Rating, RatingChange
from tournaments.pairing import Id

MU, SIGMA = 25.0, 25.0 / 3
POINTS = 200  # of a history that are read, however long it is
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


def ranked(mode: str) -> QuerySet[Rating]:
    """Everybody who has a rating, the strongest first."""
    found = Rating.objects.filter(mode=mode, player__isnull=False, games__gt=0)
    return found.select_related("player").order_by("-mu", "pk")


def best(mode: str, limit: int = 100) -> list[Rating]:
    """Who is strongest."""
    return list(ranked(mode)[:limit])


# ------------------------------------------------------------------------------------------------ the history


@dataclass(frozen=True)
class Point:
    """A rating after so many games."""

    games: int
    mu: float
    sigma: float
    at: datetime | None  # when that game ended


@dataclass
class History:
    """How a player's rating in one mode came to what it is; of many games some are left out evenly."""

    mode: str
    games: int
    points: list[Point] = field(default_factory=list)


def histories(player: Player) -> list[History]:
    """A player's ratings by mode, in one query, each with the newest and at most POINTS games in all."""
    # The order in which changes were written is the one in which games were counted.
    numbered = RatingChange.objects.filter(rating__player=player).annotate(
        number=Window(RowNumber(), partition_by=F("rating"), order_by="pk"),
        total=Window(Count("*"), partition_by=F("rating")),
    )
    # Counted from the newest game back, so that this one is always among them.
    some = numbered.alias(back=Mod(F("total") - F("number"), (F("total") + POINTS - 1) / POINTS))
    rows = some.filter(Q(back=0)).order_by("rating__mode", "number")
    found: dict[str, History] = {}
    for mode, total, number, mu, sigma, at in rows.values_list(
        "rating__mode", "total", "number", "mu", "sigma", "game__finished_at"
    ):
        found.setdefault(mode, History(mode, total)).points.append(Point(number, mu, sigma, at))
    return sorted(found.values(), key=lambda one: one.mode, reverse=True)  # singles before pairs

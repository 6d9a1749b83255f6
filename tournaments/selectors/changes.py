"""What games did to ratings, as plain facts."""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet

from games.models import Player
from tournaments.models import Rating, RatingChange

from .ratings import shown, unsure


def of(player: Player, mode: str | None = None) -> list[Rating]:
    """A player's ratings, or the one of a mode."""
    found = player.ratings.filter(games__gt=0).order_by("mode")
    return list(found.filter(mode=mode) if mode else found)


def rating(one: Rating) -> dict[str, Any]:
    """A rating, and how sure it is."""
    return {"rating": shown(one.mu), "unsure": unsure(one.sigma), "games": one.games}


def changes(player: Player, mode: str | None = None) -> QuerySet[RatingChange]:
    """What games did to a player's ratings, ready for `change`."""
    found = RatingChange.objects.filter(rating__player=player).select_related("rating", "game")
    found = found.only("mu_before", "mu", "sigma", "rating__mode", "game__code", "game__finished_at")
    return found.filter(rating__mode=mode) if mode else found


def change(one: RatingChange) -> dict[str, Any]:
    """What one game did."""
    return {
        "mode": one.rating.mode,
        "game": one.game.code,
        "at": one.game.finished_at,
        "before": shown(one.mu_before),
        "rating": shown(one.mu),
        "unsure": unsure(one.sigma),
    }

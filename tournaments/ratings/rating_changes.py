"""Ratings and rating changes as read models."""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet

from accounts.models import Player
from tournaments.models import Rating, RatingChange

from .selectors import display_rating, display_uncertainty


def list_ratings(player: Player, mode: str | None = None) -> list[Rating]:
    """List a player's ratings, or the one of a mode."""
    ratings = player.ratings.filter(game_count__gt=0).order_by("mode")
    return list(ratings.filter(mode=mode) if mode else ratings)


def build_rating(rating: Rating) -> dict[str, Any]:
    """Build the read model of a rating with its uncertainty."""
    return {
        "rating": display_rating(rating.mu),
        "uncertainty": display_uncertainty(rating.sigma),
        "games": rating.game_count,
    }


def list_rating_changes(player: Player, mode: str | None = None) -> QuerySet[RatingChange]:
    """List a player's rating changes, loaded for `build_rating_change`."""
    rating_changes = RatingChange.objects.filter(rating__player=player).select_related("rating", "game")
    rating_changes = rating_changes.only(
        "mu_before", "mu", "sigma", "rating__mode", "game__code", "game__finished_at"
    )
    return rating_changes.filter(rating__mode=mode) if mode else rating_changes


def build_rating_change(rating_change: RatingChange) -> dict[str, Any]:
    """Build the read model of one rating change."""
    return {
        "mode": rating_change.rating.mode,
        "game": rating_change.game.code,
        "at": rating_change.game.finished_at,
        "before": display_rating(rating_change.mu_before),
        "rating": display_rating(rating_change.mu),
        "uncertainty": display_uncertainty(rating_change.sigma),
    }

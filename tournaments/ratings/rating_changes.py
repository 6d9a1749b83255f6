"""Ratings and rating changes as read models."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Annotated

from django.db.models import QuerySet

from accounts.models import Player
from common.read_models import Url
from tournaments.models import Rating, RatingChange, Tournament

from .selectors import display_rating, display_uncertainty


@dataclass(frozen=True)
class RatingData:
    """A rating of a player."""

    mode: Annotated[Tournament.Mode, "Whether the ratings are those of `singles` or of `pairs`."]
    rating: Annotated[int, "The rating; a beginner has 1500."]
    uncertainty: Annotated[int, "The uncertainty of the rating."]
    games: Annotated[int, "How many rated games of this mode they have played."]


@dataclass(frozen=True)
class RankedPlayerData:
    """A player in the ranking."""

    place: Annotated[int, "The place in the ranking; 1 is the strongest."]
    name: Annotated[str, "The name of the player."]
    rating: Annotated[int, "The rating; a beginner has 1500."]
    uncertainty: Annotated[int, "The uncertainty of the rating."]
    games: Annotated[int, "How many rated games of this mode they have played."]
    is_bot: Annotated[bool, "Whether a program plays for the account."]


@dataclass(frozen=True)
class RankingData:
    """The ranking of a mode."""

    mode: Annotated[Tournament.Mode, "Whether the ratings are those of `singles` or of `pairs`."]
    bots: Annotated[bool, "Whether the ranking is of bots."]
    results: Annotated[list[RankedPlayerData], "The players, the strongest first."]


@dataclass(frozen=True)
class RatingChangeData:
    """The change of a rating by one game."""

    mode: Annotated[Tournament.Mode, "Whether the ratings are those of `singles` or of `pairs`."]
    game: Annotated[str, "The `id` of the game."]
    at: Annotated[datetime | None, "When the game ended."]
    before: Annotated[int, "The rating before the game."]
    rating: Annotated[int, "The rating after the game."]
    uncertainty: Annotated[int, "The uncertainty of the rating after the game."]


@dataclass(frozen=True)
class RatingHistoryData:
    """The ratings of a player and their changes, in pages."""

    next: Annotated[Url | None, "The address of the next page; null on the last page."]
    previous: Annotated[Url | None, "The address of the previous page; null on the first page."]
    ratings: Annotated[list[RatingData], "The current ratings, one for each mode."]
    results: Annotated[list[RatingChangeData], "How each game changed the rating, newest first."]


def list_ratings(player: Player, mode: str | None = None) -> list[Rating]:
    """List a player's ratings, or the one of a mode."""
    ratings = player.ratings.filter(game_count__gt=0).order_by("mode")
    return list(ratings.filter(mode=mode) if mode else ratings)


def build_rating(rating: Rating) -> RatingData:
    """Build the read model of a rating with its uncertainty."""
    return RatingData(
        mode=Tournament.Mode(rating.mode),
        rating=display_rating(rating.mu),
        uncertainty=display_uncertainty(rating.sigma),
        games=rating.game_count,
    )


def build_ranked_player(place: int, rating: Rating) -> RankedPlayerData:
    """Build a line of the ranking; needs the player of the rating."""
    assert rating.player
    return RankedPlayerData(
        place=place,
        name=rating.player.name,
        rating=display_rating(rating.mu),
        uncertainty=display_uncertainty(rating.sigma),
        games=rating.game_count,
        is_bot=rating.player.is_bot,
    )


def list_rating_changes(player: Player, mode: str | None = None) -> QuerySet[RatingChange]:
    """List a player's rating changes, loaded for `build_rating_change`."""
    rating_changes = RatingChange.objects.filter(rating__player=player).select_related("rating", "game")
    rating_changes = rating_changes.only(
        "mu_before", "mu", "sigma", "rating__mode", "game__code", "game__finished_at"
    )
    return rating_changes.filter(rating__mode=mode) if mode else rating_changes


def build_rating_change(rating_change: RatingChange) -> RatingChangeData:
    """Build the read model of one rating change."""
    return RatingChangeData(
        mode=Tournament.Mode(rating_change.rating.mode),
        game=rating_change.game.code,
        at=rating_change.game.finished_at,
        before=display_rating(rating_change.mu_before),
        rating=display_rating(rating_change.mu),
        uncertainty=display_uncertainty(rating_change.sigma),
    )

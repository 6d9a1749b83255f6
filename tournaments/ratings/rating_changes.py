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

    mode: Annotated[Tournament.Mode, "everybody alone, or in pairs"]
    rating: Annotated[int, "a beginner has 1500"]
    uncertainty: Annotated[int, "by how much it may be wrong"]
    games: Annotated[int, "rated games of this mode"]


@dataclass(frozen=True)
class RankedPlayerData:
    """A player in the ranking."""

    place: Annotated[int, "1 is the strongest"]
    name: Annotated[str, "of the player"]
    rating: Annotated[int, "a beginner has 1500"]
    uncertainty: Annotated[int, "by how much it may be wrong"]
    games: Annotated[int, "rated games of this mode"]
    is_bot: Annotated[bool, "whether a program plays for the account"]


@dataclass(frozen=True)
class RankingData:
    """The ranking of a mode."""

    mode: Annotated[Tournament.Mode, "everybody alone, or in pairs"]
    bots: Annotated[bool, "whether it is the list of bots"]
    results: Annotated[list[RankedPlayerData], "the strongest first"]


@dataclass(frozen=True)
class RatingChangeData:
    """The change of a rating by one game."""

    mode: Annotated[Tournament.Mode, "everybody alone, or in pairs"]
    game: Annotated[str, "the id of the game"]
    at: Annotated[datetime | None, "when the game ended"]
    before: Annotated[int, "the rating before"]
    rating: Annotated[int, "the rating after"]
    uncertainty: Annotated[int, "by how much it may be wrong, after"]


@dataclass(frozen=True)
class RatingHistoryData:
    """The ratings of a player and their changes, in pages."""

    next: Annotated[Url | None, "the next page; null: this is the last"]
    previous: Annotated[Url | None, "the page before; null: this is the first"]
    ratings: Annotated[list[RatingData], "now, one for each mode"]
    results: Annotated[list[RatingChangeData], "what each game did, newest first"]


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

"""Ratings on the scale that players see, and their history."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime

from django.db.models import Count, F, Q, QuerySet, Window
from django.db.models.functions import Mod, RowNumber

from accounts.models import Player
from tournaments.models import GameSettings, Rating, RatingChange
from tournaments.pairing import EntrantId
from tournaments.rating_scale import INITIAL_MU as INITIAL_MU
from tournaments.rating_scale import INITIAL_SIGMA as INITIAL_SIGMA
from tournaments.rating_scale import display_rating as display_rating
from tournaments.rating_scale import display_uncertainty as display_uncertainty

MAX_HISTORY_POINTS = 200  # of a history, however long it is


def get_rating(player: Player, mode: str) -> int:
    """Return a player's displayed rating; without games it is the initial one."""
    rating = Rating.objects.filter(player=player, mode=mode).first()
    return display_rating(rating.mu if rating else INITIAL_MU)


def load_ratings(player_ids: Iterable[int], mode: str) -> dict[EntrantId, float]:
    """Load mu of those players who have a rating, by player."""
    ratings = Rating.objects.filter(player__in=list(player_ids), mode=mode, game_count__gt=0)
    return {rating.player_id: rating.mu for rating in ratings if rating.player_id}


def load_displayed_ratings(player_ids: Iterable[int]) -> dict[int, int]:
    """Load the displayed ratings of those players who have one, in games of single players."""
    ratings = Rating.objects.filter(
        player__in=list(player_ids), mode=GameSettings.Mode.SINGLES, game_count__gt=0
    )
    return {rating.player_id: display_rating(rating.mu) for rating in ratings if rating.player_id}


def list_ranked_ratings(mode: str, *, bots: bool = False) -> QuerySet[Rating]:
    """List all ratings with games, the strongest first: of people, or of bots."""
    ratings = Rating.objects.filter(mode=mode, player__isnull=False, player__is_bot=bots, game_count__gt=0)
    return ratings.select_related("player").order_by("-mu", "pk")


def list_best_ratings(mode: str, limit: int = 100, *, bots: bool = False) -> list[Rating]:
    """List the strongest ratings of people, or of bots."""
    return list(list_ranked_ratings(mode, bots=bots)[:limit])


# ------------------------------------------------------------------------------------------------ the history


@dataclass(frozen=True)
class RatingPoint:
    """A rating after a number of games."""

    game_count: int
    mu: float
    sigma: float
    at: datetime | None  # when the last game ended


@dataclass
class RatingHistory:
    """The history of a player's rating in one mode; a long one is thinned out evenly."""

    mode: str
    game_count: int
    points: list[RatingPoint] = field(default_factory=list)


def load_rating_histories(player: Player) -> list[RatingHistory]:
    """Load a player's rating histories by mode in one query, each of at most `MAX_HISTORY_POINTS`."""
    # Changes were written in the order in which games were counted.
    numbered_changes = RatingChange.objects.filter(rating__player=player).annotate(
        number=Window(RowNumber(), partition_by=F("rating"), order_by="pk"),
        total=Window(Count("*"), partition_by=F("rating")),
    )
    # Counted back from the newest game, so that it is always included.
    sampled_changes = numbered_changes.alias(
        back=Mod(F("total") - F("number"), (F("total") + MAX_HISTORY_POINTS - 1) / MAX_HISTORY_POINTS)
    )
    rows = sampled_changes.filter(Q(back=0)).order_by("rating__mode", "number")
    histories_by_mode: dict[str, RatingHistory] = {}
    for mode, total, number, mu, sigma, at in rows.values_list(
        "rating__mode", "total", "number", "mu", "sigma", "game__finished_at"
    ):
        histories_by_mode.setdefault(mode, RatingHistory(mode, total)).points.append(
            RatingPoint(number, mu, sigma, at)
        )
    return sorted(
        histories_by_mode.values(), key=lambda history: history.mode, reverse=True
    )  # singles before pairs

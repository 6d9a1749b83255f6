"""Ratings: the ranking, and the history of a player."""

from __future__ import annotations

from django.http import HttpResponse
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.api.operations import operation
from accounts.services.players import get_public_player
from common.api.serializers import validate_query
from common.read_models import build_json
from tournaments.api.base import NewestFirstPagination, ReadView, etag_json_response
from tournaments.models import Tournament
from tournaments.ratings import rating_changes
from tournaments.ratings.rating_changes import RankingData, RatingHistoryData
from tournaments.ratings.selectors import list_best_ratings

GAME_MODES = Tournament.Mode.values


class RankingFilterSerializer(serializers.Serializer):
    """Query parameters of the ranking."""

    mode = serializers.ChoiceField(
        GAME_MODES,
        required=False,
        default=Tournament.Mode.SINGLES,
        help_text="The mode of the ratings. The default is `singles`.",
    )
    bots = serializers.BooleanField(
        required=False,
        default=False,
        help_text="Lists bots instead of people. The default is false.",
    )
    limit = serializers.IntegerField(
        required=False,
        min_value=1,
        max_value=500,
        default=100,
        help_text="The most players to return, from 1 to 500. The default is 100.",
    )


class RatingHistoryFilterSerializer(serializers.Serializer):
    """Query parameters of the rating history."""

    mode = serializers.ChoiceField(
        GAME_MODES, required=False, help_text="Only ratings of this mode. By default those of all modes."
    )


class RankingView(ReadView):
    """The ranking."""

    @operation(
        "ratings.best",
        scope="read",
        public=True,
        response=RankingData,
        query=RankingFilterSerializer,
        etag=True,
    )
    def get(self, request: Request) -> HttpResponse:
        """List the best players.

        Returns the strongest players of a mode, or with `bots` the strongest bots.
        """
        filters = validate_query(RankingFilterSerializer, request)
        ranking = RankingData(
            mode=Tournament.Mode(filters["mode"]),
            bots=filters["bots"],
            results=[
                rating_changes.build_ranked_player(place, rating)
                for place, rating in enumerate(
                    list_best_ratings(filters["mode"], filters["limit"], bots=filters["bots"]), 1
                )
            ],
        )
        return etag_json_response(request, ranking)


class PlayerRatingsView(ReadView):
    """The ratings of a player."""

    @operation(
        "players.ratings",
        scope="read",
        public=True,
        response=RatingHistoryData,
        query=RatingHistoryFilterSerializer,
        pagination=NewestFirstPagination,
    )
    def get(self, request: Request, name: str) -> Response:
        """List a player's ratings.

        Returns the player's current ratings and their changes by game, newest first.
        """
        player = get_public_player(name=name)
        mode = validate_query(RatingHistoryFilterSerializer, request).get("mode")
        paginator = NewestFirstPagination()
        page_changes = self.paginate_list(paginator, rating_changes.list_rating_changes(player, mode))
        response = paginator.get_paginated_response(
            [rating_changes.build_rating_change(rating_change) for rating_change in page_changes]
        )
        ratings = rating_changes.list_ratings(player, mode)
        response.data["ratings"] = build_json([rating_changes.build_rating(rating) for rating in ratings])
        return response

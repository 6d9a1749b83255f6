"""Ratings: the ranking, and the history of a player."""

from __future__ import annotations

from django.http import HttpResponse
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.api.operations import operation
from accounts.services.players import get_public_player
from common.api.serializers import validate_query
from tournaments.api.base import NewestFirstPagination, ReadView, etag_json_response
from tournaments.api.tournament_serializers import CharField, DateTimeField, IntegerField
from tournaments.models import Tournament
from tournaments.ratings import rating_changes
from tournaments.ratings.selectors import list_best_ratings

GAME_MODES = Tournament.Mode.values


class RankedPlayerSerializer(serializers.Serializer):
    """A player in the ranking."""

    place = IntegerField()
    name = CharField()
    rating = IntegerField()
    uncertainty = IntegerField(help_text="by how much it may be wrong")
    games = IntegerField()


class RankingSerializer(serializers.Serializer):
    """The ranking of a mode."""

    mode = serializers.ChoiceField(GAME_MODES)
    results = RankedPlayerSerializer(many=True)


class RatingSerializer(serializers.Serializer):
    """A rating of a player."""

    mode = serializers.ChoiceField(GAME_MODES)
    rating = IntegerField()
    uncertainty = IntegerField(help_text="by how much it may be wrong")
    games = IntegerField()


class RatingChangeSerializer(serializers.Serializer):
    """The change of a rating by one game."""

    mode = serializers.ChoiceField(GAME_MODES)
    game = CharField()
    at = DateTimeField(allow_null=True, help_text="when the game ended")
    before = IntegerField()
    rating = IntegerField()
    uncertainty = IntegerField()


class RatingHistorySerializer(serializers.Serializer):
    """The ratings of a player and their changes, in pages."""

    next = serializers.URLField(allow_null=True)
    previous = serializers.URLField(allow_null=True)
    ratings = RatingSerializer(many=True)
    results = RatingChangeSerializer(many=True, help_text="what each game did, newest first")


class RankingFilterSerializer(serializers.Serializer):
    """Query parameters of the ranking."""

    mode = serializers.ChoiceField(GAME_MODES, required=False, default=Tournament.Mode.SINGLES)
    limit = serializers.IntegerField(required=False, min_value=1, max_value=500, default=100)


class RatingHistoryFilterSerializer(serializers.Serializer):
    """Query parameters of the rating history."""

    mode = serializers.ChoiceField(GAME_MODES, required=False)


class RankingView(ReadView):
    """The ranking."""

    @operation(
        "ratings.best", scope="read", public=True, response=RankingSerializer, query=RankingFilterSerializer
    )
    def get(self, request: Request) -> HttpResponse:
        """The best players of a mode."""
        filters = validate_query(RankingFilterSerializer, request)
        ranked_players = [
            {"place": rank, "name": rating.player.name, **rating_changes.build_rating(rating)}
            for rank, rating in enumerate(list_best_ratings(filters["mode"], filters["limit"]), 1)
            if rating.player
        ]
        return etag_json_response(request, {"mode": filters["mode"], "results": ranked_players})


class PlayerRatingsView(ReadView):
    """The ratings of a player."""

    @operation(
        "players.ratings",
        scope="read",
        public=True,
        response=RatingHistorySerializer,
        query=RatingHistoryFilterSerializer,
    )
    def get(self, request: Request, name: str) -> Response:
        """A player's ratings and their change by each game, newest first, in pages."""
        player = get_public_player(name=name)
        mode = validate_query(RatingHistoryFilterSerializer, request).get("mode")
        paginator = NewestFirstPagination()
        page_changes = self.paginate_list(paginator, rating_changes.list_rating_changes(player, mode))
        response = paginator.get_paginated_response(
            [rating_changes.build_rating_change(rating_change) for rating_change in page_changes]
        )
        ratings = rating_changes.list_ratings(player, mode)
        response.data["ratings"] = [
            {"mode": rating.mode, **rating_changes.build_rating(rating)} for rating in ratings
        ]
        return response

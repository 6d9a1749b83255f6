"""Ratings over REST."""

from __future__ import annotations

from django.http import HttpResponse
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from games.api.examples import described, whole_query
from games.services.players import public
from tournaments.models import Event
from tournaments.selectors import best, changes

from .base import Look, NewestFirst, plain, shown
from .shapes import Moment, Number, Words

MODES = Event.Mode.values


class BestLine(serializers.Serializer):
    place = Number()
    name = Words()
    rating = Number()
    unsure = Number(help_text="by how much it may be wrong")
    games = Number()


class BestList(serializers.Serializer):
    mode = serializers.ChoiceField(MODES)
    results = BestLine(many=True)


class RatingView(serializers.Serializer):
    mode = serializers.ChoiceField(MODES)
    rating = Number()
    unsure = Number(help_text="by how much it may be wrong")
    games = Number()


class ChangeLine(serializers.Serializer):
    mode = serializers.ChoiceField(MODES)
    game = Words()
    at = Moment(allow_null=True, help_text="when the game ended")
    before = Number()
    rating = Number()
    unsure = Number()


class RatingHistory(serializers.Serializer):
    next = serializers.URLField(allow_null=True)
    previous = serializers.URLField(allow_null=True)
    ratings = RatingView(many=True)
    results = ChangeLine(many=True, help_text="what each game did, newest first")


class BestQuery(serializers.Serializer):
    mode = serializers.ChoiceField(MODES, required=False, default=Event.Mode.SINGLES)
    limit = serializers.IntegerField(required=False, min_value=1, max_value=500, default=100)


class HistoryQuery(serializers.Serializer):
    mode = serializers.ChoiceField(MODES, required=False)


class Best(Look):
    @described("ratings.best", scope="read", public=True, answer=BestList, query=BestQuery)
    def get(self, request: Request) -> HttpResponse:
        """Who is strongest in a mode of play."""
        wanted = whole_query(BestQuery, request)
        lines = [
            {"place": place, "name": one.player.name, **changes.rating(one)}
            for place, one in enumerate(best(wanted["mode"], wanted["limit"]), 1)
            if one.player
        ]
        return shown(request, {"mode": wanted["mode"], "results": lines})


class OfPlayer(Look):
    @described("players.ratings", scope="read", public=True, answer=RatingHistory, query=HistoryQuery)
    def get(self, request: Request, name: str) -> Response:
        """A player's ratings, and what every game did to them, newest first, in pages."""
        player = public(name=name)
        mode = whole_query(HistoryQuery, request).get("mode")
        pages = NewestFirst()
        page = self.some(pages, changes.changes(player, mode))
        answer = pages.get_paginated_response(plain([changes.change(one) for one in page]))
        mine = changes.of(player, mode)
        answer.data["ratings"] = [{"mode": one.mode, **changes.rating(one)} for one in mine]
        return answer

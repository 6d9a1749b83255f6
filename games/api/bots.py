"""REST views of the bot lobby: bots that take challenges, and challenging one."""

from __future__ import annotations

from django.http import HttpResponse
from rest_framework import serializers
from rest_framework.request import Request

from accounts.api.base import ViewerAPIView
from accounts.api.idempotency import idempotency_key_of
from accounts.api.operations import operation
from accounts.name_validation import MAX_NAME_LENGTH
from accounts.selectors.bots import BotData, build_bots_data, list_challengeable_bots
from common.api.locations import Location
from common.api.responses import json_response
from common.api.serializers import validate_query
from common.read_models import build_json
from games import selectors
from games.selectors.read_models import GameData
from games.services import challenges

from .serializers import ChallengeSerializer

MAX_BOTS_LISTED = 500


class BotQuerySerializer(serializers.Serializer):
    """Query parameters of the bot lobby."""

    after = serializers.CharField(
        required=False,
        allow_blank=True,
        max_length=MAX_NAME_LENGTH,
        default="",
        help_text="The name of the last bot that you have: you get the bots after it.",
    )


class BotListView(ViewerAPIView):
    """The bot lobby."""

    @operation("bots.list", scope="read", public=True, response=BotData, many=True, query=BotQuerySerializer)
    def get(self, request: Request) -> HttpResponse:
        """List bots.

        Returns the bots that take challenges, by name, at most 500. For more send the last name as `after`.
        """
        after = validate_query(BotQuerySerializer, request)["after"]
        profiles = list_challengeable_bots().filter(player__name__gt=after)[:MAX_BOTS_LISTED]
        return json_response(build_json(build_bots_data(profiles, self.now)))


class ChallengeBotView(ViewerAPIView):
    """Challenges a bot."""

    @operation(
        "bots.challenge",
        request_body=ChallengeSerializer,
        response=GameData,
        status=201,
        location=Location("games/{id}/", "The new game."),
        keyed=True,
    )
    def post(self, request: Request, name: str) -> HttpResponse:
        """Challenge a bot.

        Creates a private game for you and a bot, and invites the bot. Read its commitment, then join it with
        your `client_seed`.
        """
        serializer = ChallengeSerializer(data=request.data)
        serializer.is_valid(raise_exception=True)
        game = challenges.challenge_bot(
            player=self.player,
            name=name,
            now=self.now,
            key=idempotency_key_of(request),
            **serializer.validated_data,
        )
        return json_response(selectors.load_view_for(self.player, game.code).view, 201)

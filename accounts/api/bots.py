"""REST views of bot accounts: declaring one, its settings, and the bots that a player runs."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Annotated

from django.http import HttpResponse
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.models import BotProfile
from accounts.models.limits import BOT_GAMES, MAX_BOT_TEXT_LENGTH, MAX_OWNER_CODE_LENGTH
from accounts.name_validation import MAX_NAME_LENGTH
from accounts.selectors.bots import BotData, build_bots_data, list_bots_of
from accounts.services import bot_accounts
from common.api.locations import Location
from common.api.responses import json_response
from common.api.serializers import RequestBody
from common.api.strict_fields import StrictBooleanField, StrictCharField, StrictIntegerField
from common.read_model_serializers import find_help_text
from common.read_models import build_json

from .base import ViewerAPIView
from .me import ACCOUNT_PERMISSION, READ_PERMISSION, OwnAccountView
from .operations import operation


class BotDeclarationSerializer(RequestBody):
    """Request to declare your account a bot."""

    owner_code = StrictCharField(
        max_length=MAX_OWNER_CODE_LENGTH, help_text="The owner code, from the player who runs the bot."
    )
    confirmation = StrictCharField(
        max_length=MAX_NAME_LENGTH, help_text="The name of your account, to confirm."
    )


class BotSettingsSerializer(RequestBody):
    """The settings of a bot."""

    takes_challenges = StrictBooleanField()
    about = StrictCharField(allow_blank=True, max_length=MAX_BOT_TEXT_LENGTH)
    plays_cards = StrictBooleanField()
    max_games = StrictIntegerField(**BOT_GAMES.number_bounds)

    def get_fields(self) -> dict[str, serializers.Field]:
        """The fields, with the texts of the read model."""
        request_fields: dict[str, serializers.Field] = super().get_fields()
        for name, field in request_fields.items():
            field.help_text = find_help_text(BotData, name)
        return request_fields


@dataclass(frozen=True)
class OwnerCodeData:
    """A code by which an account can name you as its owner."""

    owner_code: Annotated[str, "The code. Send it as `owner_code` with the bot's token."]
    expires_at: Annotated[datetime, "When the code expires."]


class OwnBotView(OwnAccountView):
    """The player's own account as a bot."""

    def bot_response(self, profile: BotProfile, status: int = 200) -> HttpResponse:
        """The bot as everybody sees it."""
        return json_response(build_json(build_bots_data([profile], self.now)[0]), status)

    @operation("me.bot.show", scope="read", response=BotData)
    def get(self, request: Request) -> HttpResponse:
        """Get your bot.

        Returns the owner and settings of your bot account. A person's account gets 404 `not-a-bot`.
        """
        return self.bot_response(bot_accounts.get_bot_profile(player=self.player))

    @operation(
        "me.bot.declare",
        scope="account",
        allow_apps=False,
        request_body=BotDeclarationSerializer,
        response=BotData,
        status=201,
        location=Location("me/bot/", "Your bot."),
    )
    def post(self, request: Request) -> HttpResponse:
        """Declare your account a bot.

        Makes your account a bot. You can undo this until the bot has played. An account cannot become a bot
        after rated games as a person, or while it still plays with others or takes part in a tournament or
        league.
        """
        serializer = BotDeclarationSerializer(data=request.data)
        serializer.is_valid(raise_exception=True)
        profile = bot_accounts.declare_bot(player=self.player, now=self.now, **serializer.validated_data)
        return self.bot_response(profile, 201)

    @operation(
        "me.bot.change",
        scope="account",
        allow_apps=False,
        request_body=BotSettingsSerializer,
        response=BotData,
    )
    def patch(self, request: Request) -> HttpResponse:
        """Update your bot.

        Updates the settings of your bot. Omitted fields keep their value.
        """
        serializer = BotSettingsSerializer(data=request.data, partial=True)
        serializer.is_valid(raise_exception=True)
        profile = bot_accounts.change_bot_settings(
            player=self.player, now=self.now, **serializer.validated_data
        )
        return self.bot_response(profile)

    @operation("me.bot.withdraw", scope="account", allow_apps=False, status=204)
    def delete(self, request: Request) -> Response:
        """Make your account a person's again.

        Makes your account a person's again. Only possible before the bot has played.
        """
        bot_accounts.withdraw_bot_declaration(player=self.player, now=self.now)
        return Response(status=204)


class OwnedBotListView(ViewerAPIView):
    """The bots that the player runs."""

    permission_classes = [READ_PERMISSION]

    @operation("me.bots.list", scope="read", response=BotData, many=True)
    def get(self, request: Request) -> HttpResponse:
        """List your bots.

        Returns the bots that you run, by name.
        """
        return json_response(build_json(build_bots_data(list_bots_of(self.player), self.now)))


class OwnerCodeView(ViewerAPIView):
    """Owner codes."""

    permission_classes = [ACCOUNT_PERMISSION]

    @operation(
        "me.bots.code",
        scope="account",
        allow_apps=False,
        response=OwnerCodeData,
        status=201,
        location=Location(
            "me/bots/",
            "Your bots, with the account that has used the code. The code itself is shown only once.",
        ),
        holds_secret=True,
    )
    def post(self, request: Request) -> HttpResponse:
        """Create an owner code.

        Returns a code that is valid for a day. An account that sends it becomes your bot.
        """
        owner_code, expires_at = bot_accounts.make_owner_code(owner=self.player, now=self.now)
        return json_response(build_json(OwnerCodeData(owner_code, expires_at)), 201)

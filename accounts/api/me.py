"""REST views of the account: profile, export, tokens, and the public profile of a player."""

from __future__ import annotations

import dataclasses

from django.conf import settings
from django.http import HttpResponse
from rest_framework import serializers
from rest_framework.permissions import SAFE_METHODS, BasePermission
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.models import Player
from accounts.models.limits import LAST_HOUR_OF_DAY, MAX_TIME_ZONE_LENGTH, MAX_TOKEN_NAME_LENGTH, PERCENTAGE
from accounts.models.players import check_time_zone
from accounts.scopes import SCOPES
from accounts.selectors.read_models import (
    ProfileData,
    PublicPlayerData,
    TokenData,
    TokenWithSecretData,
    build_new_token_data,
    build_profile_data,
    build_public_player_data,
    build_token_data,
)
from accounts.services import players, tokens
from accounts.services.export import export_player_data
from common.api.locations import Location
from common.api.responses import json_response
from common.api.serializers import RequestBody
from common.api.strict_fields import HourOfDayField, StrictBooleanField, StrictCharField, StrictIntegerField
from common.rate_limits import EXPORT_COST, charge_request
from common.read_model_serializers import find_help_text
from common.read_models import build_json

from .auth import FirstPartyOnly, HasScope, scopes_of
from .base import ViewerAPIView
from .operations import operation

READ_PERMISSION, ACCOUNT_PERMISSION = HasScope("read"), FirstPartyOnly("account")
SESSION_PERMISSION = FirstPartyOnly(session_only=True)


class ProfileSerializer(RequestBody, serializers.ModelSerializer[Player]):
    """Your profile and notification settings."""

    language = serializers.ChoiceField(settings.LANGUAGES)
    time_zone = StrictCharField(validators=[check_time_zone], max_length=MAX_TIME_ZONE_LENGTH)
    mail_frequency = serializers.ChoiceField(Player.MailFrequency.choices)
    tournament_mails = serializers.ChoiceField(Player.TournamentMails.choices)
    digest_hour = StrictIntegerField(min_value=0, max_value=LAST_HOUR_OF_DAY)
    remind_at_used_percent = StrictIntegerField(**PERCENTAGE.number_bounds, allow_null=True)
    remind_at_left_percent = StrictIntegerField(**PERCENTAGE.number_bounds, allow_null=True)
    quiet_from = HourOfDayField(allow_null=True)
    quiet_until = HourOfDayField(allow_null=True)
    allow_any_sender = StrictBooleanField()
    invitations_from_strangers = StrictBooleanField()

    class Meta:
        model = Player
        fields = [field.name for field in dataclasses.fields(ProfileData)]
        read_only_fields = [name for name in fields if name not in players.PROFILE_FIELDS]

    def get_fields(self) -> dict[str, serializers.Field]:
        """The fields, with the texts of the read model."""
        request_fields: dict[str, serializers.Field] = super().get_fields()
        for name, field in request_fields.items():
            field.help_text = find_help_text(ProfileData, name)
        return request_fields


class NewTokenSerializer(RequestBody):
    """Request to create a personal token."""

    name = StrictCharField(
        max_length=MAX_TOKEN_NAME_LENGTH, help_text="A name by which you recognise the token."
    )
    scopes = serializers.ListField(
        child=serializers.ChoiceField(SCOPES),
        min_length=1,
        max_length=len(SCOPES),
        help_text="What the token may do.",
    )
    expires_in_days = StrictIntegerField(
        required=False,
        allow_null=True,
        default=None,
        min_value=1,
        max_value=tokens.MAX_TOKEN_DAYS,
        help_text="The days until the token expires. Null for no expiry.",
    )


class OwnAccountView(ViewerAPIView):
    """Base of views on the player's own account."""

    def get_permissions(self) -> list[BasePermission]:
        """Reading needs the scope `read`, writing `account` and no app."""
        return [READ_PERMISSION if self.request.method in SAFE_METHODS else ACCOUNT_PERMISSION]


class ProfileView(OwnAccountView):
    """The player's profile."""

    @operation("me.show", scope="read", response=ProfileData)
    def get(self, request: Request) -> HttpResponse:
        """Get your profile.

        Returns your profile and settings. `email` is null without the scope `email`.
        """
        return json_response(build_json(build_profile_data(self.player, scopes_of(request))))

    @operation(
        "me.change",
        scope="account",
        allow_apps=False,
        request_body=ProfileSerializer,
        response=ProfileData,
    )
    def patch(self, request: Request) -> HttpResponse:
        """Update settings.

        Updates your language, time zone and notification settings. Omitted fields keep their value. Read-only
        fields are refused.
        """
        serializer = ProfileSerializer(self.player, data=request.data, partial=True)
        serializer.is_valid(raise_exception=True)
        player = players.change_profile(player=self.player, now=self.now, **serializer.validated_data)
        return json_response(build_json(build_profile_data(player, scopes_of(request))))


class ExportView(ViewerAPIView):
    """The player's data export."""

    permission_classes = [SESSION_PERMISSION]

    @operation("me.export", session_only=True)
    def get(self, request: Request) -> HttpResponse:
        """Export your data.

        Returns all data that we store about you, as one JSON document. Counts as 20 requests.
        """
        charge_request(request, cost=EXPORT_COST)
        return json_response(export_player_data(player=self.player, now=self.now))


class TokenListView(ViewerAPIView):
    """The player's personal tokens."""

    permission_classes = [ACCOUNT_PERMISSION]

    @operation("me.tokens.list", scope="account", allow_apps=False, response=TokenData, many=True)
    def get(self, request: Request) -> HttpResponse:
        """List tokens.

        Returns your valid personal tokens, newest first, without their secrets.
        """
        active_tokens = tokens.list_active_tokens(player=self.player, now=self.now)
        return json_response(build_json([*map(build_token_data, active_tokens)]))

    @operation(
        "me.tokens.create",
        scope="account",
        allow_apps=False,
        request_body=NewTokenSerializer,
        response=TokenWithSecretData,
        status=201,
        location=Location("me/tokens/{id}/", "The new token, without its secret."),
        holds_secret=True,
    )
    def post(self, request: Request) -> HttpResponse:
        """Create a token.

        Creates a personal token. Only this response shows it. If you create it with another token, it can
        only have that token's scopes, expires no later, and is revoked together with it.
        """
        serializer = NewTokenSerializer(data=request.data)
        serializer.is_valid(raise_exception=True)
        token, plain_token = tokens.create_token(
            player=self.player, parent=request.auth, now=self.now, **serializer.validated_data
        )
        return json_response(build_json(build_new_token_data(token, plain_token)), 201)


class TokenDetailView(ViewerAPIView):
    """One personal token."""

    permission_classes = [ACCOUNT_PERMISSION]

    @operation("me.tokens.show", scope="account", allow_apps=False, response=TokenData)
    def get(self, request: Request, token_id: int) -> HttpResponse:
        """Get a token.

        Returns one of your personal tokens, even an expired or revoked one, without its secret.
        """
        token = tokens.get_token(player=self.player, token_id=token_id)
        return json_response(build_json(build_token_data(token)))

    @operation("me.tokens.revoke", scope="account", allow_apps=False, status=204)
    def delete(self, request: Request, token_id: int) -> Response:
        """Revoke a token.

        Revokes a token and all tokens created with it, at once and for good.
        """
        tokens.revoke_token(player=self.player, token_id=token_id, now=self.now)
        return Response(status=204)


class PlayerDetailView(ViewerAPIView):
    """The public profile of a player."""

    permission_classes = [HasScope("read", anonymous=True)]

    @operation("players.show", scope="read", public=True, response=PublicPlayerData)
    def get(self, request: Request, name: str) -> HttpResponse:
        """Get a player.

        Returns the public profile of a player.
        """
        return json_response(build_json(build_public_player_data(players.get_public_player(name=name))))

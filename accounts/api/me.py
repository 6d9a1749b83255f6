"""REST views of the account: profile, export, tokens, and the public profile of a player."""

from __future__ import annotations

from datetime import time
from typing import Any

from django.conf import settings
from django.http import HttpResponse
from rest_framework import serializers
from rest_framework.permissions import SAFE_METHODS, BasePermission
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.models import Player, Token
from accounts.models.limits import MAX_TOKEN_NAME_LENGTH, PERCENTAGE
from accounts.models.players import check_time_zone
from accounts.scopes import SCOPES
from accounts.services import players, tokens
from accounts.services.export import export_player_data
from common.api.responses import json_response
from common.api.serializers import RequestBody
from common.api.strict_fields import StrictBooleanField, StrictCharField, StrictIntegerField
from common.rate_limits import EXPORT_COST, charge_request

from .auth import FirstPartyOnly, HasScope, scopes_of
from .base import ViewerAPIView
from .operations import operation

READ_PERMISSION, ACCOUNT_PERMISSION = HasScope("read"), FirstPartyOnly("account")
SESSION_PERMISSION = FirstPartyOnly(session_only=True)
# Profile fields that need a scope beyond `read`.
SCOPED_FIELDS = {
    **dict.fromkeys(("email", "email_bounced_at", "email_bounce_reason"), "email"),
    **dict.fromkeys(("allow_any_sender", "invitations_from_strangers"), "account"),
}


class HourOfDayField(serializers.RegexField):
    """A time of day: "22:30"."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(r"^([01][0-9]|2[0-3]):[0-5][0-9]$", **kwargs)

    def to_internal_value(self, data: Any) -> str:
        """The text. Raises ValidationError."""
        if not isinstance(data, str):
            self.fail("invalid")
        return str(super().to_internal_value(data))

    def run_validation(self, data: Any = serializers.empty) -> Any:
        """The time of day. Raises ValidationError."""
        value = super().run_validation(data)
        return time.fromisoformat(value) if isinstance(value, str) else value

    def to_representation(self, value: time) -> str:
        """The time of day as HH:MM."""
        return value.strftime("%H:%M")


class ProfileSerializer(RequestBody, serializers.ModelSerializer[Player]):
    """Your profile and notice settings."""

    language = serializers.ChoiceField(settings.LANGUAGES)
    time_zone = StrictCharField(
        validators=[check_time_zone],
        max_length=50,
        help_text="where clocks rest by hours, a change counts from your next turn in each game",
    )
    mail_frequency = serializers.ChoiceField(Player.MailFrequency.choices)
    tournament_mails = serializers.ChoiceField(
        Player.TournamentMails.choices, help_text="of tournaments and leagues"
    )
    digest_hour = StrictIntegerField(
        min_value=0, max_value=23, help_text="of the daily mail, in your time zone"
    )
    remind_at_used_percent = StrictIntegerField(
        **PERCENTAGE.number_bounds,
        allow_null=True,
        help_text="remind at this percentage of a turn's time",
    )
    remind_at_left_percent = StrictIntegerField(
        **PERCENTAGE.number_bounds,
        allow_null=True,
        help_text="remind when so many percent of all time are left",
    )
    quiet_from = HourOfDayField(allow_null=True, help_text="no notices from then on, in your time zone")
    quiet_until = HourOfDayField(
        allow_null=True,
        help_text="until then, twelve hours later at most; where clocks rest at night, other hours "
        "count from your next turn in each game",
    )
    allow_any_sender = StrictBooleanField(
        help_text="replies by mail count from any address; null without the scope account"
    )
    invitations_from_strangers = StrictBooleanField(
        help_text="people you have not played with may invite you; null without the scope account"
    )
    email = serializers.EmailField(read_only=True, allow_null=True, help_text="null without the scope email")
    email_bounced_at = serializers.DateTimeField(
        read_only=True,
        allow_null=True,
        help_text="since when mails to you come back; null without the scope email",
    )
    email_bounce_reason = serializers.CharField(
        read_only=True, allow_null=True, help_text="null without the scope email"
    )

    class Meta:
        model = Player
        fields = [
            *("name", "email", "language", "time_zone", *players.NOTICE_FIELDS),
            *("email_bounced_at", "email_bounce_reason", "joined_at"),
        ]
        read_only_fields = ["name", "joined_at"]

    def to_representation(self, instance: Player) -> dict[str, Any]:
        """The profile; fields for which the request lacks the scope are null."""
        representation: dict[str, Any] = super().to_representation(instance)
        granted_scopes = scopes_of(self.context["request"])
        return representation | {
            name: None for name, scope in SCOPED_FIELDS.items() if scope not in granted_scopes
        }


class PublicPlayerSerializer(serializers.ModelSerializer[Player]):
    """What everybody may know of a player."""

    since = serializers.DateTimeField(source="joined_at")
    lookalike = serializers.BooleanField(
        source="is_lookalike", help_text="the name looks like another player's, or like one of the site's own"
    )

    class Meta:
        model = Player
        fields = ["name", "since", "lookalike"]


class TokenSerializer(serializers.ModelSerializer[Token]):
    """A personal token, without its secret."""

    scopes = serializers.SerializerMethodField()
    parent = serializers.IntegerField(
        source="parent_id", allow_null=True, help_text="the token that made this one; it ends with it"
    )

    class Meta:
        model = Token
        fields = ["id", "name", "scopes", "parent", "created_at", "expires_at", "last_used_at", "revoked_at"]

    def get_scopes(self, token: Token) -> list[str]:
        """The scopes as a list."""
        return token.scopes.split()


class TokenWithSecretSerializer(TokenSerializer):
    """A new personal token with its secret."""

    token = serializers.CharField(help_text="shown this once")

    class Meta(TokenSerializer.Meta):
        fields = [*TokenSerializer.Meta.fields, "token"]


class NewTokenSerializer(RequestBody):
    """Request to create a personal token."""

    name = StrictCharField(max_length=MAX_TOKEN_NAME_LENGTH)
    scopes = serializers.ListField(
        child=serializers.ChoiceField(SCOPES), min_length=1, max_length=len(SCOPES)
    )
    expires_in_days = StrictIntegerField(
        required=False, allow_null=True, default=None, min_value=1, max_value=tokens.MAX_TOKEN_DAYS
    )


class ProfileView(ViewerAPIView):
    """The player's profile."""

    def get_permissions(self) -> list[BasePermission]:
        """Reading needs the scope `read`, writing `account` and no app."""
        return [READ_PERMISSION if self.request.method in SAFE_METHODS else ACCOUNT_PERMISSION]

    @operation("me.show", scope="read", response=ProfileSerializer)
    def get(self, request: Request) -> Response:
        """Your profile; your email address only with the scope `email`."""
        return Response(ProfileSerializer(self.player, context={"request": request}).data)

    @operation(
        "me.change",
        scope="account",
        allow_apps=False,
        request_body=ProfileSerializer,
        response=ProfileSerializer,
    )
    def patch(self, request: Request) -> Response:
        """Change language, time zone or notice settings; fields that are left out stay as they are."""
        context = {"request": request}
        serializer = ProfileSerializer(self.player, data=request.data, partial=True, context=context)
        serializer.is_valid(raise_exception=True)
        player = players.change_profile(player=self.player, now=self.now, **serializer.validated_data)
        return Response(ProfileSerializer(player, context=context).data)


class ExportView(ViewerAPIView):
    """The player's data export."""

    permission_classes = [SESSION_PERMISSION]

    @operation("me.export", session_only=True)
    def get(self, request: Request) -> HttpResponse:
        """Everything that is stored about you, as one JSON."""
        charge_request(request, cost=EXPORT_COST)
        return json_response(export_player_data(player=self.player, now=self.now))


class TokenListView(ViewerAPIView):
    """The player's personal tokens."""

    permission_classes = [ACCOUNT_PERMISSION]

    @operation("me.tokens.list", scope="account", allow_apps=False, response=TokenSerializer, many=True)
    def get(self, request: Request) -> Response:
        """Your valid personal tokens, newest first."""
        return Response(
            TokenSerializer(tokens.list_active_tokens(player=self.player, now=self.now), many=True).data
        )

    @operation(
        "me.tokens.create",
        scope="account",
        allow_apps=False,
        request_body=NewTokenSerializer,
        response=TokenWithSecretSerializer,
        status=201,
    )
    def post(self, request: Request) -> Response:
        """Create a personal token; `token` is shown this once.

        A token can grant only its own scopes. A token that it creates expires no later than it does, and is
        revoked together with it.
        """
        serializer = NewTokenSerializer(data=request.data)
        serializer.is_valid(raise_exception=True)
        token, plain_token = tokens.create_token(
            player=self.player, parent=request.auth, now=self.now, **serializer.validated_data
        )
        return Response({**TokenSerializer(token).data, "token": plain_token}, status=201)


class TokenDetailView(ViewerAPIView):
    """One personal token."""

    permission_classes = [ACCOUNT_PERMISSION]

    @operation("me.tokens.revoke", scope="account", allow_apps=False, status=204)
    def delete(self, request: Request, token_id: int) -> Response:
        """Revoke a token of yours and all that it created, immediately and permanently."""
        tokens.revoke_token(player=self.player, token_id=token_id, now=self.now)
        return Response(status=204)


class PlayerDetailView(ViewerAPIView):
    """The public profile of a player."""

    permission_classes = [HasScope("read", anonymous=True)]

    @operation("players.show", scope="read", public=True, response=PublicPlayerSerializer)
    def get(self, request: Request, name: str) -> Response:
        """What everybody may know of a player; the name is case-insensitive."""
        return Response(PublicPlayerSerializer(players.get_public_player(name=name)).data)

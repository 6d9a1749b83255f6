"""The account over REST: profile, export, tokens, and what everybody may know of a player."""

from __future__ import annotations

from datetime import time
from typing import Any

from django.conf import settings
from django.http import HttpResponse
from django.urls import path
from rest_framework import serializers
from rest_framework.permissions import SAFE_METHODS, BasePermission
from rest_framework.request import Request
from rest_framework.response import Response

from games.models import Player, Token, limits
from games.models.players import check_time_zone
from games.scopes import SCOPES
from games.services import players, tokens
from games.services.export import everything

from .auth import HasScope, OwnerPermission, scopes_of
from .base import Door, as_json
from .examples import EXAMPLES, described
from .rates import EXPORT_COST, charge_request
from .shapes import RequestBody, Text, Whole

READ, ACCOUNT = HasScope("read"), OwnerPermission("account")
IN_PERSON = OwnerPermission(in_person=True)
# Fields of the profile that only some programs are told, and the scope that it takes.
SCOPED_FIELDS = {
    **dict.fromkeys(("email", "dead_at", "dead_why"), "email"),
    **dict.fromkeys(("any_sender", "invitations_from_strangers"), "account"),
}


class YesOrNo(serializers.BooleanField):
    """true or false, and none of the words and numbers that somebody may mean by it."""

    def to_internal_value(self, data: Any) -> bool:
        if not isinstance(data, bool):
            self.fail("invalid", input=data)
        return data


class HourOfDay(serializers.RegexField):
    """An hour and minute: "22:30"."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(r"^([01][0-9]|2[0-3]):[0-5][0-9]$", **kwargs)

    def to_internal_value(self, data: Any) -> str:
        if not isinstance(data, str):
            self.fail("invalid")
        return str(super().to_internal_value(data))

    def run_validation(self, data: Any = serializers.empty) -> Any:
        found = super().run_validation(data)
        return time.fromisoformat(found) if isinstance(found, str) else found

    def to_representation(self, value: time) -> str:
        return value.strftime("%H:%M")


class Profile(RequestBody, serializers.ModelSerializer[Player]):
    language = serializers.ChoiceField(settings.LANGUAGES)
    time_zone = Text(
        validators=[check_time_zone],
        max_length=50,
        help_text="where clocks rest by hours, a change counts from your next turn in each game",
    )
    mails = serializers.ChoiceField(Player.Mails.choices)
    tournament_mails = serializers.ChoiceField(
        Player.TournamentMails.choices, help_text="of tournaments and leagues"
    )
    digest_hour = Whole(min_value=0, max_value=23, help_text="of the daily mail, in your time zone")
    remind_used = Whole(
        **limits.PERCENTAGE.bounds, allow_null=True, help_text="remind at this percentage of a turn's time"
    )
    remind_left = Whole(
        **limits.PERCENTAGE.bounds,
        allow_null=True,
        help_text="remind when so many percent of all time are left",
    )
    quiet_from = HourOfDay(allow_null=True, help_text="no notices from then on, in your time zone")
    quiet_until = HourOfDay(
        allow_null=True,
        help_text="until then, twelve hours later at most; where clocks rest at night, other hours "
        "count from your next turn in each game",
    )
    any_sender = YesOrNo(help_text="replies by mail count from any address; null without the scope account")
    invitations_from_strangers = YesOrNo(
        help_text="people you have not played with may invite you; null without the scope account"
    )
    email = serializers.EmailField(read_only=True, allow_null=True, help_text="null without the scope email")
    dead_at = serializers.DateTimeField(
        read_only=True,
        allow_null=True,
        help_text="since when mails to you come back; null without the scope email",
    )
    dead_why = serializers.CharField(
        read_only=True, allow_null=True, help_text="null without the scope email"
    )

    class Meta:
        model = Player
        fields = [
            *("name", "email", "language", "time_zone", *players.NOTICES),
            *("dead_at", "dead_why", "joined_at"),
        ]
        read_only_fields = ["name", "joined_at"]

    def to_representation(self, instance: Player) -> dict[str, Any]:
        """Without what the program that asks has no scope for."""
        shown: dict[str, Any] = super().to_representation(instance)
        held = scopes_of(self.context["request"])
        return shown | {name: None for name, scope in SCOPED_FIELDS.items() if scope not in held}


class PublicPlayer(serializers.ModelSerializer[Player]):
    since = serializers.DateTimeField(source="joined_at")
    lookalike = serializers.BooleanField(
        source="is_lookalike", help_text="the name looks like another player's, or like one of the site's own"
    )

    class Meta:
        model = Player
        fields = ["name", "since", "lookalike"]


class TokenRow(serializers.ModelSerializer[Token]):
    scopes = serializers.SerializerMethodField()
    parent = serializers.IntegerField(
        source="parent_id", allow_null=True, help_text="the token that made this one; it ends with it"
    )

    class Meta:
        model = Token
        fields = ["id", "name", "scopes", "parent", "created_at", "expires_at", "last_used", "revoked_at"]

    def get_scopes(self, token: Token) -> list[str]:
        return token.scopes.split()


class MadeToken(TokenRow):
    token = serializers.CharField(help_text="shown this once")

    class Meta(TokenRow.Meta):
        fields = [*TokenRow.Meta.fields, "token"]


class NewToken(RequestBody):
    name = Text(max_length=limits.MAX_TOKEN_NAME_LENGTH)
    scopes = serializers.ListField(
        child=serializers.ChoiceField(SCOPES), min_length=1, max_length=len(SCOPES)
    )
    expires_in_days = Whole(
        required=False, allow_null=True, default=None, min_value=1, max_value=tokens.LONGEST
    )


ME = {
    "name": "Ada Rossi",
    "email": "ada@example.org",
    "language": "it",
    "time_zone": "Europe/Rome",
    "mails": "each",
    "tournament_mails": "all",
    "digest_hour": 8,
    "remind_used": 75,
    "remind_left": 10,
    "quiet_from": "22:30",
    "quiet_until": "07:00",
    "any_sender": False,
    "invitations_from_strangers": True,
    "dead_at": None,
    "dead_why": "",
    "joined_at": "2030-04-01T09:30:00Z",
}
TOKEN = {
    "id": 7,
    "name": "my bot",
    "scopes": ["read", "play"],
    "parent": None,
    "created_at": "2030-04-02T10:00:00Z",
    "expires_at": "2030-07-01T10:00:00Z",
    "last_used": None,
    "revoked_at": None,
}


OPERATIONS: dict[str, dict[str, Any]] = {
    "me.show": {"response": ME},
    "me.change": {
        "request": {"time_zone": "Europe/Rome", "quiet_from": "22:30", "quiet_until": "07:00"},
        "response": ME,
    },
    "me.export": {
        "response": {"exported_at": "2030-04-03T08:00:00+00:00", "profile": ME, "games": [], "notes": []}
    },
    "me.tokens.list": {"response": [TOKEN]},
    "me.tokens.create": {
        "request": {"name": "my bot", "scopes": ["read", "play"], "expires_in_days": 90},
        "response": {**TOKEN, "token": "otto_Vb3kZc0mXyq9oQh2nRw5tLs8dJf1aGe4uIiPpEe7K6M"},
    },
    "players.show": {"response": {"name": "Ada Rossi", "since": ME["joined_at"], "lookalike": False}},
}
for operation, example in OPERATIONS.items():
    EXAMPLES.setdefault(operation, example)


class Me(Door):
    def get_permissions(self) -> list[BasePermission]:
        return [READ if self.request.method in SAFE_METHODS else ACCOUNT]

    @described("me.show", scope="read", answer=Profile)
    def get(self, request: Request) -> Response:
        """Who you are to this site; your email address only with the scope `email`."""
        return Response(Profile(self.player, context={"request": request}).data)

    @described("me.change", scope="account", apps=False, body=Profile, answer=Profile)
    def patch(self, request: Request) -> Response:
        """Change language, time zone or how notices come; what you do not name stays."""
        context = {"request": request}
        form = Profile(self.player, data=request.data, partial=True, context=context)
        form.is_valid(raise_exception=True)
        changed = players.change_profile(player=self.player, now=self.now, **form.validated_data)
        return Response(Profile(changed, context=context).data)


class Export(Door):
    permission_classes = [IN_PERSON]

    @described("me.export", in_person=True)
    def get(self, request: Request) -> HttpResponse:
        """Everything that is stored of you, as one JSON."""
        charge_request(request, cost=EXPORT_COST)
        return as_json(everything(player=self.player, now=self.now))


class Tokens(Door):
    permission_classes = [ACCOUNT]

    @described("me.tokens.list", scope="account", apps=False, answer=TokenRow, many=True)
    def get(self, request: Request) -> Response:
        """Your personal tokens that still work, newest first."""
        return Response(TokenRow(tokens.working(player=self.player, now=self.now), many=True).data)

    @described("me.tokens.create", scope="account", apps=False, body=NewToken, answer=MadeToken, status=201)
    def post(self, request: Request) -> Response:
        """Make a personal token; `token` is shown this once.

        A token gives only scopes that it has itself. What it makes lasts no longer than it, and is revoked
        with it.
        """
        form = NewToken(data=request.data)
        form.is_valid(raise_exception=True)
        row, plain = tokens.create(
            player=self.player, parent=request.auth, now=self.now, **form.validated_data
        )
        return Response({**TokenRow(row).data, "token": plain}, status=201)


class OneToken(Door):
    permission_classes = [ACCOUNT]

    @described("me.tokens.revoke", scope="account", apps=False, status=204)
    def delete(self, request: Request, token_id: int) -> Response:
        """Revoke a token of yours and all that it made, at once and for good."""
        tokens.revoke(player=self.player, token_id=token_id, now=self.now)
        return Response(status=204)


class OnePlayer(Door):
    permission_classes = [HasScope("read", anonymous=True)]

    @described("players.show", scope="read", public=True, answer=PublicPlayer)
    def get(self, request: Request, name: str) -> Response:
        """What everybody may know of a player; capitals do not matter."""
        return Response(PublicPlayer(players.public(name=name)).data)


urlpatterns = [
    path("me/", Me.as_view(), name="api-me"),
    path("me/export/", Export.as_view(), name="api-export"),
    path("me/tokens/", Tokens.as_view(), name="api-tokens"),
    path("me/tokens/<int:token_id>/", OneToken.as_view(), name="api-token"),
    path("players/<str:name>/", OnePlayer.as_view(), name="api-player"),
]

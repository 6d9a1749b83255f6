"""The account over REST: profile, export, tokens, and what everybody may know of a player."""

from __future__ import annotations

from datetime import time
from typing import Any

from django.conf import settings
from django.http import HttpResponse
from django.urls import path
from django.utils.translation import gettext as _
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from games.models import Player, Token
from games.models.players import check_time_zone
from games.services import players, tokens
from games.services.errors import Denied
from games.services.export import everything

from .auth import HasScope, scopes_of
from .base import Door, as_json
from .examples import EXAMPLES, described
from .shapes import Text, Whole

READ, ALSO = HasScope("read"), HasScope("read", writing="play")


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


class Profile(serializers.ModelSerializer[Player]):
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
        min_value=1, max_value=99, allow_null=True, help_text="remind at this percentage of a turn's time"
    )
    remind_left = Whole(
        min_value=1,
        max_value=99,
        allow_null=True,
        help_text="remind when so many percent of all time are left",
    )
    quiet_from = HourOfDay(allow_null=True, help_text="no notices from then on, in your time zone")
    quiet_until = HourOfDay(
        allow_null=True,
        help_text="until then, twelve hours later at most; where clocks rest at night, other hours "
        "count from your next turn in each game",
    )
    any_sender = YesOrNo(help_text="replies by mail count from any address")
    invitations_from_strangers = YesOrNo(help_text="people you have not played with may invite you")

    class Meta:
        model = Player
        fields = [
            *("name", "email", "language", "time_zone", *players.NOTICES),
            *("dead_at", "dead_why", "joined_at"),
        ]
        read_only_fields = ["name", "email", "dead_at", "dead_why", "joined_at"]


class PublicPlayer(serializers.ModelSerializer[Player]):
    since = serializers.DateTimeField(source="joined_at")

    class Meta:
        model = Player
        fields = ["name", "since"]


class TokenRow(serializers.ModelSerializer[Token]):
    scopes = serializers.SerializerMethodField()

    class Meta:
        model = Token
        fields = ["id", "name", "scopes", "created_at", "expires_at", "last_used", "revoked_at"]

    def get_scopes(self, token: Token) -> list[str]:
        return token.scopes.split()


class MadeToken(TokenRow):
    token = serializers.CharField(help_text="shown this once")

    class Meta(TokenRow.Meta):
        fields = [*TokenRow.Meta.fields, "token"]


class NewToken(serializers.Serializer[Any]):
    name = Text(max_length=50)
    scopes = serializers.ListField(
        child=serializers.ChoiceField(tokens.SCOPES), min_length=1, max_length=len(tokens.SCOPES)
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
    "players.show": {"response": {"name": "Ada Rossi", "since": ME["joined_at"]}},
}
for operation, example in OPERATIONS.items():
    EXAMPLES.setdefault(operation, example)


class Me(Door):
    permission_classes = [ALSO]

    @described("me.show", scope="read", answer=Profile)
    def get(self, request: Request) -> Response:
        """Who you are to this site."""
        return Response(Profile(self.player).data)

    @described("me.change", body=Profile, answer=Profile)
    def patch(self, request: Request) -> Response:
        """Change language, time zone or how notices come; what you do not name stays."""
        form = Profile(self.player, data=request.data, partial=True)
        form.is_valid(raise_exception=True)
        changed = players.change_profile(player=self.player, now=self.now, **form.validated_data)
        return Response(Profile(changed).data)


class OwnHands(Door):
    """For the player's browser and personal tokens: no app is given these, whatever its scopes."""

    permission_classes = [ALSO]

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        super().initial(request, *args, **kwargs)
        if request.auth is not None and not isinstance(request.auth, Token):
            raise Denied(_("Apps may not do this; use a personal token."), code="not-for-apps")


class Export(OwnHands):
    permission_classes = [READ]

    @described("me.export", scope="read")
    def get(self, request: Request) -> HttpResponse:
        """Everything that is stored of you, as one JSON."""
        return as_json(everything(player=self.player, now=self.now))


class Tokens(OwnHands):
    @described("me.tokens.list", scope="read", answer=TokenRow, many=True)
    def get(self, request: Request) -> Response:
        """Your personal tokens that still work, newest first."""
        return Response(TokenRow(tokens.working(player=self.player, now=self.now), many=True).data)

    @described("me.tokens.create", body=NewToken, answer=MadeToken, status=201)
    def post(self, request: Request) -> Response:
        """Make a personal token; `token` is shown this once.

        A token gives only scopes that it has itself, and what it makes does not outlive it.
        """
        form = NewToken(data=request.data)
        form.is_valid(raise_exception=True)
        row, plain = tokens.create(
            player=self.player,
            within=scopes_of(request),
            until=request.auth.expires_at if request.auth else None,
            now=self.now,
            **form.validated_data,
        )
        return Response({**TokenRow(row).data, "token": plain}, status=201)


class OneToken(OwnHands):
    @described("me.tokens.revoke", status=204)
    def delete(self, request: Request, token_id: int) -> Response:
        """Revoke a token of yours, at once and for good."""
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

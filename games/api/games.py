"""REST views of games: list, create, join, view, play."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.api.base import ViewerAPIView
from accounts.api.idempotency import idempotency_key_of
from accounts.api.operations import IDEMPOTENCY_KEY_HEADER, operation
from accounts.models import Player
from accounts.services import presence
from common.api.pagination import StrictCursorPagination
from common.api.responses import etag_response, json_response
from common.api.serializers import validate_query
from common.read_models import build_json
from games import engine, selectors
from games.engine.read_models import RecordData
from games.models import Game
from games.selectors.lists import InvitationData
from games.selectors.read_models import GameData, GameSummaryData, LogData
from games.services import invitations, lobby, partner_choice, seat_settings, turns

from . import serializers as game_serializers


class GamePagination(StrictCursorPagination):
    """Cursor pagination of games, newest first."""

    ordering = "-id"
    page_size = 20
    max_page_size = 100


class GameFilterSerializer(serializers.Serializer):
    """Query parameters of the game list."""

    status = serializers.ChoiceField(Game.Status.values, required=False)
    mode = serializers.ChoiceField(list(engine.MODES), required=False)
    edition = serializers.ChoiceField(engine.list_edition_names(), required=False)
    seats = serializers.IntegerField(
        source="seat_count", required=False, min_value=1, max_value=4, help_text="how many play"
    )
    clock = serializers.CharField(
        source="time_control", required=False, max_length=20, help_text="the name of the time control"
    )
    rated = serializers.BooleanField(
        required=False, allow_null=True, default=None, help_text="only rated games, or only others"
    )
    mine = serializers.BooleanField(required=False, default=False, help_text="only games that you play in")


class GameListView(ViewerAPIView):
    """The list of games, and creation."""

    @operation(
        "games.list",
        scope="read",
        public=True,
        response=GameSummaryData,
        many=True,
        query=GameFilterSerializer,
        paginated=True,
    )
    def get(self, request: Request) -> Response:
        """Games you may see, newest first; `status=open` is the lobby, `mine=true` are yours."""
        filters = validate_query(GameFilterSerializer, request)
        queryset = selectors.list_visible_games(self.viewer)
        for name in ("status", "mode", "edition", "seat_count", "time_control", "rated"):
            if filters.get(name) is not None:
                queryset = queryset.filter(**{name: filters[name]})
        if filters.get("mine"):
            queryset = queryset.filter(seats__player=self.viewer) if self.viewer else queryset.none()
        pagination = GamePagination()
        page = pagination.paginate_queryset(queryset, request, view=self)
        return pagination.get_paginated_response(selectors.list_game_summaries(page or []))

    @operation(
        "games.create",
        request_body=game_serializers.NewGameSerializer,
        response=GameData,
        status=201,
        location="games/{id}/",
        idempotent=True,
    )
    def post(self, request: Request) -> HttpResponse:
        """Create a game. Its commitment is public before anyone joins; join it yourself to take your seat.

        With an `Idempotency-Key`, a repeated request creates no other game and gets the first answer; a
        request with other settings is refused.
        """
        key = idempotency_key_of(request)
        serializer = game_serializers.NewGameSerializer(data=request.data)
        serializer.is_valid(raise_exception=True)
        game = lobby.create_game_once(player=self.player, now=self.now, key=key, **serializer.validated_data)
        return json_response(selectors.load_view_for(self.player, game.code).view, 201)


class GameDetailView(ViewerAPIView):
    """One game."""

    @operation("games.view", scope="read", public=True, response=GameData)
    def get(self, request: Request, code: str) -> HttpResponse:
        """The game as you may see it, with an ETag."""
        return etag_response(request, selectors.cached_json_for(self.viewer, code), "application/json")


class GameCommand(ViewerAPIView):
    """Base of commands on a game: call one service, then answer with the game's new state."""

    request_body: type[serializers.Serializer] | None = None

    def validate_body(self, request: Request) -> dict[str, Any]:
        """The validated request body. Raises ValidationError."""
        if self.request_body is None:
            return {}
        serializer = self.request_body(data=request.data)
        serializer.is_valid(raise_exception=True)
        return dict(serializer.validated_data)

    def game_response(self, code: str, status: int = 200) -> HttpResponse:
        """The game as the player sees it now."""
        return json_response(selectors.load_view_for(self.player, code).view, status)


class JoinGameView(GameCommand):
    """Joins a game."""

    request_body = game_serializers.JoinSerializer

    @operation("games.join", request_body=game_serializers.JoinSerializer, response=GameData, idempotent=True)
    def post(self, request: Request, code: str) -> HttpResponse:
        """Take a seat; the last one to join starts the game."""
        validated_data = self.validate_body(request)
        invitation_token = validated_data.pop("invitation")
        if invitation_token:
            game = invitations.accept_invitation(
                player=self.player, code=code, token=invitation_token, now=self.now, **validated_data
            )
        else:
            selectors.load_view_for(self.player, code)
            game = lobby.join_game(player=self.player, code=code, now=self.now, **validated_data)
        return self.game_response(game.code)


class LeaveGameView(GameCommand):
    """Leaves an open game."""

    @operation("games.leave", response=GameData)
    def post(self, request: Request, code: str) -> HttpResponse:
        """Leave before the start."""
        selectors.load_view_for(self.player, code)
        game = lobby.leave_game(player=self.player, code=code, now=self.now)
        if game.private and game.creator_id != self.player.pk:
            return json_response(selectors.load_view_after_leaving(self.player, code).view)
        return self.game_response(code)


class CancelGameView(GameCommand):
    """Cancels an open game."""

    @operation("games.cancel", response=GameData)
    def post(self, request: Request, code: str) -> HttpResponse:
        """Cancel an open game of yours."""
        lobby.cancel_game_by_host(player=self.player, code=code, now=self.now)
        return self.game_response(code)


class InviteToGameView(GameCommand):
    """Invites a player to a game."""

    request_body = game_serializers.InviteSerializer

    @operation(
        "games.invite",
        request_body=game_serializers.InviteSerializer,
        response=InvitationData,
        status=201,
        location="games/{code}/",
        idempotent=True,
    )
    def post(self, request: Request, code: str) -> HttpResponse:
        """Keep a seat for a player, by name or by email."""
        invitation = invitations.invite_to_game(
            player=self.player, code=code, now=self.now, **self.validate_body(request)
        )
        return json_response(build_json(selectors.build_invitation_data(invitation)), 201)


class DeclineInvitationView(GameCommand):
    """Declines an invitation."""

    @operation("games.decline", status=204)
    def post(self, request: Request, code: str) -> HttpResponse:
        """Decline an invitation."""
        invitations.decline_invitation(player=self.player, code=code, now=self.now)
        return HttpResponse(status=204)


class AddBotView(GameCommand):
    """Adds a bot to a game."""

    request_body = game_serializers.AddBotSerializer

    @operation(
        "games.bots",
        request_body=game_serializers.AddBotSerializer,
        response=GameData,
        status=201,
        location="games/{code}/",
        idempotent=True,
    )
    def post(self, request: Request, code: str) -> HttpResponse:
        """Fill a seat of your game with a bot."""
        lobby.add_bot(player=self.player, code=code, now=self.now, **self.validate_body(request))
        return self.game_response(code, 201)


class ChoosePartnerView(GameCommand):
    """Chooses the creator's partner."""

    request_body = game_serializers.ChosenPartnerSerializer

    @operation(
        "games.partner",
        request_body=game_serializers.ChosenPartnerSerializer,
        response=GameData,
    )
    def post(self, request: Request, code: str) -> HttpResponse:
        """In pairs, before the start: say who sits opposite you in your game. The others are the other pair.

        With neither `joined` nor `name` nobody is chosen: two people then play together against two bots, and
        else the order of the seats decides. Where seats are shuffled the lot does.
        """
        partner_choice.choose_partner(
            player=self.player, code=code, now=self.now, **self.validate_body(request)
        )
        return self.game_response(code)


class RematchView(GameCommand):
    """Creates or joins a rematch."""

    request_body = game_serializers.RematchSerializer

    @operation(
        "games.rematch",
        request_body=game_serializers.RematchSerializer,
        response=GameData,
        status=201,
        location="games/{id}/",
        idempotent=True,
    )
    def post(self, request: Request, code: str) -> HttpResponse:
        """Create a new game for the same players; everyone who asks gets the same one.

        Its commitment is public before you join: a seat is kept for you, the others are invited, bots join at
        once, and nothing begins. Then `join` it with a `client_seed`; the last to join starts the game. If
        you have seen the commitment of an existing rematch, send it here with your `client_seed` to take your
        seat. A seed with another commitment, or with none, is refused: 409 `no-offer`.
        """
        game = invitations.request_rematch(
            player=self.player, code=code, now=self.now, **self.validate_body(request)
        )
        return self.game_response(game.code, 201)


class TakeSeatView(GameCommand):
    """Takes over a replaced player's seat for good."""

    @operation("games.take", response=GameData)
    def post(self, request: Request, code: str) -> HttpResponse:
        """See the hand of a seat that you took over. From then on it is yours to the end of the game.

        Until then `you.hand_hidden` is true: no hand, no legal actions, and nothing can be played.
        """
        seat_settings.take_seat(player=self.player, code=code, now=self.now)
        return self.game_response(code)


class LegalActionsView(ViewerAPIView):
    """The player's legal actions."""

    @operation("games.legal", scope="read", public=True, response=game_serializers.LEGAL_ACTIONS_SCHEMA)
    def get(self, request: Request, code: str) -> HttpResponse:
        """Your legal actions now, if you have a decision to make. The header Otto-Seq gives their seq."""
        game_view = selectors.load_view_for(self.viewer, code)
        response = json_response(game_view.legal_actions)
        response["Otto-Seq"] = str(game_view.view["seq"])
        return response


class PlayActionView(ViewerAPIView):
    """Plays an action."""

    @operation(
        "games.play",
        request_body=game_serializers.PlayActionSerializer,
        response=GameData,
        status=201,
        location="games/{code}/",
        headers=[IDEMPOTENCY_KEY_HEADER],
    )
    def post(self, request: Request, code: str) -> HttpResponse:
        """Play an action.

        With an `Idempotency-Key`, a repeated request gets the first answer and changes nothing.
        """
        if game_serializers.is_simple_play(request.data):
            return self.play_action(request, code, request.data["action"], request.data["seq"])
        serializer = game_serializers.PlayActionSerializer(data=request.data)
        serializer.is_valid(raise_exception=True)
        return self.play_action(
            request, code, serializer.validated_data["action"], serializer.validated_data.get("seq")
        )

    def play_action(self, request: Request, code: str, action_text: str, seq: int | None) -> HttpResponse:
        """Play an action, and answer with the new view."""
        key = idempotency_key_of(request)
        response_body = turns.play_action(
            player=self.player, code=code, text=action_text, seq=seq, key=key, now=self.now
        )
        if self.player.mail_frequency == Player.MailFrequency.UNTIL_SEEN:
            # Playing through the API counts as coming back.
            presence.touch_last_seen(player=self.player, now=self.now)
        return HttpResponse(response_body, content_type="application/json", status=201)


class ResignView(PlayActionView):
    """Resigns a game."""

    @operation(
        "games.resign",
        response=GameData,
        status=201,
        location="games/{code}/",
        headers=[IDEMPOTENCY_KEY_HEADER],
    )
    def post(self, request: Request, code: str) -> HttpResponse:
        """Resign; it cannot be taken back."""
        return self.play_action(request, code, "resign", None)


class RecordView(ViewerAPIView):
    """The record of a game."""

    @operation("games.record", scope="read", public=True, response=RecordData)
    def get(self, request: Request, code: str) -> HttpResponse:
        """The game as an otto-record/1; with its seed and result once it is over."""
        return json_response(selectors.build_record_for(self.viewer, code))


class LogQuerySerializer(serializers.Serializer):
    """Query parameters of the log."""

    after = serializers.IntegerField(
        required=False, min_value=0, max_value=2**31 - 1, default=0, help_text="the seq to go on from"
    )
    limit = serializers.IntegerField(
        required=False, min_value=1, max_value=200, default=100, help_text="actions on a page"
    )


class LogView(ViewerAPIView):
    """The log of a game."""

    @operation(
        "games.log",
        scope="read",
        public=True,
        response=LogData,
        query=LogQuerySerializer,
    )
    def get(self, request: Request, code: str) -> HttpResponse:
        """The log of a game: every action with its events and its hash, which covers the action before."""
        query = validate_query(LogQuerySerializer, request)
        return json_response(selectors.log_page_for(self.viewer, code, **query))

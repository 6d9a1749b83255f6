"""REST views of games: list, create, join, view, play."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.api.base import ViewerAPIView
from accounts.api.idempotency import idempotency_key_of
from accounts.api.operations import operation
from accounts.models import Player
from accounts.services import presence
from common.api.locations import Location
from common.api.pagination import StrictCursorPagination
from common.api.responses import etag_response, json_response
from common.api.serializers import validate_query
from common.read_models import build_json
from games import engine, selectors
from games.clock import TIME_CONTROL_PRESETS
from games.engine.read_models import RecordData
from games.models import Game
from games.models.limits import SEAT_COUNT
from games.selectors.game_stream import GameCursor, check_cursor_of_game
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

    status = serializers.ChoiceField(
        Game.Status.values, required=False, help_text="Only games with this status. `open` gives the lobby."
    )
    mode = serializers.ChoiceField(
        list(engine.MODES), required=False, help_text="Only games that are played in this mode."
    )
    edition = serializers.ChoiceField(
        engine.list_edition_names(), required=False, help_text="Only games with this edition of the rules."
    )
    seats = serializers.IntegerField(
        source="seat_count",
        required=False,
        **SEAT_COUNT.number_bounds,
        help_text="Only games with this many players, 1 to 4.",
    )
    clock = serializers.ChoiceField(
        [*TIME_CONTROL_PRESETS, "custom"],
        source="time_control",
        required=False,
        help_text="Only games with this time control.",
    )
    rated = serializers.BooleanField(
        required=False,
        allow_null=True,
        default=None,
        help_text="Only rated games (true), or only unrated games (false).",
    )
    own = serializers.BooleanField(
        required=False, default=False, help_text="Only the games that you play in."
    )


class GameListView(ViewerAPIView):
    """The list of games, and creation."""

    @operation(
        "games.list",
        scope="read",
        public=True,
        response=GameSummaryData,
        many=True,
        query=GameFilterSerializer,
        pagination=GamePagination,
    )
    def get(self, request: Request) -> Response:
        """List games.

        Returns the games that you may see, newest first. `status=open` gives the lobby, `own=true` only your
        own games.
        """
        filters = validate_query(GameFilterSerializer, request)
        queryset = selectors.list_visible_games(self.viewer)
        for name in ("status", "mode", "edition", "seat_count", "time_control", "rated"):
            if filters.get(name) is not None:
                queryset = queryset.filter(**{name: filters[name]})
        if filters.get("own"):
            queryset = queryset.filter(seats__player=self.viewer) if self.viewer else queryset.none()
        pagination = GamePagination()
        page = pagination.paginate_queryset(queryset, request, view=self)
        return pagination.get_paginated_response(selectors.list_game_summaries(page or []))

    @operation(
        "games.create",
        request_body=game_serializers.NewGameSerializer,
        response=GameData,
        status=201,
        location=Location("games/{id}/", "The new game."),
    )
    def post(self, request: Request) -> HttpResponse:
        """Create a game.

        Creates an open game. You have no seat in it yet: read its commitment, then join with your
        `client_seed`.
        """
        key = idempotency_key_of(request)
        serializer = game_serializers.NewGameSerializer(data=request.data)
        serializer.is_valid(raise_exception=True)
        game = lobby.create_game_once(player=self.player, now=self.now, key=key, **serializer.validated_data)
        return json_response(selectors.load_view_for(self.player, game.code).view, 201)


class GameDetailView(ViewerAPIView):
    """One game."""

    @operation("games.view", scope="read", public=True, response=GameData, etag=True)
    def get(self, request: Request, code: str) -> HttpResponse:
        """Get a game.

        Returns the game as you see it: with your own hand if you play, otherwise with public information
        only.
        """
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

    @operation(
        "games.join",
        request_body=game_serializers.JoinSerializer,
        response=GameData,
    )
    def post(self, request: Request, code: str) -> HttpResponse:
        """Join a game.

        Takes a seat. The game starts as soon as the last seat is taken. You need `invitation` only if you
        follow an invitation link.
        """
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
        """Leave a game.

        Gives up your seat before the game starts. In a running game, resign instead.
        """
        selectors.load_view_for(self.player, code)
        game = lobby.leave_game(player=self.player, code=code, now=self.now)
        if game.private and game.creator_id != self.player.pk:
            return json_response(selectors.load_view_after_leaving(self.player, code).view)
        return self.game_response(code)


class CancelGameView(GameCommand):
    """Cancels an open game."""

    @operation("games.cancel", response=GameData)
    def post(self, request: Request, code: str) -> HttpResponse:
        """Cancel a game.

        Cancels an open game that you created and notifies the players who have joined.
        """
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
        location=Location("games/{code}/", "The game, in which the seat is reserved."),
    )
    def post(self, request: Request, code: str) -> HttpResponse:
        """Invite a player.

        Reserves a seat for a player by name, or for anybody by email address, and notifies them. Only the
        creator of the game can invite.
        """
        invitation = invitations.invite_to_game(
            player=self.player, code=code, now=self.now, **self.validate_body(request)
        )
        return json_response(build_json(selectors.build_invitation_data(invitation)), 201)


class DeclineInvitationView(GameCommand):
    """Declines an invitation."""

    @operation("games.decline", status=204)
    def post(self, request: Request, code: str) -> HttpResponse:
        """Decline an invitation.

        Declines your invitation to this game. The player who invited you sees it in the feed.
        """
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
        location=Location("games/{code}/", "The game, in which the bot has the seat."),
    )
    def post(self, request: Request, code: str) -> HttpResponse:
        """Add a bot.

        Gives a free seat of your open game to one of the site's bots. They do not play rated games.
        """
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
        """Choose a partner.

        In pairs, before the start: chooses who sits opposite you. The other two players are the other pair.
        Without a name your choice is removed: two people then play together against two bots; otherwise the
        order of seats decides. With shuffled seats the lot decides.
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
        location=Location("games/{id}/", "The rematch."),
    )
    def post(self, request: Request, code: str) -> HttpResponse:
        """Request a rematch.

        Creates a new game for the same players. All requests lead to the same game. You get a reserved seat,
        the others are invited, and the site's bots join at once. Read its commitment, then join with your
        `client_seed`. If you know the commitment of an existing rematch, send it with your `client_seed` to
        take your seat at once. A seed without the commitment gets 409 `no-offer`.
        """
        game = invitations.request_rematch(
            player=self.player, code=code, now=self.now, **self.validate_body(request)
        )
        return self.game_response(game.code, 201)


class TakeSeatView(GameCommand):
    """Takes over a replaced player's seat for good."""

    @operation("games.take", response=GameData)
    def post(self, request: Request, code: str) -> HttpResponse:
        """Take over a seat.

        Shows you the hand of a seat that you take over from another player. The seat is then yours until the
        end of the game. Before, `you.hand_hidden` is true and you can neither see the hand nor play.
        """
        seat_settings.take_seat(player=self.player, code=code, now=self.now)
        return self.game_response(code)


class LegalActionsView(ViewerAPIView):
    """The player's legal actions."""

    @operation(
        "games.legal",
        scope="read",
        public=True,
        response=game_serializers.LEGAL_ACTIONS_SCHEMA,
        response_headers=["Otto-Seq"],
    )
    def get(self, request: Request, code: str) -> HttpResponse:
        """List legal actions.

        Returns your legal actions. The list is empty if you have nothing to decide. You can always `resign`,
        which is not listed. The header `Otto-Seq` has the `seq` to send with your action.
        """
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
        location=Location("games/{code}/", "The game after your action."),
        keyed=True,
    )
    def post(self, request: Request, code: str) -> HttpResponse:
        """Play an action.

        Plays one action and returns the new view of the game. Send the `seq` of the game as you saw it: if
        the game has moved on, nothing is played and you get 409 `stale`. An action against the rules gets 422
        `illegal`; `rule` names the broken rule.
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
        location=Location("games/{code}/", "The game after you resigned."),
        keyed=True,
    )
    def post(self, request: Request, code: str) -> HttpResponse:
        """Resign.

        Resigns for your side. You cannot undo this. It needs no `seq`.
        """
        return self.play_action(request, code, "resign", None)


class RecordView(ViewerAPIView):
    """The record of a game."""

    @operation("games.record", scope="read", public=True, response=RecordData)
    def get(self, request: Request, code: str) -> HttpResponse:
        """Get the record.

        Returns the game in the format `otto-record/1`, with everything that a replay needs. The server seed
        and the result are null until the game is over.
        """
        return json_response(selectors.build_record_for(self.viewer, code))


class LogQuerySerializer(serializers.Serializer):
    """Query parameters of the log."""

    after = serializers.IntegerField(
        required=False,
        min_value=0,
        max_value=2**31 - 1,
        default=0,
        help_text="The `seq` of the last action that you have: you get the actions after it. The default is"
        " 0, the whole log.",
    )
    limit = serializers.IntegerField(
        required=False,
        min_value=1,
        max_value=200,
        default=100,
        help_text="The most actions to return, from 1 to 200. The default is 100.",
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
        """Get the log.

        Returns the actions of the game and their effects, oldest first. Each hash covers its action and the
        previous hash, so nobody can change the past unnoticed.
        """
        query = validate_query(LogQuerySerializer, request)
        page = selectors.log_page_for(self.viewer, code, **query)
        if not page["results"]:
            check_cursor_of_game(code, GameCursor(query["after"], None))
        return json_response(page)

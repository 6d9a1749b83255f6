"""REST views around a game: waiting turns, notes, chat and board pictures."""

from __future__ import annotations

from django.http import HttpResponse
from rest_framework import serializers
from rest_framework.request import Request

from accounts.api.auth import HasScope
from accounts.api.base import ViewerAPIView
from accounts.api.operations import operation
from common.api.locations import Location
from common.api.responses import build_negotiation, etag_response, json_response, lazy_etag_response
from common.api.serializers import validate_query
from common.rate_limits import charge_request
from common.read_models import build_json
from games import picture_cache, picture_png, picture_svg, selectors
from games.engine import text
from games.game_text import build_translator
from games.selectors.lists import ChatMessageData, GameNoteData, InvitationData, TurnData
from games.services import social

from . import serializers as game_serializers

DRAWN_PICTURE_COST = 5  # in requests of the rate limit, by its CPU time


class PlayerAPIView(ViewerAPIView):
    """Base of views that require a player."""

    permission_classes = [HasScope("read", write_scope="play")]


class MyTurnListView(PlayerAPIView):
    """The player's waiting turns."""

    @operation("me.turns", scope="read", response=TurnData, many=True)
    def get(self, request: Request) -> HttpResponse:
        """List your turns.

        Returns the games that wait for your move, the most urgent first.
        """
        seats = selectors.list_seats_on_turn(self.player)
        return json_response(build_json([*map(selectors.build_turn_data, seats)]))


class MyInvitationListView(PlayerAPIView):
    """The player's invitations."""

    @operation("me.invitations", scope="read", response=InvitationData, many=True)
    def get(self, request: Request) -> HttpResponse:
        """List your invitations.

        Returns your invitations to games that you have neither accepted nor declined.
        """
        invitations = selectors.list_open_invitations_of(self.player, self.now)
        return json_response(build_json([*map(selectors.build_invitation_data, invitations)]))


class GameNoteView(PlayerAPIView):
    """The player's private note on a game."""

    @operation("games.notes", scope="read", response=GameNoteData)
    def get(self, request: Request, code: str) -> HttpResponse:
        """Get your note.

        Returns your private note on a game. Nobody else can read it.
        """
        note = selectors.load_note_for(self.player, code)
        return json_response(build_json(selectors.build_note_data(note)))

    @operation(
        "games.notes.write",
        request_body=game_serializers.NewNote,
        response=GameNoteData,
    )
    def put(self, request: Request, code: str) -> HttpResponse:
        """Write your note.

        Replaces your private note on a game. An empty text removes it.
        """
        serializer = game_serializers.NewNote(data=request.data)
        serializer.is_valid(raise_exception=True)
        note = social.write_note(
            player=self.player, code=code, text=serializer.validated_data["text"], now=self.now
        )
        return json_response(build_json(selectors.build_note_data(note)))


class ChatQuerySerializer(serializers.Serializer):
    """Query parameters of the chat."""

    before = serializers.IntegerField(
        required=False,
        min_value=1,
        max_value=2**63 - 1,
        default=None,
        help_text="The `id` of a message: you get those before it. Omit it for the latest messages.",
    )


class ChatView(PlayerAPIView):
    """The chat of a game."""

    @operation("games.chat", scope="read", response=ChatMessageData, many=True, query=ChatQuerySerializer)
    def get(self, request: Request, code: str) -> HttpResponse:
        """List chat messages.

        Returns the last hundred chat messages of a game, oldest first. For earlier ones send the `id` of the
        first as `before`. Only its players can read them.
        """
        before = validate_query(ChatQuerySerializer, request)["before"]
        messages = selectors.load_chat_for(self.player, code, before)
        return json_response(build_json([*map(selectors.build_message_data, messages)]))

    @operation(
        "games.chat.say",
        request_body=game_serializers.NewMessage,
        response=ChatMessageData,
        status=201,
        location=Location("games/{code}/chat/", "The chat of the game, which ends with your message."),
    )
    def post(self, request: Request, code: str) -> HttpResponse:
        """Send a chat message.

        Sends a message to the players of the game. You can send 30 messages an hour in a game.
        """
        serializer = game_serializers.NewMessage(data=request.data)
        serializer.is_valid(raise_exception=True)
        message = social.post_chat_message(
            player=self.player, code=code, text=serializer.validated_data["text"], now=self.now
        )
        return json_response(build_json(selectors.build_message_data(message)), 201)


class ReportMessageView(PlayerAPIView):
    """Reports a chat message to the operator."""

    @operation(
        "games.chat.report",
        request_body=game_serializers.ReasonSerializer,
        status=204,
    )
    def post(self, request: Request, code: str, message_id: int) -> HttpResponse:
        """Report a chat message.

        Reports another player's message to the operators of the site. You can report a message once.
        """
        serializer = game_serializers.ReasonSerializer(data=request.data)
        serializer.is_valid(raise_exception=True)
        social.report_message(
            player=self.player,
            code=code,
            message_id=message_id,
            reason=serializer.validated_data["reason"],
            now=self.now,
        )
        return HttpResponse(status=204)


class BoardTextView(ViewerAPIView):
    """The board as text."""

    content_negotiation_class = build_negotiation("text/plain")

    @operation("games.board.txt", scope="read", public=True, media_type="text/plain", etag=True)
    def get(self, request: Request, code: str) -> HttpResponse:
        """Get the board as text.

        The board as text for a fixed-width font, with the closed figures below it.
        """
        board_view = selectors.board_view_for(self.viewer, code)
        body = (
            "\n".join(
                [
                    text.draw_text_board(board_view),
                    "",
                    *text.describe_figures(board_view, build_translator(board_view)),
                ]
            )
            + "\n"
        )
        return etag_response(request, body.encode(), "text/plain; charset=utf-8")


class BoardSVGView(ViewerAPIView):
    """The board as SVG."""

    content_negotiation_class = build_negotiation("image/svg+xml")

    @operation("games.board.svg", scope="read", public=True, media_type="image/svg+xml", etag=True)
    def get(self, request: Request, code: str) -> HttpResponse:
        """Get the board as SVG.

        The board as an SVG.
        """
        board_view = selectors.board_view_for(self.viewer, code)
        etag = picture_png.compute_board_tag(board_view, form="svg", width=0)
        return lazy_etag_response(
            request, etag, lambda: picture_svg.draw_board_svg(board_view).encode(), "image/svg+xml"
        )


class BoardPNGQuerySerializer(serializers.Serializer):
    """Query parameters of the PNG picture."""

    width = serializers.IntegerField(
        required=False,
        min_value=picture_png.OFFERED_WIDTHS[0],
        max_value=picture_png.OFFERED_WIDTHS[-1],
        default=600,
        help_text="The width and height in pixels, rounded up to "
        + ", ".join(map(str, picture_png.OFFERED_WIDTHS[:-1]))
        + f" or {picture_png.OFFERED_WIDTHS[-1]}. A picture that must be drawn counts as"
        f" {DRAWN_PICTURE_COST} requests in the rate limit, a cached or unchanged one as one.",
    )


class BoardPNGView(ViewerAPIView):
    """The board as PNG."""

    content_negotiation_class = build_negotiation("image/png")

    @operation(
        "games.board.png",
        scope="read",
        public=True,
        media_type="image/png",
        query=BoardPNGQuerySerializer,
        etag=True,
    )
    def get(self, request: Request, code: str) -> HttpResponse:
        """Get the board as PNG.

        The board as a PNG. A picture that must be drawn counts as five requests; a cached or unchanged one
        counts as one.
        """
        width = picture_png.find_offered_width(validate_query(BoardPNGQuerySerializer, request)["width"])
        board_view = selectors.board_view_for(self.viewer, code)
        etag = picture_png.compute_board_tag(board_view, form="png", width=width)

        def find_or_draw() -> bytes:
            """The cached picture, or a new one, which costs more of the rate limit."""
            png = picture_cache.find_picture(etag)
            if png is None:
                charge_request(request, cost=DRAWN_PICTURE_COST - 1)
                png = picture_png.draw_board_png(board_view, width=width)
                picture_cache.store_picture(etag, png)
            return png

        return lazy_etag_response(request, etag, find_or_draw, "image/png")

"""Live streams of the API: the player's feed, and one game."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from django.http import HttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter
from rest_framework import serializers
from rest_framework.request import Request

from accounts.api.base import ViewerAPIView
from accounts.api.operations import operation
from accounts.models import Player
from common.api.responses import JSONNegotiation
from common.api.serializers import validate_query
from games import selectors
from games.models import Game
from games.selectors.game_stream import (
    GameCursor,
    build_message_view,
    check_cursor_of_game,
    parse_game_cursor,
    read_game_changes,
)
from games.selectors.waiting_turns import count_waiting_turns
from notifications.api.feed import MAX_FEED_ID, FeedSource
from notifications.selectors.feed import (
    FeedPosition,
    find_cursor_position,
    find_last_position,
)
from notifications.stream_wake_ups import player_key
from notifications.streams.formats import SSE_MEDIA_TYPE, StreamEvent
from notifications.streams.plans import StreamChunk
from notifications.streams.responses import find_stream_format, open_stream
from notifications.topics import make_topic

from .game_extras import PlayerAPIView
from .stream_types import FEED_STREAM_SCHEMAS, GAME_STREAM_SCHEMAS

LAST_EVENT_ID_HEADER = OpenApiParameter(
    "Last-Event-ID",
    OpenApiTypes.STR,
    OpenApiParameter.HEADER,
    description="The `id` of the last event that you have: the stream continues after it.",
)


class OpeningFeedSource(FeedSource):
    """A player's feed, after a snapshot: the cursor, and how many turns wait."""

    __slots__ = ("is_open",)

    def __init__(self, player_id: int, position: FeedPosition) -> None:
        super().__init__(player_id, position)
        self.is_open = False

    def read_next(self) -> StreamChunk:
        """Read the next entries, after the snapshot if this is the opening."""
        if self.is_open:
            return super().read_next()
        self.is_open = True
        after = self.position.entry_id
        waiting_count = count_waiting_turns(Player(pk=self.player_id))
        snapshot = StreamEvent("snapshot", {"after": after, "turns_waiting": waiting_count}, str(after))
        chunk = super().read_next()
        return replace(chunk, events=[snapshot, *chunk.events])


class GameSource:
    """News of a game for a viewer; the opening ends with the view."""

    __slots__ = ("code", "cursor", "view_hash", "viewer_id")

    def __init__(self, viewer_id: int | None, code: str, cursor: GameCursor | None) -> None:
        self.viewer_id, self.code, self.cursor = viewer_id, code, cursor
        self.view_hash: int | None = None

    def read_next(self) -> StreamChunk:
        """Read what is new. Raises NoSuchGame or UnknownCursor at the opening.

        Later a game out of sight ends the stream.
        """
        viewer = Player(pk=self.viewer_id) if self.viewer_id else None
        is_opening = self.view_hash is None
        try:
            changes = read_game_changes(viewer, self.code, self.cursor)
        except selectors.NoSuchGame:
            if is_opening:
                raise
            return StreamChunk([StreamEvent("end", {"reason": "not-found"})], is_last=True)
        if is_opening and self.cursor:  # after the read: nobody learns of a game out of sight by its cursor
            check_cursor_of_game(self.code, self.cursor)
        events = []
        before, after = self.cursor, changes.cursor
        message_id = after.message_id if before is None or before.message_id is None else before.message_id
        for action in changes.actions:
            events.append(StreamEvent("action", action, str(GameCursor(action["seq"], message_id))))
        for message in changes.messages:
            cursor = GameCursor(after.seq, message.pk)
            events.append(StreamEvent("message", build_message_view(message), str(cursor)))
        view_hash = hash(changes.view_json)
        if not changes.has_more and view_hash != self.view_hash:
            events.append(StreamEvent("game", changes.view_json, str(after)))
            self.view_hash = view_hash
        self.cursor = after
        is_last = changes.is_finished and not changes.has_more
        if is_last:
            events.append(StreamEvent("end", {"reason": changes.status}))
        return StreamChunk(events, is_last=is_last, has_more=changes.has_more)


class FeedStreamQuerySerializer(serializers.Serializer):
    """Query parameters of the stream of a feed."""

    after = serializers.IntegerField(
        required=False,
        min_value=0,
        max_value=MAX_FEED_ID,
        help_text="The cursor, for clients that cannot send `Last-Event-ID`. Without both the stream begins"
        " now.",
    )


class GameStreamQuerySerializer(serializers.Serializer):
    """Query parameters of the stream of a game."""

    after = serializers.RegexField(
        r"^\d{1,9}(\.\d{1,18})?$",
        required=False,
        help_text="The cursor, for clients that cannot send `Last-Event-ID`. Without both the stream begins"
        " now.",
    )


def validate_stream_query(serializer_class: type[serializers.Serializer], request: Request) -> Any:
    """The cursor in `Last-Event-ID`, else in `after`, else None. Raises ValidationError."""
    after = validate_query(serializer_class, request).get("after")
    if last_event_id := request.headers.get("Last-Event-ID", ""):
        serializer = serializer_class(data={"after": last_event_id})
        serializer.is_valid(raise_exception=True)
        return serializer.validated_data["after"]
    return after


class StreamNegotiation(JSONNegotiation):
    """Leaves the format of a stream to its view; problems are JSON."""

    def select_renderer(self, request: Request, renderers: Any, format_suffix: str | None = None) -> Any:
        """The renderer of problems, whatever is accepted."""
        return renderers[0], renderers[0].media_type


class FeedStreamView(PlayerAPIView):
    """The player's feed as a stream."""

    content_negotiation_class = StreamNegotiation

    @operation(
        "events.stream",
        scope="read",
        query=FeedStreamQuerySerializer,
        headers=[LAST_EVENT_ID_HEADER],
        media_type=SSE_MEDIA_TYPE,
        media_type_schemas=FEED_STREAM_SCHEMAS,
    )
    def get(self, request: Request) -> HttpResponse:
        """Stream events.

        Sends your feed as it happens, as Server-Sent Events or, with `Accept: application/x-ndjson`, as one
        JSON object per line. The first event is a `snapshot`; an `entry` follows for each entry of your feed.
        Send `Last-Event-ID` to resume after that entry, without loss or repetition. A comment or an empty
        line every 15 seconds keeps the connection alive. The stream ends within seconds when your token is
        revoked. 429 `too-many-streams`: you or your network have too many open streams.
        """
        stream_format = find_stream_format(request)
        after = validate_stream_query(FeedStreamQuerySerializer, request)
        position = (
            find_last_position(self.player) if after is None else find_cursor_position(self.player, after)
        )
        return open_stream(
            request,
            source=OpeningFeedSource(self.player.pk, position),
            keys=frozenset({player_key(self.player.pk)}),
            stream_format=stream_format,
        )


class GameStreamView(ViewerAPIView):
    """One game as a stream."""

    content_negotiation_class = StreamNegotiation

    @operation(
        "games.stream",
        scope="read",
        public=True,
        query=GameStreamQuerySerializer,
        headers=[LAST_EVENT_ID_HEADER],
        media_type=SSE_MEDIA_TYPE,
        media_type_schemas=GAME_STREAM_SCHEMAS,
    )
    def get(self, request: Request, code: str) -> HttpResponse:
        """Stream a game.

        Sends the game as it is played, as Server-Sent Events or, with `Accept: application/x-ndjson`, as one
        JSON object per line. It begins with `game`, your view of the game, and sends it again after every
        change, preceded by an `action` for each new action and, for its players, a `message` for each chat
        message. `id` is the cursor: send it as `Last-Event-ID` to get what you missed. When the game is over,
        an `end` follows and the stream closes. 429 `too-many-streams`: you or your network have too many open
        streams.
        """
        stream_format = find_stream_format(request)
        after = validate_stream_query(GameStreamQuerySerializer, request)
        viewer_id = self.viewer.pk if self.viewer else None
        return open_stream(
            request,
            source=GameSource(viewer_id, code, parse_game_cursor(after) if after else None),
            keys=frozenset({make_topic(Game.TOPIC_FAMILY, code)}),
            stream_format=stream_format,
        )

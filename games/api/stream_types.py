"""The lines of a live stream, as types of their JSON, and their part of the OpenAPI document."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Any, Literal, TypedDict

from drf_spectacular.utils import PolymorphicProxySerializer, extend_schema_field
from rest_framework import serializers

from common.read_model_serializers import build_serializer, build_union_serializer
from common.read_models import OneOf
from games.selectors.lists import ChatMessageData
from games.selectors.read_models import GameData, LogLineData
from notifications.api.feed_schema import build_feed_entry_serializer
from notifications.streams.formats import NDJSON_MEDIA_TYPE, SSE_MEDIA_TYPE

EVENT_HELP_TEXT = "The kind of this line."
CURSOR_HELP_TEXT = "The cursor: send it as `Last-Event-ID` to go on after this line."


class GameLineData(TypedDict):
    """Your view of the game. It comes first, and again after every change."""

    event: Annotated[Literal["game"], EVENT_HELP_TEXT]
    id: Annotated[str, CURSOR_HELP_TEXT]
    data: Annotated[GameData, "The view of the game."]


class ActionLineData(TypedDict):
    """A new action, as the log has it."""

    event: Annotated[Literal["action"], EVENT_HELP_TEXT]
    id: Annotated[str, CURSOR_HELP_TEXT]
    data: Annotated[LogLineData, "The action with its events."]


class MessageLineData(TypedDict):
    """A new chat message; only for the players of the game."""

    event: Annotated[Literal["message"], EVENT_HELP_TEXT]
    id: Annotated[str, CURSOR_HELP_TEXT]
    data: Annotated[ChatMessageData, "The message."]


class EndReasonData(TypedDict):
    """The reasons for which a stream ends."""

    reason: Annotated[
        Literal["over", "cancelled", "not-found"],
        "The status of the game, `over` or `cancelled`; or `not-found` if you may no longer see it.",
    ]


class EndLineData(TypedDict):
    """The last line: the game is over for you, and the stream closes."""

    event: Annotated[Literal["end"], EVENT_HELP_TEXT]
    id: Annotated[str | None, "Always null: there is nothing to resume."]
    data: Annotated[EndReasonData, "Why the stream ends."]


class FeedStateData(TypedDict):
    """The position of a feed."""

    after: Annotated[int, "The `id` of the last entry before this stream; 0 if there is none."]
    turns_waiting: Annotated[int, "How many games wait for a move of yours."]


class SnapshotLineData(TypedDict):
    """The first line: where the feed stands."""

    event: Annotated[Literal["snapshot"], EVENT_HELP_TEXT]
    id: Annotated[str, CURSOR_HELP_TEXT]
    data: Annotated[FeedStateData, "The state of the feed."]


class EntryLineData(TypedDict):
    """A new entry of your feed."""

    event: Annotated[Literal["entry"], EVENT_HELP_TEXT]
    id: Annotated[str, CURSOR_HELP_TEXT]


def describe_stream(union: PolymorphicProxySerializer, event_names: Iterable[str]) -> dict[str, Any]:
    """The schemas of a stream by media type: a JSON object a line, or Server-Sent Events with it as text."""
    event_schema = {
        "type": "object",
        "description": "One Server-Sent Event. `data` is one line of JSON: the `data` of the type that"
        f" `{union.component_name}` has for this `event`.",
        "properties": {
            "event": {"type": "string", "enum": list(event_names), "description": EVENT_HELP_TEXT},
            "id": {"type": "string", "description": CURSOR_HELP_TEXT},
            "data": {"type": "string", "contentMediaType": "application/json", "description": "JSON."},
        },
        "required": ["event", "data"],
    }
    return {SSE_MEDIA_TYPE: event_schema, NDJSON_MEDIA_TYPE: union}


def build_entry_line_serializer() -> type[serializers.Serializer]:
    """Build the serializer of a line with a feed entry of any kind."""
    entry_field = extend_schema_field(build_feed_entry_serializer())(
        type("StreamedEntryField", (serializers.Field,), {})
    )
    fields = build_serializer(EntryLineData)._declared_fields | {"data": entry_field(help_text="The entry.")}
    namespace = fields | {"__doc__": EntryLineData.__doc__}
    return type(serializers.Serializer)("EntryLineSerializer", (serializers.Serializer,), namespace)


GAME_STREAM_SCHEMAS = describe_stream(
    build_union_serializer(
        [GameLineData, ActionLineData, MessageLineData, EndLineData], OneOf("GameStreamLine", "event")
    ),
    ["game", "action", "message", "end"],
)
FEED_STREAM_SCHEMAS = describe_stream(
    PolymorphicProxySerializer(
        component_name="FeedStreamLine",
        serializers={"snapshot": build_serializer(SnapshotLineData), "entry": build_entry_line_serializer()},
        resource_type_field_name="event",
    ),
    ["snapshot", "entry"],
)

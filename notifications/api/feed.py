"""REST view of a player's feed, page by page, and its entries as the source of a stream."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from functools import partial
from typing import Any

from django.http import HttpResponse
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers
from rest_framework.request import Request

from accounts.api.auth import HasScope
from accounts.api.base import ViewerAPIView
from accounts.api.operations import operation
from accounts.models import Player
from common.api.serializers import validate_query
from common.read_models import build_json
from notifications.selectors.feed import (
    FeedPosition,
    build_feed_entry,
    find_cursor_position,
    find_last_position,
    load_feed_page,
)
from notifications.stream_wake_ups import player_key
from notifications.streams.formats import EVENT_STREAM, StreamEvent
from notifications.streams.plans import StreamChunk
from notifications.streams.responses import LongPollResponse, plan_stream

from .feed_schema import build_feed_serializer

FEED_BATCH_SIZE = 100  # entries in one read
MAX_FEED_ID = 2**63 - 1
MAX_WAIT_SECONDS = 60
LATEST = -1  # as a cursor: the last entry that there is


@extend_schema_field(
    {
        "oneOf": [
            {"type": "integer", "minimum": 0, "maximum": MAX_FEED_ID},
            {"type": "string", "enum": ["latest"]},
        ]
    }
)
class FeedCursorField(serializers.IntegerField):
    """The id of an entry, or `latest`."""

    def to_internal_value(self, data: Any) -> int:
        """The id. Raises ValidationError."""
        if data == "latest":
            return LATEST
        entry_id = int(super().to_internal_value(data))
        if entry_id == LATEST:
            self.fail("min_value", min_value=0)
        return entry_id

    def run_validators(self, value: Any) -> None:
        """Check the limits of an id. Raises ValidationError."""
        if value != LATEST:
            super().run_validators(value)


class FeedQuerySerializer(serializers.Serializer):
    """Query parameters of the feed."""

    after = FeedCursorField(
        required=False,
        min_value=0,
        max_value=MAX_FEED_ID,
        default=0,
        help_text="The `id` of the last entry that you have: you get the entries after it. The default is 0,"
        " the whole feed. `latest` gives only new entries.",
    )
    limit = serializers.IntegerField(
        required=False,
        min_value=1,
        max_value=200,
        default=100,
        help_text="The most entries to return, from 1 to 200. The default is 100.",
    )
    wait = serializers.IntegerField(
        required=False,
        min_value=0,
        max_value=MAX_WAIT_SECONDS,
        default=0,
        help_text="How long to wait for an entry if there is none yet, from 0 to 60 seconds. For clients that"
        " cannot read a stream. The default is 0.",
    )


class FeedSource:
    """The entries of a player's feed after a position."""

    __slots__ = ("limit", "player_id", "position")

    def __init__(self, player_id: int, position: FeedPosition, limit: int = FEED_BATCH_SIZE) -> None:
        self.player_id, self.position, self.limit = player_id, position, limit

    def read_next(self) -> StreamChunk:
        """Read the next entries."""
        events = []
        page = load_feed_page(Player(pk=self.player_id), self.position, self.limit)
        for entry in page.entries:
            events.append(StreamEvent("entry", build_json(build_feed_entry(entry)), str(entry.pk)))
            self.position = FeedPosition(entry.transaction_id, entry.pk)
        has_more = len(page.entries) == self.limit
        return StreamChunk(events, has_more=has_more, is_held_back=page.is_held_back)


class FeedView(ViewerAPIView):
    """The player's feed, page by page."""

    permission_classes = [HasScope("read", write_scope="play")]

    @operation("events", scope="read", response=build_feed_serializer(), query=FeedQuerySerializer)
    def get(self, request: Request) -> HttpResponse:
        """List events.

        Returns what happened to you, oldest first, after the entry in `after`. Send the `after` of the
        response with your next request, and no entry is lost or repeated. With `wait`, an empty
        response waits until an entry arrives or the time is up. Start with `after=latest` to skip all past
        entries.
        """
        query = validate_query(FeedQuerySerializer, request)
        after, limit = query["after"], query["limit"]
        if after == LATEST:
            position = find_last_position(self.player)
            after = position.entry_id
        else:
            position = find_cursor_position(self.player, after)
        page = load_feed_page(self.player, position, limit)
        response = LongPollResponse(
            build_feed_body(map(build_json, map(build_feed_entry, page.entries)), after)
        )
        response.headers["Content-Type"] = "application/json"
        if query["wait"] and not page.entries:
            source = FeedSource(self.player.pk, position, limit)
            keys = frozenset({player_key(self.player.pk)})
            response.plan = plan_stream(request, source=source, keys=keys, stream_format=EVENT_STREAM)
            response.wait_seconds = query["wait"]
            response.build_body = partial(build_feed_body_from_events, after=after)
        return response


def build_feed_body(entry_views: Iterable[dict[str, Any]], after: int) -> bytes:
    """A page of the feed as JSON."""
    results = list(entry_views)
    return json.dumps({"results": results, "after": results[-1]["id"] if results else after}).encode()


def build_feed_body_from_events(events: Sequence[StreamEvent], after: int) -> bytes:
    """A page of the feed from the events of a source."""
    return build_feed_body((event.data for event in events), after)

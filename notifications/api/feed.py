"""REST view of a player's feed."""

from __future__ import annotations

from django.http import HttpResponse
from rest_framework import serializers
from rest_framework.request import Request

from accounts.api.auth import HasScope
from accounts.api.base import ViewerAPIView
from accounts.api.operations import operation
from common.api.responses import json_response
from common.api.serializers import validate_query
from common.instants import format_instant
from notifications.selectors.feed import load_feed
from notifications.topics import find_topic_code


class FeedEntrySerializer(serializers.Serializer):
    """An entry of your feed."""

    id = serializers.IntegerField()
    kind = serializers.CharField()
    game = serializers.CharField(allow_null=True)
    at = serializers.DateTimeField()
    data = serializers.DictField()


class FeedSerializer(serializers.Serializer):
    """A page of your feed."""

    results = FeedEntrySerializer(many=True)
    after = serializers.IntegerField(help_text="where to go on: ask with ?after= this")


class FeedQuerySerializer(serializers.Serializer):
    """Query parameters of the feed."""

    after = serializers.IntegerField(required=False, min_value=0, max_value=2**63 - 1, default=0)
    limit = serializers.IntegerField(required=False, min_value=1, max_value=200, default=100)


class FeedView(ViewerAPIView):
    """The player's feed."""

    permission_classes = [HasScope("read", write_scope="play")]

    @operation("events", scope="read", response=FeedSerializer, query=FeedQuerySerializer)
    def get(self, request: Request) -> HttpResponse:
        """Everything that happened to you, in order, from a cursor on."""
        query = validate_query(FeedQuerySerializer, request)
        entries = load_feed(self.player, **query)
        return json_response(
            {
                "results": [
                    {
                        "id": entry.pk,
                        "kind": entry.kind,
                        "game": find_topic_code(entry.topic, "game"),
                        "at": format_instant(entry.at),
                        "data": entry.data,
                    }
                    for entry in entries
                ],
                "after": entries[-1].pk if entries else query["after"],
            }
        )

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
from common.read_models import build_json
from notifications.selectors.feed import FeedData, build_feed_data, load_feed


class FeedQuerySerializer(serializers.Serializer):
    """Query parameters of the feed."""

    after = serializers.IntegerField(
        required=False, min_value=0, max_value=2**63 - 1, default=0, help_text="the id to go on from"
    )
    limit = serializers.IntegerField(
        required=False, min_value=1, max_value=200, default=100, help_text="entries on a page"
    )


class FeedView(ViewerAPIView):
    """The player's feed."""

    permission_classes = [HasScope("read", write_scope="play")]

    @operation("events", scope="read", response=FeedData, query=FeedQuerySerializer)
    def get(self, request: Request) -> HttpResponse:
        """Everything that happened to you, in order, from a cursor on."""
        query = validate_query(FeedQuerySerializer, request)
        entries = load_feed(self.player, **query)
        return json_response(build_json(build_feed_data(entries, query["after"])))

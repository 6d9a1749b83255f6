"""What the API views of tournaments and leagues share."""

from __future__ import annotations

import json
from typing import Any

from django.http import HttpResponse
from django.utils.translation import gettext as _
from rest_framework import serializers
from rest_framework.pagination import CursorPagination
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.api.auth import HasScope
from accounts.api.base import ViewerAPIView
from accounts.models import Player
from accounts.name_validation import MAX_NAME_LENGTH
from accounts.selectors.profiles import find_player_by_name
from common.api.responses import etag_response, json_response
from common.read_models import encode_read_model
from common.service_errors import Invalid
from games.selectors import format_instant

encode_value = encode_read_model(format_instant)


class ListPagination(CursorPagination):
    """Cursor pagination; subclasses set the ordering."""

    page_size = 50
    max_page_size = 200
    page_size_query_param = "page_size"

    def get_paginated_response(self, data: Any) -> Response:
        """Return the page as JSON; `data` may hold read models and datetimes."""
        return super().get_paginated_response(make_json_safe(data))


class OldestFirstPagination(ListPagination):
    """Oldest first."""

    ordering = "id"


class NewestFirstPagination(ListPagination):
    """Newest first."""

    ordering = "-id"


def make_json_safe(data: Any) -> Any:
    """Convert data to JSON types, with datetimes in the format of the API."""
    return json.loads(json.dumps(data, default=encode_value))


def etag_json_response(request: Request, data: Any) -> HttpResponse:
    """Return a JSON response with an ETag."""
    return etag_response(request, json.dumps(data, default=encode_value).encode(), "application/json")


def json_safe_response(data: Any, status: int = 200) -> HttpResponse:
    """Return a JSON response after a write."""
    return json_response(make_json_safe(data), status)


def get_player_by_name(name: str) -> Player:
    """Return the player named in a request. Raises Invalid."""
    player = find_player_by_name(name)
    if player is None:
        raise Invalid(
            _("nobody here is called %(name)s") % {"name": name[:MAX_NAME_LENGTH]}, code="no-such-player"
        )
    return player


class TournamentAPIView(ViewerAPIView):
    """Base view that validates bodies and paginates lists."""

    def validate_body(self, serializer_class: type[serializers.Serializer], **options: Any) -> dict[str, Any]:
        """Return the validated body of the request. Raises ValidationError."""
        serializer = serializer_class(data=self.request.data, **options)
        serializer.is_valid(raise_exception=True)
        return dict(serializer.validated_data)

    def paginate_list(self, paginator: ListPagination, rows: Any) -> Any:
        """Return the page of a list that the request asks for."""
        return paginator.paginate_queryset(rows, self.request, view=self) or []


class ReadView(TournamentAPIView):
    """Public to read; writing needs the scope `organise`."""

    permission_classes = [HasScope("read", write_scope="organise", anonymous=True)]


class PlayView(TournamentAPIView):
    """Base of player actions; writing needs the scope `play`."""

    permission_classes = [HasScope("read", write_scope="play")]


class OrganiseView(TournamentAPIView):
    """Base of organiser actions; the services check that the player is an organiser."""

    permission_classes = [HasScope("read", write_scope="organise")]

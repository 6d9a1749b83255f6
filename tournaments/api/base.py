"""Base classes of the API views of tournaments and leagues."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from django.http import HttpResponse
from django.utils.translation import gettext as _
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.api.auth import HasScope
from accounts.api.base import ViewerAPIView
from accounts.models import Player
from accounts.name_validation import MAX_NAME_LENGTH
from accounts.selectors.profiles import find_player_by_name
from common.api.pagination import StrictCursorPagination
from common.api.responses import etag_response, json_response
from common.read_models import build_json
from common.service_errors import Invalid


class ListPagination(StrictCursorPagination):
    """Cursor pagination; subclasses set the ordering."""

    page_size = 50
    max_page_size = 200

    def get_paginated_response(self, data: Any) -> Response:
        """Return the page as JSON; `data` are read models."""
        return super().get_paginated_response(build_json(data))


class OldestFirstPagination(ListPagination):
    """Oldest first."""

    ordering = "id"


class NewestFirstPagination(ListPagination):
    """Newest first."""

    ordering = "-id"


def etag_json_response(request: Request, data: Any) -> HttpResponse:
    """Return a read model as JSON with an ETag."""
    return etag_response(request, json.dumps(build_json(data)).encode(), "application/json")


def read_model_response(data: Any, status: int = 200) -> HttpResponse:
    """Return a read model as JSON after a write."""
    return json_response(build_json(data), status)


def get_player_by_name(name: str, *, field: str) -> Player:
    """Return the player named in a field of the request. Raises Invalid."""
    player = find_player_by_name(name)
    if player is None:
        raise Invalid(
            _("no player is called %(name)s") % {"name": name[:MAX_NAME_LENGTH]},
            code="no-such-player",
            field=field,
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

    def paginated_response(
        self, paginator: ListPagination, rows: Any, build_read_model: Callable[[Any], Any]
    ) -> Response:
        """Return the page of a list that the request asks for, each row as its read model."""
        page_rows = self.paginate_list(paginator, rows)
        return paginator.get_paginated_response([build_read_model(row) for row in page_rows])


class ReadView(TournamentAPIView):
    """Public to read; writing needs the scope `organise`."""

    permission_classes = [HasScope("read", write_scope="organise", anonymous=True)]


class PlayView(TournamentAPIView):
    """Base of player actions; writing needs the scope `play`."""

    permission_classes = [HasScope("read", write_scope="play")]


class OrganiseView(TournamentAPIView):
    """Base of organiser actions; the services check that the player is an organiser."""

    permission_classes = [HasScope("read", write_scope="organise")]

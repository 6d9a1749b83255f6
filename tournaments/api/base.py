"""What the doors of tournaments and leagues share."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from django.http import HttpResponse
from django.utils.translation import gettext as _
from rest_framework import serializers
from rest_framework.pagination import CursorPagination
from rest_framework.request import Request

from games.api.auth import HasScope
from games.api.base import Door, as_json, tagged
from games.api.examples import learn
from games.models import Player
from games.names import MAX_NAME_LENGTH
from games.selectors import instant, player_named
from games.services.errors import Invalid

learn(Path(__file__).with_name("examples.json"))


class Pages(CursorPagination):
    """Parts of a long list; `ordering` is that of the list."""

    page_size = 50
    max_page_size = 200
    page_size_query_param = "page_size"


class ByNumber(Pages):
    ordering = "id"


class NewestFirst(Pages):
    ordering = "-id"


def plain(data: Any) -> Any:
    """Facts as JSON can hold them: times as the API writes them."""
    return json.loads(json.dumps(data, default=instant))


def shown(request: Request, data: Any) -> HttpResponse:
    """An answer with an ETag."""
    return tagged(request, json.dumps(data, default=instant).encode(), "application/json")


def done(data: Any, status: int = 200) -> HttpResponse:
    """How things are after a deed."""
    return as_json(plain(data), status)


def called(name: str) -> Player:
    """A player whom a request names. Raises Invalid."""
    found = player_named(name)
    if found is None:
        raise Invalid(
            _("nobody here is called %(name)s") % {"name": name[:MAX_NAME_LENGTH]}, code="no-such-player"
        )
    return found


class Asking(Door):
    """A door that takes the words of a request."""

    def words(self, shape: type[serializers.Serializer], **how: Any) -> dict[str, Any]:
        """The body of the request, checked. Raises ValidationError."""
        asked = shape(data=self.request.data, **how)
        asked.is_valid(raise_exception=True)
        return dict(asked.validated_data)

    def some(self, pages: Pages, found: Any) -> Any:
        """The part of a list that is asked for."""
        return pages.paginate_queryset(found, self.request, view=self) or []


class Look(Asking):
    """For everybody to look at; what changes something is a deed of an organiser."""

    permission_classes = [HasScope("read", writing="organise", anonymous=True)]


class Play(Asking):
    """A deed of somebody who plays."""

    permission_classes = [HasScope("read", writing="play")]


class Organise(Asking):
    """For those who organise; the services know who that is."""

    permission_classes = [HasScope("read", writing="organise")]

"""REST views of editions: tiles, cards, board and rules as data."""

from __future__ import annotations

import json
from typing import Any

from django.http import HttpResponse
from django.utils.translation import gettext as _
from rest_framework.request import Request

from accounts.api.base import ViewerAPIView
from accounts.api.operations import operation
from common.api.responses import etag_response
from common.read_models import build_json
from common.service_errors import NotFound
from games.selectors.editions import EditionData, find_edition, list_editions


def edition_response(request: Request, data: Any) -> HttpResponse:
    """Editions as JSON with an ETag: they change with a release only."""
    return etag_response(request, json.dumps(build_json(data)).encode(), "application/json")


class EditionListView(ViewerAPIView):
    """All editions."""

    @operation("editions.list", scope="read", public=True, response=EditionData, many=True, etag=True)
    def get(self, request: Request) -> HttpResponse:
        """List editions.

        Returns all editions, the default first, with everything you need to draw a board or write an engine.
        """
        return edition_response(request, list_editions())


class EditionDetailView(ViewerAPIView):
    """One edition."""

    @operation("editions.view", scope="read", public=True, response=EditionData, etag=True)
    def get(self, request: Request, code: str) -> HttpResponse:
        """Get an edition.

        Returns one edition: its tiles and their lines, the frame, the deck, the markers and the rules.
        """
        edition = find_edition(code)
        if edition is None:
            raise NotFound(_("There is no such edition."))
        return edition_response(request, edition)

"""JSON responses that bypass REST framework's renderers, and responses with an ETag."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from typing import Any

from django.http import HttpResponse
from django.utils.http import parse_etags
from rest_framework.negotiation import DefaultContentNegotiation
from rest_framework.request import Request

PROBLEM_MEDIA_TYPE = "application/problem+json"


class JSONNegotiation(DefaultContentNegotiation):
    """Content negotiation with a fast path for requests that accept JSON or anything.

    Who accepts problem documents accepts JSON: which of the two it becomes is known only at the end. A view
    that builds another format itself says so in `own_media_type`.
    """

    own_media_type = PROBLEM_MEDIA_TYPE

    def get_accept_list(self, request: Request) -> list[str]:
        """The media types of the Accept header; those that the view gives itself stand for its renderer."""
        own_type = self.own_media_type
        known_types = {PROBLEM_MEDIA_TYPE, own_type, own_type.partition("/")[0] + "/*"}
        return [
            "*/*" if media_type.partition(";")[0].strip().lower() in known_types else media_type
            for media_type in super().get_accept_list(request)
        ]

    def select_renderer(self, request: Request, renderers: Any, format_suffix: str | None = None) -> Any:
        """The renderer and media type for the Accept header."""
        accept_header = request.META.get("HTTP_ACCEPT", "*/*")
        if (
            accept_header in ("*/*", "application/json")
            and not request.META["QUERY_STRING"]
            and not format_suffix
        ):
            return renderers[0], renderers[0].media_type
        return super().select_renderer(request, renderers, format_suffix)


def build_negotiation(media_type: str) -> type[JSONNegotiation]:
    """Build the content negotiation of a view that answers in a format of its own; problems are JSON."""
    return type("OwnFormatNegotiation", (JSONNegotiation,), {"own_media_type": media_type})


def json_response(data: Any, status: int = 200) -> HttpResponse:
    """A JSON response that bypasses REST framework's renderers."""
    return HttpResponse(json.dumps(data), content_type="application/json", status=status)


def etag_response(request: Request, body: bytes, content_type: str) -> HttpResponse:
    """A response with an ETag, or 304 if the client has it already."""
    return lazy_etag_response(request, hashlib.sha256(body).hexdigest()[:24], lambda: body, content_type)


def lazy_etag_response(
    request: Request, tag: str, make_body: Callable[[], bytes], content_type: str
) -> HttpResponse:
    """A response whose ETag is known before the body; for a 304 the body is not made."""
    etag = f'"{tag}"'
    client_etags = parse_etags(request.META.get("HTTP_IF_NONE_MATCH", ""))
    if etag in client_etags or f"W/{etag}" in client_etags or "*" in client_etags:
        response = HttpResponse(status=304)
    else:
        response = HttpResponse(make_body(), content_type=content_type)
    response["ETag"] = etag
    response["Cache-Control"] = "private, no-cache"
    response["Vary"] = "Authorization, Cookie"
    return response

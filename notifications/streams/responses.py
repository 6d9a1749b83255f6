"""Responses that stay open. A view returns one like any other; the ASGI handler serves it on the event loop.

Under a server without the handler, such as WSGI, a stream ends after its opening and a long poll answers at
once, so that clients which connect again still get everything.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.utils.translation import get_language
from rest_framework.exceptions import NotAcceptable
from rest_framework.request import Request

from accounts.api.auth import find_credential
from common.rate_limits import client_network_of

from .formats import EVENT_STREAM, StreamEvent, StreamFormat, choose_format
from .hub import is_hub_running
from .limits import reserve_stream
from .plans import StreamPlan, StreamSource

STREAM_HEADERS = {
    "Cache-Control": "no-store",
    "X-Accel-Buffering": "no",
}  # no proxy keeps or holds back events


class StreamResponse(HttpResponse):
    """A stream: its body so far is the opening; `plan` says how it goes on, None if it does not."""

    plan: StreamPlan | None = None


class LongPollResponse(HttpResponse):
    """An answer without entries, which may wait for some: `build_body` makes the answer from the events."""

    plan: StreamPlan | None = None
    wait_seconds: float = 0
    build_body: Callable[[Sequence[StreamEvent]], bytes]


def open_stream(
    request: HttpRequest | Request,
    *,
    source: StreamSource,
    keys: frozenset[str],
    stream_format: StreamFormat = EVENT_STREAM,
) -> StreamResponse:
    """Open a stream: read its opening now, and take a place among the open streams.

    Raises TooManyStreams, and whatever the source raises.
    """
    plan = plan_stream(request, source=source, keys=keys, stream_format=stream_format)
    chunk = source.read_next()
    body = stream_format.first_bytes + b"".join(map(stream_format.write_event, chunk.events))
    response = StreamResponse(body, content_type=stream_format.content_type, headers=STREAM_HEADERS)
    response.plan = None if chunk.is_last else plan
    return response


def plan_stream(
    request: HttpRequest | Request, *, source: StreamSource, keys: frozenset[str], stream_format: StreamFormat
) -> StreamPlan:
    """The parts of a request that are kept while it stays open. Raises TooManyStreams."""
    django_request: Any = getattr(request, "_request", request)
    credential, reservation = find_credential(request), None
    if is_hub_running():
        reservation = reserve_stream(
            credential.player_id if credential else None, client_network_of(django_request)
        )
        # The handler releases it, whatever becomes of the response.
        django_request.stream_reservation = reservation
    return StreamPlan(source, keys, stream_format, credential, get_language(), reservation)


def find_stream_format(request: Request) -> StreamFormat:
    """The format that the client accepts. Raises NotAcceptable."""
    stream_format = choose_format(request.headers.get("Accept", ""))
    if stream_format is None:
        raise NotAcceptable
    return stream_format
